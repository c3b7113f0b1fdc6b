package rego
