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
