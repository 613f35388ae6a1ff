// The table gives each string of a trace a number, and its collectors: by itself, and as a name in a group of the
// metadata. It knows the names of a session.

package perfetto

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// TextsMost is how many bytes a string has.
const TextsMost = 4096

// More stands for names that there was no room for, None for none.
const (
	More = 0
	None = 1
)

// The kinds of texts with collectors: calls of threads, and asynchronous spans, which are no calls.
const (
	OfThreads = iota
	OfTasks
)

// Table has the strings of a file.
type Table struct {
	// Reserve takes room for bytes; it returns false if there is none.
	Reserve func(bytes int64) bool
	// Refused is called for each string that did not fit.
	Refused func()

	by         map[string]uint32
	list       []string
	collectors [2][]model.CollectorID // by number of the text, 0: none yet
	members    map[member]uint32
	within     map[uint32]uint32 // group of a text, if metadata has it

	root    uint32                        // name of the root in the metadata, or None
	numbers []uint32                      // names of collectors in the metadata, by their numbers
	about   map[uint32]model.CollectorDef // what that is
}

// New returns a table without strings.
func New(reserve func(bytes int64) bool, refused func()) *Table {
	return &Table{
		Reserve: reserve, Refused: refused, by: map[string]uint32{"": None}, list: []string{feed.MoreNames, ""},
		members: map[member]uint32{}, within: map[uint32]uint32{}, root: None,
		about: map[uint32]model.CollectorDef{},
	}
}

// Text returns a string by its number.
func (t *Table) Text(n uint32) string { return t.list[n] }

// Known returns the number of a string that was in the file as it is.
func (t *Table) Known(text string) (n uint32, ok bool) {
	n, ok = t.by[text]
	return n, ok
}

// Of returns the number of a string that stands in the file.
func (t *Table) Of(raw []byte) uint32 {
	raw = raw[:min(len(raw), TextsMost)]
	if n, ok := t.by[string(raw)]; ok {
		return n
	}
	if !t.Reserve(int64(2*len(raw) + 128)) {
		t.Refused()
		return More
	}
	n := uint32(len(t.list))
	s := trace.Text(string(raw))
	t.list = append(t.list, s)
	key := s
	if s != string(raw) {
		key = string(raw)
	}
	t.by[key] = n
	return n
}

// member is a name in a group.
type member struct{ group, name uint32 }

// In returns the number of a name as one in another.
func (t *Table) In(group, name uint32) uint32 {
	if group == More || name == More {
		return name
	}
	m := member{group, name}
	n, ok := t.members[m]
	if !ok {
		if !t.Reserve(192) {
			t.Refused()
			return name
		}
		n = uint32(len(t.list))
		t.list = append(t.list, t.list[name])
		t.members[m], t.within[n] = n, group
	}
	return n
}

// Raw returns a string by its number.
func (t *Table) Raw(n uint32) []byte { return []byte(t.list[n]) }

// Collector returns the collector with name n.
func (t *Table) Collector(table *trace.Table, kind int, n uint32) model.CollectorID {
	known := t.collectors[kind]
	if int(n) >= len(known) {
		known = append(known, make([]model.CollectorID, len(t.list)-len(known))...)
		t.collectors[kind] = known
	}
	if n == t.root && n != None && kind == OfThreads {
		return trace.Root
	}
	if known[n] == 0 {
		if n == More {
			known[n] = trace.Other
			return trace.Other
		}
		name := t.list[n]
		def := t.about[n]
		def.Name = name
		key := strings.Repeat("\x00", kind) + name
		if strings.ContainsRune(name, utf8.RuneError) { // others that are no UTF-8 may be shown alike, and are others
			key += fmt.Sprintf("\x00%d", n)
		}
		if group, ok := t.within[n]; ok {
			key = fmt.Sprintf("\x00\x00%d\x00%s", group, key)
			if def.Parent = t.Collector(table, kind, group); def.Parent == trace.Other {
				def.Parent = trace.Root
			}
			known = t.collectors[kind]
		}
		known[n] = table.Keyed([]byte(key), func() model.CollectorDef { return def })
		if _, told := t.about[n]; told && known[n] != trace.Other {
			def.ID = known[n]
			table.Redefine(def)
		}
	}
	return known[n]
}

// SetRoot calls the collector so that all others lie below: calls of that name are its own.
func (t *Table) SetRoot(n uint32) { t.root = n }

// Root returns the metadata of the root, false if there is none.
func (t *Table) Root() (def model.CollectorDef, ok bool) {
	if def, ok = t.about[t.root]; !ok {
		def.Sort = -1
	}
	def.ID, def.Name = trace.Root, t.list[t.root]
	return def, t.root != None
}

// Tell takes the metadata of a collector: its number, its group's number and its name.
func (t *Table) Tell(number, in int, name uint32, def model.CollectorDef) bool {
	if number != len(t.numbers) || in >= number && number > 0 {
		return false
	}
	if number > 0 && in > 0 {
		name = t.In(t.numbers[in], name)
	}
	t.numbers, t.about[name] = append(t.numbers, name), def
	return true
}

// Told returns the name of a collector of the metadata, More if there is none.
func (t *Table) Told(number int) (n uint32) {
	if number >= len(t.numbers) {
		return More
	}
	return t.numbers[number]
}

// Frame is names.Frame of a string.
func (t *Table) Frame(n uint32) (digits []byte, ok bool) {
	if s := t.list[n]; len(s) < 5 || s[0]|0x20 != 'f' {
		return nil, false
	}
	return trace.Frame(t.Raw(n))
}
