# Who may call what. The input has subject.id, capability.id, capability.name
# and arguments; the decision is data.orders.allow.
package orders

default allow := false

# Everybody with a valid token may read orders.
allow if startswith(input.capability.id, "orders.")

# Contact details are personal: only support may see them.
allow if {
	input.capability.id == "customers.contact"
	input.subject.id in support
}

support := {"support@example.com"}
