package engine

// warmProgram touches what most programs touch: parser, resolver, compiler,
// the common instructions and builtins, and the encoder.
const warmProgram = `
def pick(items, key):
    return [item[key] for item in items if item.get("on")]

def main():
    items = [{"id": "r%d" % i, "on": i % 2 == 0, "score": i * 1.5} for i in range(4)]
    names = sorted(pick(items, "id"), key = lambda name: name.upper(), reverse = True)
    total = 0.0
    for item in items:
        if item["on"] and "id" in item:
            total += item["score"]
    return {"names": names, "total": total, "text": ", ".join(names), "sum": sum([1, 2]), "size": len(items), "nothing": None}
`

// WarmUp runs a small program, so that the pages and tables that the first
// program needs are there before it arrives.
func (e *Engine) WarmUp() {
	e.Run([]byte(warmProgram), func(string, []byte) ([]byte, Class, error) { return nil, Internal, nil })
}
