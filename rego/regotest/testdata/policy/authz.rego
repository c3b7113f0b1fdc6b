package codemode.authz

import data.roles

default allow := false

# METADATA
# title: readers may look up
allow if {
	roles.is_reader
	input.capability.id == "records.entry.lookup"
}

allow if {
	input.subject.id == "root"
} else := false if {
	input.subject.id == "toor"
}

allow if small(input.arguments.limit)

allow if 1 / input.arguments.divisor > 1

small(limit) if limit < 10
