package roles

is_reader if input.subject.id in {"alice"}

# Nobody asks for this one.
is_writer if input.subject.id in {"alice"}
