# Builtins about times that are given are deterministic, and stay.
# decision: data.p.allow
# arguments: {"key":"2026-01-02T15:04:05Z"}
# want: allow

package p

default allow := false

allow if time.weekday(time.parse_rfc3339_ns(input.arguments.key)) == "Friday"
