// Package deploy holds manifests for running docs/examples/httphost on more
// than one machine, and the tests that hold them against the Kubernetes API and
// against real processes behind nginx.
package deploy
