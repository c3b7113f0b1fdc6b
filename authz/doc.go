// Package authz defines who calls and whether a call may go ahead.
package authz
