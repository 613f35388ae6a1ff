package firefox

import "framescope/net/trace"

// tables are those of a thread, or shared by all of them.
type tables struct {
	strings   texts
	stacks    stackTable
	frames    frameTable
	funcs     funcTable
	resources resourceTable
	files     []int32 // names of sources: strings

	hasStrings, hasStacks, hasFrames, hasFuncs, hasResources bool
}

// stackTable has for each stack its innermost frame, and the stack around it.
type stackTable struct {
	prefix, frame, category []int32
	offsets                 bool // prefix is how many rows before, 0: none
}

type frameTable struct{ fn, category, lib []int32 }

type funcTable struct{ name, resource, file, source, line []int32 }

type resourceTable struct{ lib, name []int32 }

// reset makes the tables empty, and keeps their capacity.
func (t *tables) reset() {
	t.strings.reset()
	clear2 := func(lists ...*[]int32) {
		for _, l := range lists {
			*l = (*l)[:0]
		}
	}
	s, f, n, x := &t.stacks, &t.frames, &t.funcs, &t.resources
	clear2(&s.prefix, &s.frame, &s.category, &f.fn, &f.category, &f.lib, &n.name, &n.resource, &n.file, &n.source, &n.line,
		&x.lib, &x.name, &t.files)
	s.offsets = false
	t.hasStrings, t.hasStacks, t.hasFrames, t.hasFuncs, t.hasResources = false, false, false, false, false
}

// read reads one of the tables if key names one.
func (t *tables) read(k *keeper, r *trace.Reader, key []byte) {
	table := func(columns map[string]*[]int32) bool {
		return r.Object(func(key []byte) {
			if list := columns[string(key)]; list != nil {
				*list = k.indexes(r, *list)
			}
		})
	}
	switch string(key) {
	case "stringArray", "stringTable":
		t.strings.read(k, r)
		t.hasStrings = true
	case "stackTable":
		s := &t.stacks
		t.hasStacks = r.Object(func(key []byte) {
			switch string(key) {
			case "prefix":
				s.prefix, s.offsets = k.indexes(r, s.prefix), false
			case "prefixOffset":
				s.prefix, s.offsets = k.indexes(r, s.prefix), true
			case "frame":
				s.frame = k.indexes(r, s.frame)
			case "category":
				s.category = k.indexes(r, s.category)
			}
		}) || len(s.frame) > 0
	case "frameTable":
		f := &t.frames
		t.hasFrames = table(map[string]*[]int32{"func": &f.fn, "category": &f.category, "lib": &f.lib}) || len(f.fn) > 0
	case "funcTable":
		n := &t.funcs
		t.hasFuncs = table(map[string]*[]int32{
			"name": &n.name, "resource": &n.resource, "fileName": &n.file, "source": &n.source, "lineNumber": &n.line,
		}) || len(n.name) > 0
	case "resourceTable":
		x := &t.resources
		t.hasResources = table(map[string]*[]int32{"lib": &x.lib, "name": &x.name}) || len(x.name) > 0
	case "sources":
		table(map[string]*[]int32{"filename": &t.files})
	}
}

// parent is the stack around a stack. ok is false where it is none that comes before.
func (s *stackTable) parent(i int32) (up int32, ok bool) {
	switch up = at(s.prefix, i); {
	case s.offsets && up == 0, up == none:
		return none, true
	case s.offsets:
		up = i - up
	}
	if up < 0 || up >= i {
		return none, false
	}
	return up, true
}
