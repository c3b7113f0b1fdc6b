//go:build !race

package rego_test

const raceEnabled = false
