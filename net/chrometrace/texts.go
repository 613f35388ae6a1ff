package chrometrace

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// The kinds of texts with collectors.
const (
	ofThreads = iota
	ofTasks
)

// noText is the text of an end without a name; moreText stands for names beyond the room.
const (
	noText   = ^uint32(0)
	moreText = 0
)

// texts gives each string of a file a number, and names their collectors and call paths.
type texts struct {
	room   *feed.Names
	define func(model.Change)
	limit  func(problem)

	byRaw  map[string]uint32 // as they stand in the file
	byText map[string]uint32
	list   []string

	// collectors are those of threads, and of asynchronous spans, which are no calls: by number of the text, 0:
	// none yet. kind selects one of both.
	collectors [2][]model.CollectorID
	kind       int
	next       model.CollectorID
	paths      map[uint64]model.PathID
	owner      []model.CollectorID // the collector of each path
}

// Collectors that every session has.
const (
	rootCollector model.CollectorID = iota
	moreCollector
)

// mostCollectors and mostPaths are the limits of collectors in the store and of distinct call paths.
const (
	mostCollectors = 1<<16 - 16
	mostPaths      = 1 << 20
)

func newTexts(room *feed.Names, define func(model.Change), limit func(problem)) *texts {
	t := &texts{
		room: room, define: define, limit: limit, byRaw: map[string]uint32{}, byText: map[string]uint32{},
		list: []string{feed.MoreNames}, collectors: [2][]model.CollectorID{{moreCollector}, {moreCollector}},
		next:  moreCollector + 1,
		paths: map[uint64]model.PathID{}, owner: []model.CollectorID{rootCollector},
	}
	define(model.CollectorDef{ID: rootCollector, Name: "All spans", Sort: -1})
	define(model.CollectorDef{ID: moreCollector, Name: feed.MoreNames, Sort: -1})
	return t
}

// of returns the number of a string that stands in the file.
func (t *texts) of(raw []byte) uint32 {
	if n, ok := t.byRaw[string(raw)]; ok {
		return n
	}
	if !t.room.Take(int64(2*min(len(raw), trace.MaxText) + 160)) {
		t.limit(noNames)
		return moreText
	}
	s := trace.JSONText(raw)
	n, ok := t.byText[s]
	switch {
	case len(raw) <= trace.MaxText && strings.ContainsRune(s, utf8.RuneError): // others that are no UTF-8 may be shown alike, and are others
		n = t.add(s)
	case !ok:
		n = t.add(s)
		t.byText[s] = n
	}
	if len(raw) <= trace.MaxText {
		t.byRaw[string(raw)] = n
	}
	return n
}

// add adds a text to the list.
func (t *texts) add(s string) uint32 {
	t.list = append(t.list, s)
	for k := range t.collectors {
		t.collectors[k] = append(t.collectors[k], 0)
	}
	return uint32(len(t.list) - 1)
}

// collector returns the collector with name n.
func (t *texts) collector(n uint32) model.CollectorID {
	known := t.collectors[t.kind]
	c := known[n]
	if c != 0 {
		return c
	}
	def := model.CollectorDef{ID: t.next, Name: cmp.Or(t.list[n], "(no name)"), Parent: rootCollector, Sort: -1}
	if t.next >= mostCollectors || !t.room.Admit(def) {
		t.limit(noNames)
		known[n] = moreCollector
		return moreCollector
	}
	t.next++
	t.define(def)
	known[n] = def.ID
	return def.ID
}

// path returns the call path of name n below parent.
func (t *texts) path(parent model.PathID, n uint32) model.PathID {
	c := t.collector(n)
	key := uint64(parent)<<32 | uint64(c)
	if p, ok := t.paths[key]; ok {
		return p
	}
	def := model.PathDef{ID: model.PathID(len(t.owner)), Parent: parent, Collector: c}
	// Of outermost ones there are no more than names, which had to be let in already.
	if parent != model.PathRoot && (len(t.owner) > mostPaths || !t.room.Admit(def)) {
		t.limit(noPaths)
		return parent
	}
	t.define(def)
	t.paths[key] = def.ID
	t.owner = append(t.owner, c)
	return def.ID
}
