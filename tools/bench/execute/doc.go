// Package execute measures executions in a host that links OPA, whose start is
// the heaviest that a worker can have.
package execute
