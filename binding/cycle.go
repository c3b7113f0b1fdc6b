package binding

import "go.starlark.net/starlark"

// containers is the path from the root of a walk to where it is. Looking
// through a short path costs less than keeping a set; beyond that, which only
// a visitor without a depth limit allows, a set keeps deep values linear.
type containers struct {
	path []starlark.Value
	set  map[starlark.Value]bool // the elements of path from shortPath on
}

const shortPath = 32

// enter reports false where the container is on the path already. Values are
// compared by identity: only pointers are ever entered.
func (c *containers) enter(value starlark.Value) bool {
	for _, v := range c.path[:min(len(c.path), shortPath)] {
		if v == value {
			return false
		}
	}
	if len(c.path) >= shortPath {
		if c.set[value] {
			return false
		}
		if c.set == nil {
			c.set = make(map[starlark.Value]bool)
		}
		c.set[value] = true
	}
	c.path = append(c.path, value)
	return true
}

func (c *containers) leave() {
	last := len(c.path) - 1
	if last >= shortPath {
		delete(c.set, c.path[last])
	}
	c.path = c.path[:last]
}

// cyclic reports whether a container reachable from value contains itself. It
// looks at every container once, however often it is shared, and does not
// recurse, so it takes any depth.
func cyclic(value starlark.Value) bool {
	s := search{state: make(map[any]searchState)}
	s.visit(value)
	for len(s.todo) > 0 {
		next := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if next.leave {
			s.state[identity(next.value)] = left
			continue
		}
		switch id := identity(next.value); s.state[id] {
		case entered:
			return true
		case unseen:
			s.state[id] = entered
			s.todo = append(s.todo, searchStep{next.value, true})
			s.visitElements(next.value)
		}
	}
	return false
}

type searchState uint8

const (
	unseen searchState = iota
	entered
	left
)

type search struct {
	state map[any]searchState
	todo  []searchStep
}

type searchStep struct {
	value starlark.Value
	leave bool // all that it contains has been looked at
}

func (s *search) visit(value starlark.Value) {
	if identity(value) != nil {
		s.todo = append(s.todo, searchStep{value, false})
	}
}

func (s *search) visitElements(value starlark.Value) {
	switch v := value.(type) {
	case starlark.Tuple:
		for _, elem := range v {
			s.visit(elem)
		}
	case *starlark.List:
		for i := range v.Len() {
			s.visit(v.Index(i))
		}
	case *starlark.Dict:
		for _, elem := range v.Entries() {
			s.visit(elem)
		}
	}
}

// identity returns what tells one container from another, or nil for other
// values. Slices of one tuple share its elements, hence the length.
func identity(value starlark.Value) any {
	type tuple struct {
		first *starlark.Value
		len   int
	}
	switch v := value.(type) {
	case starlark.Tuple:
		if len(v) > 0 {
			return tuple{&v[0], len(v)}
		}
	case *starlark.List, *starlark.Dict:
		return v
	}
	return nil
}
