package wire_test

// A nothing is a Visitor that builds nothing.
type nothing struct{}

func (nothing) Null() error         { return nil }
func (nothing) Bool(bool) error     { return nil }
func (nothing) Int(int64) error     { return nil }
func (nothing) Float(float64) error { return nil }
func (nothing) String(string) error { return nil }
func (nothing) List(int) error      { return nil }
func (nothing) Dict(int) error      { return nil }
func (nothing) Key(string) error    { return nil }

// A plain is a Visitor that builds what encoding/json does, numbers apart.
type plain struct {
	root  any
	stack []container
}

type container struct {
	list []any
	dict map[string]any
	key  string
	left int
}

func (p *plain) Null() error           { return p.put(nil) }
func (p *plain) Bool(b bool) error     { return p.put(b) }
func (p *plain) Int(i int64) error     { return p.put(i) }
func (p *plain) Float(f float64) error { return p.put(f) }
func (p *plain) String(s string) error { return p.put(s) }

func (p *plain) Key(key string) error {
	p.stack[len(p.stack)-1].key = key
	return nil
}

func (p *plain) List(n int) error {
	p.stack = append(p.stack, container{list: make([]any, 0, n), left: n})
	return p.close()
}

func (p *plain) Dict(n int) error {
	p.stack = append(p.stack, container{dict: make(map[string]any, n), left: n})
	return p.close()
}

func (p *plain) put(v any) error {
	if len(p.stack) == 0 {
		p.root = v
		return nil
	}
	top := &p.stack[len(p.stack)-1]
	top.left--
	if top.dict != nil {
		top.dict[top.key] = v
	} else {
		top.list = append(top.list, v)
	}
	return p.close()
}

// close hands a container that has become full to the one around it.
func (p *plain) close() error {
	top := p.stack[len(p.stack)-1]
	if top.left > 0 {
		return nil
	}
	p.stack = p.stack[:len(p.stack)-1]
	if top.dict != nil {
		return p.put(top.dict)
	}
	return p.put(top.list)
}
