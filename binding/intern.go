package binding

// An interner makes a key once for all dicts of a value. Dicts of a list tend
// to have the same keys in the same order, so it looks first at the key that
// followed the last one before.
type interner[T any] struct {
	keys  []interned[T]
	index map[string]int // over all keys, when they are more than fewFields
	last  int            // the key that was asked for last
}

type interned[T any] struct {
	name string
	key  T
	next int // the key that followed it last time; 0 is as good a guess as any
}

// maxInterned bounds the table where a dict is used as a table itself.
const maxInterned = 256

func (in *interner[T]) intern(name string, make func(string) T) T {
	if len(in.keys) > 0 {
		if i := in.keys[in.last].next; in.keys[i].name == name {
			in.last = i
			return in.keys[i].key
		}
	}
	i := in.find(name)
	if i < 0 {
		if len(in.keys) == maxInterned {
			return make(name)
		}
		i = in.add(name, make(name))
	}
	in.keys[in.last].next = i
	in.last = i
	return in.keys[i].key
}

func (in *interner[T]) find(name string) int {
	if in.index != nil {
		if i, ok := in.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range in.keys {
		if in.keys[i].name == name {
			return i
		}
	}
	return -1
}

func (in *interner[T]) add(name string, key T) int {
	i := len(in.keys)
	in.keys = append(in.keys, interned[T]{name: name, key: key})
	if in.index != nil {
		in.index[name] = i
	} else if len(in.keys) > fewFields {
		in.index = make(map[string]int)
		for i := range in.keys {
			in.index[in.keys[i].name] = i
		}
	}
	return i
}
