package engine

import "github.com/codemode-go/codemode/binding"

// warmProgram touches what most programs touch: parser, resolver, compiler,
// the common instructions and builtins, a native call, and both codecs.
const warmProgram = `
def pick(items, key):
    return [item[key] for item in items if item.get("on")]

def main():
    items = warm.items(name = "x", limit = 4)["items"]
    names = sorted(pick(items, "id"), key = lambda name: name.upper(), reverse = True)
    total = 0.0
    for item in items:
        if item["on"] and "id" in item:
            total += item["score"]
    return {"names": names, "total": total, "text": "%d: %s" % (len(items), ", ".join(names)), "sum": sum([1, 2]), "none": None}
`

// warmItems makes the reply to the call in warmProgram.
const warmItems = `
def main():
    return {"items": [{"id": "r{}".format(i), "on": i % 2 == 0, "score": i * 1.5} for i in range(4)]}
`

// WarmUp runs a small program against a capability of its own, so that the
// pages and tables that the first program needs are there before it arrives.
func (e *Engine) WarmUp() {
	input, err := binding.NewInput([]binding.Field{
		{Name: "name", Type: &binding.Type{Kind: binding.String}},
		{Name: "limit", Type: &binding.Type{Kind: binding.Int}, Optional: true},
	})
	if err != nil {
		return
	}
	limits := Limits{MaxSteps: 10_000, MaxCalls: 1, MaxValueDepth: 8, MaxValueBytes: 4096}
	warm, err := New(AppendManifest(nil, limits, []Capability{{ID: "warm", Name: "warm.items", Input: input}}))
	if err != nil {
		return
	}
	items := warm.Run([]byte(warmItems), nil)
	warm.Run([]byte(warmProgram), func(string, []byte) ([]byte, Class, error) { return items.Value, OK, nil })
}
