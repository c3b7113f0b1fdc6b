package regotest

// Check returns what is wrong with e for c, or "".
func Check(c Case, e Explanation) string { return c.check(e) }
