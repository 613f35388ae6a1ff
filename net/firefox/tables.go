package firefox

// tables are those of a thread, or shared by all of them. A table is there if it has rows.
type tables struct {
	strings texts
	// A stack has its innermost frame, and the stack around it: prefix, or offset, which is how many rows before that is.
	stackPrefix, stackOffset, stackFrame, stackCategory    []int32
	frameFunc, frameCategory, frameLib                     []int32
	funcName, funcResource, funcFile, funcSource, funcLine []int32
	resourceLib, resourceName                              []int32
	files                                                  []int32 // names of sources: strings
}

// fields are where the tables stand.
func (t *tables) fields() fields {
	return fields{
		"stringArray": &t.strings, "stringTable": &t.strings,
		"stackTable": fields{
			"prefix": &t.stackPrefix, "prefixOffset": &t.stackOffset, "frame": &t.stackFrame, "category": &t.stackCategory,
		},
		"frameTable": fields{"func": &t.frameFunc, "category": &t.frameCategory, "lib": &t.frameLib},
		"funcTable": fields{
			"name": &t.funcName, "resource": &t.funcResource, "fileName": &t.funcFile, "source": &t.funcSource,
			"lineNumber": &t.funcLine,
		},
		"resourceTable": fields{"lib": &t.resourceLib, "name": &t.resourceName},
		"sources":       fields{"filename": &t.files},
	}
}

// reset makes the tables empty, and keeps their capacity.
func (t *tables) reset() {
	t.strings.reset()
	for _, l := range []*[]int32{
		&t.stackPrefix, &t.stackOffset, &t.stackFrame, &t.stackCategory, &t.frameFunc, &t.frameCategory, &t.frameLib,
		&t.funcName,
		&t.funcResource, &t.funcFile, &t.funcSource, &t.funcLine, &t.resourceLib, &t.resourceName, &t.files,
	} {
		*l = (*l)[:0]
	}
}

// parent is the stack around a stack. ok is false where it is none that comes before.
func (t *tables) parent(i int32) (up int32, ok bool) {
	if len(t.stackOffset) > 0 {
		if up = at(t.stackOffset, i); up <= 0 {
			return none, true
		}
		up = i - up
	} else if up = at(t.stackPrefix, i); up == none {
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
	if !own(len(t.stackFrame) > 0) {
		t.stackPrefix, t.stackOffset = all.stackPrefix, all.stackOffset
		t.stackFrame, t.stackCategory = all.stackFrame, all.stackCategory
	}
	if !own(len(t.frameFunc) > 0) {
		t.frameFunc, t.frameCategory, t.frameLib = all.frameFunc, all.frameCategory, all.frameLib
	}
	if !own(len(t.funcName) > 0) {
		t.funcName, t.funcResource, t.funcFile = all.funcName, all.funcResource, all.funcFile
		t.funcSource, t.funcLine = all.funcSource, all.funcLine
	}
	if !own(len(t.resourceLib)+len(t.resourceName) > 0) {
		t.resourceLib, t.resourceName = all.resourceLib, all.resourceName
	}
	t.files = all.files
	return t, shared
}
