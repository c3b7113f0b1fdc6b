// Package rego is an [authz.Authorizer] whose decisions are written in Rego.
package rego
