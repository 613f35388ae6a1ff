package gsttrace

import (
	"strconv"

	"framescope/model"
)

// thread is one thread of a process, and its track.
type thread struct {
	p       *process
	key     string // the text of the log's column
	id      uint64 // its thread-id, when pointer or learned is set
	pointer bool   // the column is the address of the thread
	learned bool   // id was learned from a record
	number  int    // by appearance in the process
	main    bool
	track   model.TrackID
	name    string // the best one by now, with a number where several have it; empty: none yet
	base    string // name without the number
	owner   string // element that entered it: the best name
	best    *group // link that it pushed most buffers over
	pushes  int64
	groups  []*group // named after it

	calls calls // of the log tracer, or queries of the stats tracer

	run      messageRun
	capsFrom *object // a pad from which caps were sent, until its peer takes them
}

// bestName returns the best known name of the thread (FORMAT.md section 8.1).
func (t *thread) bestName() string {
	switch {
	case t.owner != "":
		return t.owner
	case t.main:
		return "main"
	case t.best != nil && t.best.source != nil:
		return t.best.source.fullName()
	}
	return ""
}

// title returns the name, or a substitute while there is none.
func (t *thread) title() string {
	if t.name != "" {
		return t.name
	}
	return "thread " + t.key
}

func (t *thread) def() model.TrackDef {
	return model.TrackDef{
		ID: t.track, Name: Label(t.title() + t.p.suffix()), Kind: model.TrackThread, Index: t.number,
		Process: t.p.title,
	}
}

// define defines the track again, and the series that are named after it.
func (t *thread) define() {
	if t.track == model.NoTrack {
		return
	}
	t.p.m.out.Define(t.def())
	for _, g := range t.groups {
		g.rename()
	}
}

// rename gives the thread its best name by now. Threads of one name get numbers: an element with
// several pads has a thread for each.
func (t *thread) rename() {
	best := t.bestName()
	if best == "" || best == t.base {
		return
	}
	t.base, t.name = best, best
	t.p.titles[best]++
	if n := t.p.titles[best]; n > 1 {
		t.name += " #" + strconv.Itoa(n)
	}
	t.define()
}

// entered takes the element that a stream-status message says has entered the thread. Threads of a
// pool get a new owner now and then: the first one stays, since most tasks live as long as their
// pipeline.
func (t *thread) entered(owner string) {
	if t.owner == "" && owner != "" {
		t.owner = owner
		t.rename()
	}
}

// pushed counts a buffer that the thread pushed over a link, for its name. The name is looked at
// after 1, 2, 4, 8… buffers.
func (t *thread) pushed(g *group) {
	if g.thread != t {
		g.thread, g.threadCount = t, 0
	}
	g.threadCount++
	if t.best == nil || g.threadCount > t.best.threadCount {
		t.best = g
	}
	t.pushes++
	if t.owner == "" && !t.main && t.pushes&(t.pushes-1) == 0 {
		t.rename()
	}
}
