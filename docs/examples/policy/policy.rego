package library.authz

default allow := false

librarians := {"grace"}

# METADATA
# title: everybody may look for books
allow if input.capability.id == "books.find"

# METADATA
# title: readers borrow in their own name, three weeks at most
allow if {
	input.capability.id == "books.borrow"
	input.arguments.reader == input.subject.id
	object.get(input.arguments, "days", 21) <= 21
}

# METADATA
# title: librarians may do everything with books
allow if {
	startswith(input.capability.id, "books.")
	input.subject.id in librarians
}
