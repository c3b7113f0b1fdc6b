package binding
