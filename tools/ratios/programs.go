package ratios

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode/wire"
)

// The programs that are measured.
const (
	returnOne = "def main():\n    return 1\n"
	oneCall   = "def main():\n    bench.lookup(key='a')\n"
	manyCalls = "def main():\n    for _ in range(51):\n        bench.lookup(key='a')\n"
	aggregate = `
def main():
    total = 0.0
    for item in bench.list()["items"]:
        if item["active"]:
            total += item["score"]
    return total
`
)

type (
	lookupInput struct {
		Key string `json:"key"`
	}
	lookupOutput struct {
		Key   string `json:"key"`
		Count int64  `json:"count"`
	}
	listInput  struct{}
	listOutput struct {
		Items []listItem `json:"items"`
	}
	listItem struct {
		ID     string  `json:"id"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
	}
)

var thousand = func() listOutput {
	out := listOutput{Items: make([]listItem, 1000)}
	for i := range out.Items {
		out.Items[i] = listItem{fmt.Sprintf("r%d", i), i%2 == 0, float64(i) * 1.5}
	}
	return out
}()

func lookup(_ context.Context, in lookupInput) (lookupOutput, error) {
	return lookupOutput{in.Key, 1}, nil
}
func list(context.Context, listInput) (listOutput, error) { return thousand, nil }

var limits = wire.Limits{MaxDepth: 32, MaxBytes: 1 << 20}
