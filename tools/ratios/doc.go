// Package ratios measures what programs cost as ratios to what any design with a
// process for each program has to pay. "codemode bench" prints them.
//
// All terms are measured in turn, in the same rounds, and their medians divided:
// machines differ and drift, the ratios hold. Two of the ratios are about hosts
// that link nothing but the facade; such a host, package host, is built and
// started beside the measuring binary where there is a go command.
package ratios
