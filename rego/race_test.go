//go:build race

package rego_test

const raceEnabled = true
