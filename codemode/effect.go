package codemode

// An Effect says what a call of a capability may change in the world. It is
// one of the kinds below, with EffectIdempotent added where a repeated call
// with the same arguments changes nothing further:
//
//	Effect: codemode.EffectDestructive | codemode.EffectIdempotent
type Effect uint8

const (
	// EffectUnknown is the zero value: nothing is promised.
	EffectUnknown Effect = iota
	// EffectReadOnly changes nothing.
	EffectReadOnly
	// EffectAdditive only adds; nothing that was there is changed or lost.
	EffectAdditive
	// EffectDestructive may change or remove what was there.
	EffectDestructive

	// EffectIdempotent is a flag to be added to a kind.
	EffectIdempotent Effect = 1 << 7
)

// kind returns e without its flag; a value that is no kind is unknown.
func (e Effect) kind() Effect {
	if k := e &^ EffectIdempotent; k <= EffectDestructive {
		return k
	}
	return EffectUnknown
}

// ReadOnly reports whether a call is known to change nothing.
func (e Effect) ReadOnly() bool { return e.kind() == EffectReadOnly }

// Destructive reports whether a call may change or remove what was there. An
// unknown effect may.
func (e Effect) Destructive() bool {
	return e.kind() == EffectDestructive || e.kind() == EffectUnknown
}

// Idempotent reports whether a repeated call with the same arguments is known
// to change nothing further. Reading is idempotent without the flag.
func (e Effect) Idempotent() bool { return e&EffectIdempotent != 0 || e.ReadOnly() }

// String returns the kind, and ", idempotent" where the flag is set.
func (e Effect) String() string {
	name := [...]string{"unknown", "read-only", "additive", "destructive"}[e.kind()]
	if e&EffectIdempotent != 0 {
		name += ", idempotent"
	}
	return name
}

// valid reports whether e is a kind with or without the flag.
func (e Effect) valid() bool { return e&^EffectIdempotent <= EffectDestructive }

// combine returns the effect of a program that may make calls of both effects.
// Idempotence does not survive: a program may read a value and write the next.
func (e Effect) combine(other Effect) Effect {
	a, b := e.kind(), other.kind()
	if a == EffectUnknown || b == EffectUnknown {
		return EffectUnknown
	}
	return max(a, b)
}
