package perfetto

import (
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/names"
	"framescope/net/perfetto/faults"
)

// moreText stands for names that there was no room for, noText for none.
const (
	moreText = 0
	noText   = 1
)

// The kinds of what has collectors: calls of threads, and what is asynchronous, which is no call.
const (
	ofThreads = iota
	ofTasks
)

// texts gives each string of a file a number, and its collectors.
type texts struct {
	d          *decoder
	by         map[string]uint32
	list       []string
	collectors [2][]model.CollectorID // by number of the text, 0: none yet
}

func newTexts(d *decoder) *texts {
	return &texts{d: d, by: map[string]uint32{"": noText}, list: []string{feed.MoreNames, ""}}
}

// of returns the number of a string that stands in the file.
func (t *texts) of(raw []byte) uint32 {
	raw = raw[:min(len(raw), mostText)]
	if n, ok := t.by[string(raw)]; ok {
		return n
	}
	if !t.d.reserve(int64(2*len(raw) + 128)) {
		t.d.faults.Count(faults.NoNames, t.d.at)
		return moreText
	}
	n := uint32(len(t.list))
	s := names.Text(string(raw))
	t.list = append(t.list, s)
	key := s
	if s != string(raw) {
		key = string(raw)
	}
	t.by[key] = n
	return n
}

// raw returns a string by its number.
func (t *texts) raw(n uint32) []byte { return []byte(t.list[n]) }

// collector returns the collector of what is called so.
func (t *texts) collector(table *names.Table, kind int, n uint32) model.CollectorID {
	known := t.collectors[kind]
	if int(n) >= len(known) {
		known = append(known, make([]model.CollectorID, len(t.list)-len(known))...)
		t.collectors[kind] = known
	}
	if known[n] == 0 {
		if n == moreText {
			known[n] = names.Other
			return names.Other
		}
		name := t.list[n]
		key := strings.Repeat("\x00", kind) + name
		known[n] = table.Keyed([]byte(key), func() model.CollectorDef { return model.CollectorDef{Name: name} })
	}
	return known[n]
}
