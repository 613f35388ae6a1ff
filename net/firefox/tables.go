package firefox

// tables are those of a thread, or shared by all of them. A table is there if it has rows.
type tables struct {
	strings texts
	// A stack has its innermost frame, and the stack around it: prefix, or offset, which is how many rows before that is.
	stack    struct{ prefix, offset, frame, category []int32 }
	frame    struct{ fn, category, lib []int32 }
	fn       struct{ name, resource, file, source, line []int32 }
	resource struct{ lib, name []int32 }
	files    []int32 // names of sources: strings
}

// fields are where the tables stand.
func (t *tables) fields() fields {
	return fields{
		"stringArray": &t.strings, "stringTable": &t.strings,
		"stackTable": fields{
			"prefix": indexes(&t.stack.prefix), "prefixOffset": indexes(&t.stack.offset), "frame": indexes(&t.stack.frame),
			"category": indexes(&t.stack.category),
		},
		"frameTable": fields{
			"func": indexes(&t.frame.fn), "category": indexes(&t.frame.category), "lib": indexes(&t.frame.lib),
		},
		"funcTable": fields{
			"name": indexes(&t.fn.name), "resource": indexes(&t.fn.resource), "fileName": indexes(&t.fn.file),
			"source": indexes(&t.fn.source), "lineNumber": indexes(&t.fn.line),
		},
		"resourceTable": fields{"lib": indexes(&t.resource.lib), "name": indexes(&t.resource.name)},
		"sources":       fields{"filename": indexes(&t.files)},
	}
}

// parent is the stack around a stack. ok is false where it is none that comes before.
func (t *tables) parent(i int32) (up int32, ok bool) {
	if len(t.stack.offset) > 0 {
		if up = at(t.stack.offset, i); up <= 0 {
			return none, true
		}
		up = i - up
	} else if up = at(t.stack.prefix, i); up == none {
		return none, true
	}
	if up < 0 || up >= i {
		return none, false
	}
	return up, true
}

// or returns the tables of a thread, and those of all in place of what it has not.
func (t tables) or(all *tables) (both tables, shared bool) {
	shared = true
	own := func(there bool) bool {
		shared = shared && !there
		return there
	}
	if !own(len(t.strings.ends) > 0) {
		t.strings = all.strings
	}
	if !own(len(t.stack.frame) > 0) {
		t.stack = all.stack
	}
	if !own(len(t.frame.fn) > 0) {
		t.frame = all.frame
	}
	if !own(len(t.fn.name) > 0) {
		t.fn = all.fn
	}
	if !own(len(t.resource.lib)+len(t.resource.name) > 0) {
		t.resource = all.resource
	}
	t.files = all.files
	return t, shared
}
