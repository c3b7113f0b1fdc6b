// Package search ranks the documents of a catalog for short queries.
package search
