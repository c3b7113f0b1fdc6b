// Package sandbox runs jobs in worker processes that can do nothing but compute.
package sandbox
