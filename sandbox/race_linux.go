//go:build race

package sandbox

// The race detector's shadow memory collides with a limit of the address space.
const raceEnabled = true
