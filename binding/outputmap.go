package binding

import (
	"reflect"
	"slices"
	"strings"
)

// An entry is a map key as it is shown and where its value lies.
type entry struct {
	key   string
	index int
}

// walkMap shows entries by ascending key, because the order of a Go map is not
// one. The elements are gathered in one slice: reflection would otherwise
// allocate for each. v hears of their number before that: a map of millions,
// which no frame can hold, is not sorted first.
func (n *node) walkMap(value reflect.Value, v Visitor) error {
	count := value.Len()
	if err := v.Dict(count); err != nil {
		return err
	}
	entries := make([]entry, 0, count)
	elems := reflect.MakeSlice(n.elemsType, count, count)
	key := reflect.New(n.keyType).Elem()
	for iter := value.MapRange(); len(entries) < count && iter.Next(); {
		key.SetIterKey(iter)
		elems.Index(len(entries)).SetIterValue(iter)
		entries = append(entries, entry{key: validText(key.String()), index: len(entries)})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for i := 1; i < len(entries); i++ {
		if key := entries[i].key; key == entries[i-1].key {
			// Replacing invalid UTF-8 made two keys one. Either value alone
			// would be a silent loss, and a different one each time.
			return atKey(&fault{problem: "got two keys that differ only in invalid UTF-8, want distinct keys"}, key)
		}
	}
	for _, e := range entries {
		if err := v.Key(e.key); err != nil {
			return err
		}
		if err := n.elem.walk(elems.Index(e.index), v); err != nil {
			return atKey(err, e.key)
		}
	}
	return nil
}
