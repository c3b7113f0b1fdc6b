// Package wirebench compares the wire encoding of values with CBOR (fxamacker/cbor), MessagePack (vmihailenco/msgpack) and
// encoding/json. It holds benchmarks only:
//
//	go test -run '^$' -bench . ./bench/wire
//
// All four encode the same Go slice of structs into a reused buffer, by reflection: for wire the walk is that of package binding, so
// the row named wire is the path of a capability's result. All four decode into maps and slices. The rounds of the four alternate, and what is
// reported is the median of the ratios to encoding/json within one round.
package wirebench
