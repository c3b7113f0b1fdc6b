package mcpserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/codemode"
)

// What a model reads. It may see the descriptions without the instructions, so
// each tool's text stands alone. Clients in the field cut both at 2,048 bytes,
// so no text is longer.

const searchDescription = `Find the APIs that a program for execute can call. Start here.

query: about three distinctive words for the task and the thing it is about ("create review comment"), or an exact dotted name. Nothing useful? Search again with one word at a time.

How words match: letters and digits only, split at punctuation, camelCase and digit borders, case ignored; a word matches the same word, or from three letters on the beginning of a longer one, in an API's name, search terms, summary or description. There are no synonyms, spelling corrections, plurals or matches inside a word. One or two words: all must match; more: two thirds of them, rounded up. Fill words such as a, an, and, by, for, from, in, of, on, or, the, to, with do not count. At most 16 different words.

Result: {results: [{name, signature, summary}], truncated}, best match first. An empty list is not a failure. truncated means that more matched than is shown; there is no next page, so if nothing fits, search more precisely.
signature shows how to call an API, for example records.lookup(*, key: str, limit: int | None); what it returns is told by describe_api alone.
Next: pass a name, exactly as returned, to describe_api. The names are functions inside execute programs, not MCP tools.

Errors: "resource limit exceeded": the query is too long (white space counts) or has too many words. "unauthenticated": only the host can fix it; tell the user. Anything else: retry once, then tell the user.`

const describeDescription = `Show one API that search_api found: how to call it and what it returns. Do this before you call it in execute.

name: the exact dotted name from search_api. Case and white space count; nothing is guessed or completed.

Result: {name, signature, summary, description, input, output}.
input: its parameters in order, each {name, type, required}. Types are str, int, bool, float; "T | None" with required false may be left out.
output: the fields of the dict that a call returns, each {name, type, required}. required false: the key may be missing. Types nest:
  list[T]   dict[str, T]   {field: T, optional?: U}   T | None
{...} is a dict: value["field"], not value.field; a key marked ? may be missing. A list or dict may also be None where the API has none. Bytes come as a list of ints.
Rely on output, never on signature, for what comes back.
The name is a function inside execute programs, not an MCP tool.

Errors: "capability not found": no such name is enabled here; search again and copy a returned name exactly. "unauthenticated": only the host can fix it; tell the user. Anything else: retry once, then tell the user.`

const executeDescription = `Run one Starlark program and get the value that its main() returns.

source example:
def main():
    r = records.list(count=20)
    return [i["id"] for i in r["items"] if i["active"]]

- def main(): without parameters. Call APIs only inside it, by dotted names seen in search_api and describe_api (functions here, not MCP tools). Keyword arguments only; 2.0, not 2, for a float.
- Combine calls, loops and filters in one program; return only what you need: None, bool, str, 64-bit int, finite float, list, tuple or dict with str keys. print output and all else is lost; each run starts fresh.
- Call results are dicts: r["items"]; r.get("x") if a key may be missing.
- Starlark, not Python: no import, load, while, is, f-strings, filter, map, round, try, class, set, recursion; no if or for outside functions. Use comprehensions, x == None, math.round(x * 10) / 10, "%s" % x (no width or precision).
- Built in: abs all any bool bytes chr dict dir enumerate fail float getattr hasattr hash int len list max min ord print range repr reversed sorted str sum(iterable) tuple type zip, json.decode/encode/indent, math.*. No time module.

Result: {result: value}; keys of dicts come sorted, so return a list where order counts.

Errors:
"invalid program": fix the source; <codemode>:line:col, if given, says where.
"invalid capability arguments": the text may name the argument; compare with describe_api's input.
"resource limit exceeded": do less: shorter source, fewer steps, calls or seconds, smaller or flatter values, less data fetched in all.
"capability failed": the API refused or broke; check your values, then tell the user.
"permission denied", "authorization policy failure", "unauthenticated": the host decides; tell the user. One answer does not show the rule.
"context canceled", "context deadline exceeded": stopped from outside; run again if still wanted.
"internal failure": not your program's fault; retry once, then tell the user.
A failed run may have done some calls: check before repeating ones that change things.`

const guide = `Many APIs behind three tools:
1. search_api: about three distinctive words for the task; single words if that finds too little.
2. describe_api: the exact name found; shows parameters and result fields.
3. execute: one Starlark program whose main() calls the APIs, combines the results and returns only what is needed.
The dotted names are functions inside execute programs, not MCP tools. Do as much as possible in one program: loops and intermediate data stay there and cost no context.
If a call fails, the text says what to do: "capability not found": search again; "invalid program", "invalid capability arguments": correct what the text names; "resource limit exceeded": do less at once; "permission denied", "authorization policy failure", "unauthenticated": tell the user, the host decides; anything else: retry once, then tell the user.`

// namespaceBytes bounds the list of namespaces, whatever a catalog holds.
const namespaceBytes = 768

// instructions joins the host's own text, the guide and the namespaces.
func instructions(host string, namespaces []codemode.NamespaceInfo) string {
	parts := []string{guide}
	if host = strings.TrimSpace(host); host != "" {
		parts = []string{host, guide}
	}
	if list := namespaceList(namespaces); list != "" {
		parts = append(parts, list)
	}
	return strings.Join(parts, "\n\n")
}

// namespaceList names the largest namespaces with their numbers of APIs, as
// many as fit, in at most namespaceBytes bytes.
func namespaceList(namespaces []codemode.NamespaceInfo) string {
	bySize := slices.SortedFunc(slices.Values(namespaces), func(a, b codemode.NamespaceInfo) int {
		return cmp.Or(cmp.Compare(b.Capabilities, a.Capabilities), strings.Compare(a.Name, b.Name))
	})
	const head, tail = "APIs by namespace: ", ", and %d more namespaces"
	room := namespaceBytes - len(head) - len(fmt.Sprintf(tail, len(namespaces)))
	var shown []string
	for _, namespace := range bySize {
		item := fmt.Sprintf("%s (%d)", namespace.Name, namespace.Capabilities)
		if room -= len(item) + len(", "); room < 0 {
			break
		}
		shown = append(shown, item)
	}
	if len(shown) == 0 {
		return ""
	}
	list := head + strings.Join(shown, ", ")
	if rest := len(bySize) - len(shown); rest > 0 {
		list += fmt.Sprintf(tail, rest)
	}
	return list
}
