// Package linediff compares two texts line by line and counts what git
// counts.
//
//	script := linediff.Compare(before, after)
//	added, removed := script.Counts()
//
// The number of lines that a diff adds and removes is not a property of the
// two texts: a diff need not be minimal, and git's is not. To name the numbers
// of "git diff --numstat" one has to take git's shortcuts too. They are the
// greedy algorithm of Myers ("An O(ND) Difference Algorithm and Its
// Variations", Algorithmica 1986) in linear space, preceded by the removal of
// lines that cannot or should not match, and cut short once a comparison has
// become expensive. discard.go and middle.go name each of them.
//
// git then slides groups of changed lines up or down to where they read best.
// That changes no number, so it is left out: a unified diff made here is valid
// and counts like git's, but may place a hunk a few lines away.
//
// Nothing here keeps state; all functions may be called concurrently.
package linediff
