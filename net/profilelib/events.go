package profilelib

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// maxText bounds a message in bytes: the store keeps no more.
const maxText = 64 << 10

// event is an event at an instant of a thread: a message, a step of a lock, the end of a frame, or our
// own remark.
type event struct {
	timeNs   int64
	counter  int64 // of a frame
	kind     Kind
	woken    bool // the wait for lock was over by now
	severity model.Severity
	category string
	text     string // of a message
	lock     model.CollectorID
}

// message is one that may go on in the next record.
type message struct {
	th     *thread
	kind   Kind
	number uint32 // of its last piece
	timeNs int64
	text   []byte
	cut    bool
}

// takeMessage takes a piece of a message. at is the record's text.
func (d *Decoder) takeMessage(th *thread, kind Kind, parent, number uint32, timeNs int64, text []byte) {
	m := &d.message
	if kind.More() {
		if m.th == th && m.kind == kind.Base() && m.number == parent {
			m.number = number
			if len(m.text)+len(text) <= maxText {
				m.text = append(m.text, text...)
			} else {
				m.cut = true
			}
			return
		}
		d.finishMessage()
		d.bad.Bad(trace.BadReference, trace.Unknown)
		return
	}
	d.finishMessage()
	*m = message{th: th, kind: kind, number: number, timeNs: timeNs, text: append(m.text[:0], text...)}
}

// finishMessage puts the message into its thread's group, now that all of it is there. Its bytes
// are text only when joined: pieces are cut inside characters.
func (d *Decoder) finishMessage() {
	m := &d.message
	if m.th == nil {
		return
	}
	e := event{timeNs: m.timeNs, kind: m.kind}
	if m.cut {
		d.bad.Bad(trace.LongText, trace.Unknown)
	}
	text := strings.ToValidUTF8(string(m.text), "�")
	if m.kind == Log {
		e.text = text
	} else {
		e.lock = d.names.lock(text)
	}
	m.th.group.events = append(m.th.group.events, e)
	m.th = nil
}

// note puts our own remark into the session: on the main thread, or on th when there is none.
func (d *Decoder) note(th *thread, timeNs int64, severity model.Severity, text string) {
	if d.main != nil {
		th = d.main
	}
	if th == nil || d.notes >= maxNotes {
		return
	}
	d.notes++
	d.openGroup(th)
	th.group.events = append(th.group.events, event{
		timeNs: max(timeNs, th.final), kind: Log, severity: severity, category: noteCategory, text: text,
	})
}

// maxNotes bounds the remarks in a session; losses are counted beyond.
const maxNotes = 1 << 10

// noteCategory marks our own remarks, apart from the program's log messages.
const noteCategory = "profile stream"

// sortEvents puts the events of a group in order of time: they came backwards, most of them.
func (th *thread) sortEvents() {
	slices.Reverse(th.group.events)
	slices.SortStableFunc(th.group.events, func(a, b event) int { return cmp.Compare(a.timeNs, b.timeNs) })
}

// eventWithin reports whether anything of the thread happened after one time and before another.
func (th *thread) eventWithin(after, before int64) bool {
	list := th.group.events
	i := sort.Search(len(list), func(i int) bool { return list[i].timeNs > after })
	return i < len(list) && list[i].timeNs < before || after < th.eventNs && th.eventNs < before
}

// settleEvents adds the ends of waits to the events of a group, which are in order: a wait was over
// by the next that is known of its thread, be it the begin or end of a block or another message.
// nodes are in order of begin; ends is scratch.
func (th *thread) settleEvents(nodes []node, ends *[maxDepth + 2]int64) {
	g := &th.group
	if len(g.events) == 0 && !th.waiting {
		return
	}
	if n := len(g.events); n > 0 {
		th.eventNs = max(th.eventNs, g.events[n-1].timeNs)
	}
	if th.waiting && len(nodes)+len(g.events) > 0 {
		at := int64(maxTime)
		if len(nodes) > 0 {
			at = nodes[0].start
		}
		if len(g.events) > 0 {
			at = min(at, g.events[0].timeNs)
		}
		th.events = append(th.events, event{timeNs: at, kind: Wait, woken: true, lock: th.waitLock})
		th.waiting = false
	}
	depth, next := -1, 0
	for i := range g.events {
		e := &g.events[i]
		th.events = append(th.events, *e)
		if e.kind != Wait {
			continue
		}
		for ; next < len(nodes) && nodes[next].start <= e.timeNs; next++ {
			depth = int(nodes[next].depth)
			ends[depth] = nodes[next].end
		}
		for depth >= 0 && ends[depth] < e.timeNs {
			depth--
		}
		at := int64(maxTime)
		if i+1 < len(g.events) {
			at = g.events[i+1].timeNs
		}
		if next < len(nodes) {
			at = min(at, nodes[next].start)
		}
		if depth >= 0 {
			at = min(at, ends[depth])
		}
		if at == maxTime {
			th.waiting, th.waitLock = true, e.lock
			continue
		}
		th.events = append(th.events, event{timeNs: at, kind: Wait, woken: true, lock: e.lock})
	}
}

// lockKind translates the kind of a message about a lock.
func lockKind(k Kind) model.LockKind {
	switch k {
	case TryLock:
		return model.LockTry
	case Lock:
		return model.LockAcquired
	case Unlock:
		return model.LockReleased
	case Wait:
		return model.LockWait
	}
	return model.LockSignal
}
