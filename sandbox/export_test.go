package sandbox

// WithArguments returns options whose workers get arguments more. Test binaries give them a meaning.
func WithArguments(o Options, arguments ...string) Options {
	o.extraArguments = append(o.extraArguments[:len(o.extraArguments):len(o.extraArguments)], arguments...)
	return o
}
