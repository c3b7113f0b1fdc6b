package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/wire"
)

// The benchmarks take their floor, encoding/json on the same data, in the same run: rounds of both alternate, and the median of their
// ratios is reported. Absolute times of a shared machine mean little; the ratio is what counts.
//
//	go test -bench . -run '^$' -benchtime 2s

type record struct {
	ID       int64    `json:"id"`
	Name     string   `json:"name"`
	Owner    string   `json:"owner"`
	Score    float64  `json:"score"`
	Active   bool     `json:"active"`
	Tags     []string `json:"tags"`
	Created  int64    `json:"created"`
	Comments int64    `json:"comments"`
}

func records(n int) []record {
	rs := make([]record, n)
	for i := range rs {
		rs[i] = record{
			ID: int64(i), Name: fmt.Sprintf("record number %d", i), Owner: fmt.Sprintf("owner-%d@example.com", i%17),
			Score: float64(i) * 1.37, Active: i%3 == 0, Tags: []string{"alpha", "beta", "release"}[:i%4],
			Created: 1_700_000_000 + int64(i)*3600, Comments: int64(i % 90),
		}
	}
	return rs
}

// walkRecords is what a walker by reflection does, without the reflection: eight events through the interface.
func walkRecords(rs []record, v wire.Visitor) error {
	if err := v.List(len(rs)); err != nil {
		return err
	}
	for i := range rs {
		if err := walkRecord(&rs[i], v); err != nil {
			return err
		}
	}
	return nil
}

func walkRecord(r *record, v wire.Visitor) error {
	if err := v.Dict(8); err != nil {
		return err
	}
	if err := integerField(v, "id", r.ID); err != nil {
		return err
	}
	if err := stringField(v, "name", r.Name); err != nil {
		return err
	}
	if err := stringField(v, "owner", r.Owner); err != nil {
		return err
	}
	if err := v.Key("score"); err != nil {
		return err
	}
	if err := v.Float(r.Score); err != nil {
		return err
	}
	if err := v.Key("active"); err != nil {
		return err
	}
	if err := v.Bool(r.Active); err != nil {
		return err
	}
	if err := v.Key("tags"); err != nil {
		return err
	}
	if err := v.List(len(r.Tags)); err != nil {
		return err
	}
	for _, tag := range r.Tags {
		if err := v.String(tag); err != nil {
			return err
		}
	}
	if err := integerField(v, "created", r.Created); err != nil {
		return err
	}
	return integerField(v, "comments", r.Comments)
}

func integerField(v wire.Visitor, name string, value int64) error {
	if err := v.Key(name); err != nil {
		return err
	}
	return v.Int(value)
}

func stringField(v wire.Visitor, name, value string) error {
	if err := v.Key(name); err != nil {
		return err
	}
	return v.String(value)
}

// against runs both functions in turns and reports the time of each for one op and the median ratio.
func against(b *testing.B, ours, floor func()) {
	const rounds = 15
	ours()
	floor()
	times := [2][]float64{}
	for range rounds {
		for side, f := range []func(){ours, floor} {
			start := time.Now()
			for range b.N {
				f()
			}
			times[side] = append(times[side], float64(time.Since(start))/float64(b.N))
		}
	}
	ratios := make([]float64, rounds)
	for i := range ratios {
		ratios[i] = times[0][i] / times[1][i]
	}
	b.ReportMetric(median(times[0]), "wire-ns")
	b.ReportMetric(median(times[1]), "json-ns")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func BenchmarkEncodeAgainstJSON(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rs := records(n)
			var e wire.Encoder
			var visitor wire.Visitor = &e
			var body []byte
			var text bytes.Buffer
			encoder := json.NewEncoder(&text)
			against(b, func() {
				e.Reset(body[:0], generous)
				if err := walkRecords(rs, visitor); err != nil {
					b.Fatal(err)
				}
				body, _ = e.Bytes()
			}, func() {
				text.Reset()
				if err := encoder.Encode(rs); err != nil {
					b.Fatal(err)
				}
			})
			b.ReportMetric(float64(len(body))/float64(text.Len()), "size-ratio")
		})
	}
}

func BenchmarkDecodeAgainstJSON(b *testing.B) {
	rs := records(1000)
	var e wire.Encoder
	e.Reset(nil, generous)
	if err := walkRecords(rs, &e); err != nil {
		b.Fatal(err)
	}
	body, err := e.Bytes()
	if err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(rs)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("to any", func(b *testing.B) {
		against(b, func() {
			var v plain
			if err := wire.Decode(body, generous, &v); err != nil {
				b.Fatal(err)
			}
		}, func() {
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("check only", func(b *testing.B) {
		var v wire.Visitor = nothing{}
		against(b, func() {
			if err := wire.Decode(body, generous, v); err != nil {
				b.Fatal(err)
			}
		}, func() {
			if !json.Valid(text) {
				b.Fatal("JSON is not valid")
			}
		})
	})
}

func BenchmarkFrame(b *testing.B) {
	for _, size := range []int{16, 4096, 1 << 20} {
		payload := make([]byte, size)
		b.Run(fmt.Sprintf("write/%d", size), func(b *testing.B) {
			w := wire.NewWriter(io.Discard)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Write(wire.KindResult, payload); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("read/%d", size), func(b *testing.B) {
			var frame bytes.Buffer
			if err := wire.NewWriter(&frame).Write(wire.KindResult, payload); err != nil {
				b.Fatal(err)
			}
			r := wire.NewReader(&loop{bytes: frame.Bytes()})
			caps := wire.Caps{wire.KindResult: size}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Next(caps); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A loop is an endless repetition of bytes.
type loop struct {
	bytes []byte
	at    int
}

func (l *loop) Read(p []byte) (int, error) {
	n := copy(p, l.bytes[l.at:])
	l.at = (l.at + n) % len(l.bytes)
	return n, nil
}
