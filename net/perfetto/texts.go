// The table gives each string of a trace a number, and its collectors. It knows the names of a session.

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
}

// New returns a table without strings.
func New(reserve func(bytes int64) bool, refused func()) *Table {
	return &Table{
		Reserve: reserve, Refused: refused, by: map[string]uint32{"": None}, list: []string{feed.MoreNames, ""},
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

// Raw returns a string by its number.
func (t *Table) Raw(n uint32) []byte { return []byte(t.list[n]) }

// Collector returns the collector with name n.
func (t *Table) Collector(table *trace.Table, kind int, n uint32) model.CollectorID {
	known := t.collectors[kind]
	if int(n) >= len(known) {
		known = append(known, make([]model.CollectorID, len(t.list)-len(known))...)
		t.collectors[kind] = known
	}
	if known[n] == 0 {
		if n == More {
			known[n] = trace.Other
			return trace.Other
		}
		name := t.list[n]
		key := strings.Repeat("\x00", kind) + name
		if strings.ContainsRune(name, utf8.RuneError) { // others that are no UTF-8 may be shown alike, and are others
			key += fmt.Sprintf("\x00%d", n)
		}
		known[n] = table.Keyed([]byte(key), func() model.CollectorDef { return model.CollectorDef{Name: name} })
	}
	return known[n]
}

// Frame is names.Frame of a string.
func (t *Table) Frame(n uint32) (digits []byte, ok bool) {
	if s := t.list[n]; len(s) < 5 || s[0]|0x20 != 'f' {
		return nil, false
	}
	return trace.Frame(t.Raw(n))
}
