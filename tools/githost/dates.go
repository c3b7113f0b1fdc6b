package githost

import (
	"fmt"
	"time"
)

// parseDate reads a moment as a program gives it: "2026-01-31" is that day's
// start in UTC. The relative forms of git ("two weeks ago") are left out, because
// their meaning changes while a program runs.
func parseDate(name, value string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, value); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: %s: got %q, want a date (2026-01-31) or a time (2026-01-31T12:00:00Z)", ErrArgument, name, value)
}

// formatDate writes a moment in UTC, so that dates sort as strings.
func formatDate(t time.Time) string { return t.UTC().Format(time.RFC3339) }
