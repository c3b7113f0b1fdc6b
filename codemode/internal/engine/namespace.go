package engine

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/wire"
)

// A namespace is the value of a dotted prefix such as records. It looks its
// members up when they are asked for, so its cost does not depend on how many
// there are.
type namespace struct {
	run     *run
	path    string // "records", "records.archive"
	members map[string]starlark.Value
}

var _ starlark.HasAttrs = (*namespace)(nil)

func (n *namespace) String() string        { return fmt.Sprintf("<namespace %s>", n.path) }
func (n *namespace) Type() string          { return "namespace" }
func (n *namespace) Freeze()               {} // its members are immutable
func (n *namespace) Truth() starlark.Bool  { return true }
func (n *namespace) Hash() (uint32, error) { return 0, errors.New("unhashable: namespace") }

// Attr returns a capability or a nested namespace, always the same value for
// the same name.
func (n *namespace) Attr(name string) (starlark.Value, error) {
	if v, ok := n.members[name]; ok {
		return v, nil
	}
	// A dotted name, from getattr, is no member; one longer than all is not
	// worth a copy of megabytes.
	if len(name) > n.run.catalog.longest || strings.Contains(name, ".") {
		return nil, &memberError{n.run.catalog, n.path, name}
	}
	v, err := n.run.member(n.path + "." + name)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, &memberError{n.run.catalog, n.path, name}
	}
	if n.members == nil {
		n.members = make(map[string]starlark.Value)
	}
	n.members[name] = v
	return v, nil
}

func (n *namespace) AttrNames() []string {
	var names []string
	n.run.catalog.members(n.path+".", func(segment string) { names = append(names, segment) })
	return names
}

// member returns the value of a dotted name, nil if there is none.
func (r *run) member(path string) (starlark.Value, error) {
	if i, ok := r.catalog.find(path); ok {
		capability, err := r.catalog.capability(i)
		if err != nil {
			return nil, r.end(Internal, err.Error())
		}
		return r.builtin(capability), nil
	}
	if r.catalog.hasNamespace(path) {
		return &namespace{run: r, path: path}, nil
	}
	return nil, nil
}

// A memberError names what a namespace lacks. The text with its suggestion is
// made when it is read: hasattr never reads it.
type memberError struct {
	catalog    *catalog
	path, name string
}

func (e *memberError) Error() string {
	message := fmt.Sprintf("%s has no capability .%s", e.path, clean(e.name, maxNameBytes))
	if nearest := e.catalog.nearestMember(e.path, e.name); nearest != "" {
		return message + fmt.Sprintf(" (did you mean %s?)", nearest)
	}
	return message + fmt.Sprintf(" (%s has %s)", e.path, e.catalog.list(e.path))
}

// builtin returns the value that a program calls.
func (r *run) builtin(capability Capability) starlark.Value {
	return starlark.NewBuiltin(capability.Name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return r.native(&capability, args, kwargs)
	})
}

// native performs one native call: count, bind, dispatch, decode.
func (r *run) native(capability *Capability, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if r.ended != nil {
		return nil, errEnded
	}
	if !r.running {
		return nil, r.end(InvalidProgram, capability.Name+duringLoad(r.thread.CallStack()))
	}
	if r.calls >= r.catalog.limits.MaxCalls {
		return nil, r.end(ResourceLimit, capability.Name+": MaxNativeCalls was reached")
	}
	r.calls++
	arguments, err := r.bind(capability, args, kwargs)
	if err != nil {
		return nil, err
	}
	body, class, err := r.call(capability.ID, arguments)
	switch {
	case err != nil:
		return nil, r.end(Internal, err.Error())
	case class != OK:
		return nil, r.refused(class, capability.Name)
	}
	value, err := r.decode(body)
	switch {
	case err == nil:
		return value, nil
	case overLimit(err):
		return nil, r.end(ResourceLimit, overLimitMessage(capability.Name+": the result", err))
	}
	return nil, r.end(Internal, err.Error())
}

func (r *run) decode(body []byte) (starlark.Value, error) {
	r.result.Reset()
	if err := wire.Decode(body, r.limits(), &r.result); err != nil {
		return nil, err
	}
	return r.result.Value()
}

// bind encodes the arguments of a call into the run's buffer.
func (r *run) bind(capability *Capability, args starlark.Tuple, kwargs []starlark.Tuple) ([]byte, error) {
	r.arguments.Reset(r.scratch[:0], r.limits())
	err := capability.Input.Bind(args, kwargs, &r.arguments)
	if err == nil {
		r.scratch, err = r.arguments.Bytes()
	}
	switch {
	case err == nil:
		return r.scratch, nil
	case overLimit(err):
		return nil, r.end(ResourceLimit, overLimitMessage(capability.Name+": the arguments", err))
	}
	var rejected *binding.ArgumentError
	if !errors.As(err, &rejected) {
		return nil, r.end(Internal, err.Error())
	}
	return nil, r.end(InvalidArguments, argumentMessage(capability.Name, rejected))
}

// refused ends the run with the class that the parent gave a call. The parent
// says no more than the class, so the position is all the detail there is.
func (r *run) refused(class Class, name string) error {
	switch class {
	case InvalidArguments:
		return r.end(class, name+": the arguments were refused")
	case InvalidProgram:
		return r.end(class, name+" cannot be called")
	}
	return r.end(class, "")
}
