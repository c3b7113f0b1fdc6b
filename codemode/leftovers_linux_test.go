package codemode_test

import "testing"

// expectNoChildren fails when this process has a child, living or not reaped.
func expectNoChildren(t *testing.T) {
	t.Helper()
	if running, zombies := children(t); len(running)+len(zombies) > 0 {
		t.Errorf("got children %v and zombies %v, want none", running, zombies)
	}
}
