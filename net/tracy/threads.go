package tracy

import (
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// thread is a thread of the program, a fiber, or another line of zones. Its track begins with its first data.
type thread struct {
	key     string
	def     model.TrackDef
	line    *trace.StackThread // nil: it has no data, or there is no room for it
	full    bool               // there is no room for it
	fiber   *thread            // that runs on it
	depth   int                // zones that go on
	zones   int                // that began
	frames  *frames            // that its zones are shown in
	samples *sampled           // nil: it has none so far
	named   []func()           // are called when its name changed
	arrows  []model.Flow       // wake-ups of it that are not yet published
}

// thread returns a thread by its number.
func (d *decoder) thread(id uint32) *thread {
	t := d.threads[id]
	if t == nil {
		if !d.hasRoom() {
			return &d.nobody
		}
		t = &thread{key: fmt.Sprintf("t%d", id), def: model.TrackDef{Name: fmt.Sprintf("Thread %d", id), Index: int(id)}}
		d.threads[id] = t
		if int64(id) == d.info.PID && d.main == nil { // as on Linux
			d.lead(t)
		}
		d.names.want(askThread, uint64(id), func(text string) {
			d.rename(t, text)
			if text == "Main thread" && d.main == nil { // as Tracy calls it
				d.lead(t)
			}
		})
	}
	return t
}

// hasRoom reports whether there is room for one more thread, fiber, lock, pool or the like, and counts it where there
// is none.
func (d *decoder) hasRoom() bool {
	if d.room.Take(thingBytes) {
		return true
	}
	d.bad.Bad(trace.NoMemoryForNames, d.at)
	return false
}

// thingBytes is the memory for each.
const thingBytes = 512

// open returns what takes the data of a thread, nil where there is no room for it.
func (t *thread) open(d *decoder) *trace.StackThread {
	if t.line != nil || t.full {
		return t.line
	}
	id, ok := d.names.table.Track(t.key, t.def)
	if t.full = !ok; !ok {
		d.bad.Bad(trace.ManyThreads, d.at)
		return nil
	}
	t.def.ID, t.line = id, d.lines.Calls(id)
	return t.line
}

// rename gives a thread the name that it has in the program.
func (d *decoder) rename(t *thread, name string) {
	if name = strings.TrimSpace(name); name != "" {
		t.def.Name = name
		d.redefine(t)
		for _, named := range t.named {
			named()
		}
	}
}

func (d *decoder) redefine(t *thread) {
	if t.line != nil {
		d.sink.Define(t.def)
	}
}

// running returns what the events of the present thread are of: the fiber that runs on it, or itself.
func (d *decoder) running() *thread {
	t := d.now
	if t == nil { // a program names a thread before its first event
		d.bad.Bad(trace.BadEvent, d.at)
		return &d.nobody
	}
	if t.fiber != nil {
		return t.fiber
	}
	return t
}

// fiberEvent lets a fiber run on a thread, or ends that.
func (d *decoder) fiberEvent(r *record) {
	d.relative(&d.ofThread, r.int("time"))
	t := d.thread(uint32(r.uint("thread")))
	if t.fiber = nil; r.is == fiberLeave {
		return
	}
	ptr := r.uint("fiber")
	f := d.fibers[ptr]
	if f == nil {
		if !d.hasRoom() {
			return
		}
		f = &thread{key: fmt.Sprintf("f%d", ptr), def: model.TrackDef{Name: fmt.Sprintf("Fiber %#x", ptr)}}
		d.fibers[ptr] = f
		d.names.want(askFiber, ptr, func(text string) { d.rename(f, text) })
	}
	t.fiber = f
}

// zoneEvent is a step of a zone, in order of time.
type zoneEvent struct {
	at    int64
	place *location // of a begin
	arg   model.Arg // of the innermost zone, if it has a key
}

// beginZone begins a zone of the present thread, at a time relative to the one before.
func (d *decoder) beginZone(by int64, place *location) {
	at := d.relative(&d.ofThread, by)
	d.zone(d.running(), zoneEvent{at: at, place: place})
}

// endZone ends the innermost zone of the present thread.
func (d *decoder) endZone(by int64) {
	at := d.relative(&d.ofThread, by)
	d.zone(d.running(), zoneEvent{at: at})
}

// zone takes a step of a zone. Those of a thread with frames wait until it is known in which frame they are.
func (d *decoder) zone(t *thread, e zoneEvent) {
	if t.frames != nil {
		t.frames.hold(d, e)
		return
	}
	t.apply(d, e)
}

func (t *thread) apply(d *decoder, e zoneEvent) {
	line := t.open(d)
	switch {
	case line == nil:
	case e.place != nil:
		t.depth++
		t.zones++
		line.Enter(e.at, d.names.table.Path(line.Path(), e.place.collector), 0)
	case t.depth == 0:
		d.bad.Bad(trace.UnmatchedEnd, d.at)
	case e.arg.Key != "":
		line.Arg(e.arg)
	default:
		t.depth--
		line.Leave(e.at, false)
	}
}

// describeZone takes a text, a name or a value of the innermost zone.
func (d *decoder) describeZone(r *record) {
	arg := model.Arg{Key: "text", Value: model.TextArg(trace.Shown(string(d.first)))}
	switch r.is {
	case zoneName:
		arg.Key = "name"
	case zoneValue:
		arg = model.Arg{Key: "value", Value: model.IntArg(r.int("value"))}
	}
	d.zone(d.running(), zoneEvent{at: d.ns(d.ofThread), arg: arg})
}

// sectionEvent takes the begin of a section, a named stretch of the program.
func (d *decoder) sectionEvent(r *record) {
	at := d.relative(&d.ofThread, r.int("time"))
	text := "end of a section"
	if r.is == sectionEnter {
		text = trace.Shown(string(d.first))
	}
	d.note(model.Message{Time: at, Text: text, Category: "section"})
}

// note takes a message of the present thread.
func (d *decoder) note(m model.Message) {
	if line := d.running().open(d); line != nil {
		line.Note(m)
	}
}

// close ends what goes on.
func (t *thread) close(d *decoder) {
	if t.frames != nil {
		t.frames.merge(d, true)
	}
	for ; t.depth > 0; t.depth-- {
		t.line.Leave(d.newest, true)
	}
	if f := t.frames; f != nil && f.begun && t.line != nil {
		t.line.Frame(trace.StackFrame{Number: f.number + 1, Begin: f.last, End: max(f.last, d.newest), Open: true})
	}
}
