package gsttrace

import (
	"bytes"
)

// maxLeakTypes bounds the types that are kept.
const maxLeakTypes = 1 << 14

// leakTable counts the objects that the leaks tracer lists, by type.
//
// The same record, object-alive, stands for a leak at the end of the program and for a mere listing
// on a signal. Where lines of the category leaks are in the log, its line "destroying tracer" parts
// the two. Otherwise a listing is the end's if no record of another tracer follows it.
type leakTable struct {
	types      map[string]*leakCount
	open       bool // there are undecided objects
	headings   bool // lines of the category leaks are in the log
	destroying bool
}

type leakCount struct {
	LeakType
	open int64 // alive, perhaps leaked
}

func (l *leakTable) of(name []byte) *leakCount {
	t := l.types[string(name)]
	if t == nil {
		if l.types == nil {
			l.types = map[string]*leakCount{}
		}
		if len(l.types) >= maxLeakTypes {
			name = []byte("(other types)")
			if t = l.types[string(name)]; t != nil {
				return t
			}
		}
		t = &leakCount{LeakType: LeakType{Type: string(name)}}
		l.types[t.Type] = t
	}
	return t
}

func (l *leakTable) count(kind recordKind, typ []byte) {
	t := l.of(typ)
	switch kind {
	case aliveRecord:
		if l.destroying {
			t.Leaked++
		} else {
			t.open++
			l.open = true
		}
	case refingsRecord:
		t.References++
	case addedRecord:
		t.Added++
	case removedRecord:
		t.Removed++
	}
}

// close counts the open objects as listed: the program went on.
func (l *leakTable) close() {
	l.open = false
	for _, t := range l.types {
		t.Listed += t.open
		t.open = 0
	}
}

// line reads a line of the category leaks.
func (l *leakTable) line(e *LogEntry) {
	if bytes.Contains(e.Message, []byte("destroying tracer")) {
		l.close()
		l.headings, l.destroying = true, true
	} else if bytes.Contains(e.Message, []byte("currently alive objects")) {
		l.headings = true
	}
}

// all returns the types, with open objects counted as leaked or listed.
func (l *leakTable) all() (list []LeakType) {
	for _, t := range l.types {
		out := t.LeakType
		if l.headings {
			out.Listed += t.open
		} else {
			out.Leaked += t.open
		}
		list = append(list, out)
	}
	return list
}
