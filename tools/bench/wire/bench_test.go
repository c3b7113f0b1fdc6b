package wirebench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/wire"
	"github.com/fxamacker/cbor/v2"
	"github.com/vmihailenco/msgpack/v5"
)

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

type page struct {
	Records []record `json:"records"`
}

func newPage(n int) page {
	rs := make([]record, n)
	for i := range rs {
		rs[i] = record{
			ID: int64(i), Name: fmt.Sprintf("record number %d", i), Owner: fmt.Sprintf("owner-%d@example.com", i%17),
			Score: float64(i) * 1.37, Active: i%3 == 0, Tags: append([]string{}, []string{"alpha", "beta", "release"}[:i%4]...),
			Created: 1_700_000_000 + int64(i)*3600, Comments: int64(i % 90),
		}
	}
	return page{rs}
}

// A codec is one of the formats, with buffers of its own.
type codec struct {
	name   string
	encode func(*page) ([]byte, error)
	decode func([]byte) (any, error)
}

func codecs(tb testing.TB) []codec {
	return []codec{jsonCodec(), wireCodec(tb), cborCodec(tb), msgpackCodec()}
}

func jsonCodec() codec {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	return codec{"json", func(p *page) ([]byte, error) {
		buf.Reset()
		err := encoder.Encode(p)
		return buf.Bytes(), err
	}, func(body []byte) (v any, err error) {
		err = json.Unmarshal(body, &v)
		return v, err
	}}
}

func wireCodec(tb testing.TB) codec {
	plan, err := binding.CompileFor[struct{}, page]()
	if err != nil {
		tb.Fatal(err)
	}
	limits := wire.Limits{MaxDepth: 32, MaxBytes: 1 << 24}
	var encoder wire.Encoder
	var buf []byte
	return codec{"wire", func(p *page) ([]byte, error) {
		encoder.Reset(buf[:0], limits)
		if err := plan.WalkOutput(p, &encoder); err != nil {
			return nil, err
		}
		buf, err = encoder.Bytes()
		return buf, err
	}, func(body []byte) (any, error) {
		var builder binding.PlainBuilder
		if err := wire.Decode(body, limits, &builder); err != nil {
			return nil, err
		}
		return builder.Value()
	}}
}

func cborCodec(tb testing.TB) codec {
	encoding, err := cbor.EncOptions{}.EncMode()
	if err != nil {
		tb.Fatal(err)
	}
	// What wire checks too: repeated keys, UTF-8 (on by default).
	decoding, err := cbor.DecOptions{
		DefaultMapType: reflect.TypeFor[map[string]any](), DupMapKey: cbor.DupMapKeyEnforcedAPF, IntDec: cbor.IntDecConvertSignedOrFail,
	}.DecMode()
	if err != nil {
		tb.Fatal(err)
	}
	var buf bytes.Buffer
	encoder := encoding.NewEncoder(&buf)
	return codec{"cbor", func(p *page) ([]byte, error) {
		buf.Reset()
		err := encoder.Encode(p)
		return buf.Bytes(), err
	}, func(body []byte) (v any, err error) {
		err = decoding.Unmarshal(body, &v)
		return v, err
	}}
}

func msgpackCodec() codec {
	var buf bytes.Buffer
	encoder := msgpack.NewEncoder(&buf)
	encoder.SetCustomStructTag("json")
	encoder.UseCompactInts(true)
	return codec{"msgpack", func(p *page) ([]byte, error) {
		buf.Reset()
		err := encoder.Encode(p)
		return buf.Bytes(), err
	}, func(body []byte) (v any, err error) {
		err = msgpack.Unmarshal(body, &v)
		return v, err
	}}
}

// TestSameData: what the formats decode to is the same value, so that the benchmarks compare like with like.
func TestSameData(t *testing.T) {
	p := newPage(10)
	var want any
	for _, c := range codecs(t) {
		body, err := c.encode(&p)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got, err := c.decode(body)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		text, err := json.Marshal(got) // numbers are of different types in each
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var plain any
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = plain
		}
		if !reflect.DeepEqual(plain, want) {
			t.Errorf("%s: got %s", c.name, text)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, n := range []int{1, 1000} {
		p := newPage(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := codecs(b)
			sizes := make([]int, len(all))
			ratios := alternate(b, len(all), func(i int) {
				body, err := all[i].encode(&p)
				if err != nil {
					b.Fatal(err)
				}
				sizes[i] = len(body)
			})
			for i, c := range all[1:] {
				b.ReportMetric(ratios[i+1], c.name+"/json")
				b.ReportMetric(float64(sizes[i+1])/float64(sizes[0]), c.name+"-size/json")
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	p := newPage(1000)
	all := codecs(b)
	bodies := make([][]byte, len(all))
	for i, c := range all {
		body, err := c.encode(&p)
		if err != nil {
			b.Fatal(err)
		}
		bodies[i] = slices.Clone(body)
	}
	ratios := alternate(b, len(all), func(i int) {
		if _, err := all[i].decode(bodies[i]); err != nil {
			b.Fatal(err)
		}
	})
	for i, c := range all[1:] {
		b.ReportMetric(ratios[i+1], c.name+"/json")
	}
}

// alternate runs op for each of n contenders in turns and returns the median of their times relative to the first one's of the same
// round.
func alternate(b *testing.B, n int, op func(contender int)) []float64 {
	const rounds = 15
	for i := range n {
		op(i)
	}
	relative := make([][]float64, n)
	for range rounds {
		times := make([]float64, n)
		for i := range n {
			start := time.Now()
			for range b.N {
				op(i)
			}
			times[i] = float64(time.Since(start))
			relative[i] = append(relative[i], times[i]/times[0])
		}
	}
	medians := make([]float64, n)
	for i, values := range relative {
		slices.Sort(values)
		medians[i] = values[rounds/2]
	}
	b.ReportMetric(0, "ns/op")
	return medians
}
