package tracy

import (
	"cmp"

	"framescope/model"
	"framescope/net/trace"
)

// Marks of frames come by another way than zones, earlier or later. Both ways keep their order, so the zones of the
// thread with the frames wait until a later mark came, and a mark until a later step of a zone did. Neither waits
// for ever: zones not behind mostHeld others or data of a second later, marks not behind so many others or blocks.
const (
	mostHeld   = 1 << 16
	mostMarks  = 1 << 16
	mostBlocks = 256
	heldNs     = 1e9
	triedMarks = 64 // after so many another thread is looked for, where the first has no zones
)

// frames are the frames of a thread, or of a name.
type frames struct {
	thread *thread
	place  *location // what each frame of a name is shown as
	begun  bool
	last   int64 // border of the newest frame
	number int64
	zones  []zoneEvent // that wait
	marks  []mark      // likewise
	tried  int         // marks that came
	// markless means that no marks came for so long that zones do not wait for the first one.
	markless bool
}

// mark is a border of a frame, and the number of the block that it came with.
type mark struct {
	at    int64
	block int
}

// frameEvent takes the border of a frame, or the begin or the end of one.
func (d *decoder) frameEvent(r *record) {
	at, name := d.absolute(r.int("time")), r.uint("name")
	if name == 0 && r.is == frameMark {
		d.mark(at)
		return
	}
	f := d.set(name)
	line := f.thread.open(d)
	if line == nil {
		return
	}
	switch r.is {
	case frameMark:
		f.border(d, at)
	case frameBegin:
		if line.Frames(nil); f.begun {
			d.bad.Bad(trace.NoEnd, d.at)
		}
		f.last, f.begun = at, true
	case frameEnd:
		if !f.begun {
			d.bad.Bad(trace.NoBegin, d.at)
			return
		}
		f.end(d, max(at, f.last))
		f.begun = false
	}
}

// set returns the frames of a name, which have a track of their own.
func (d *decoder) set(name uint64) *frames {
	f := d.sets[name]
	if f == nil {
		if !d.hasRoom() {
			return &frames{thread: &d.nobody}
		}
		t := &thread{key: "s" + string(keyOf(name)), def: model.TrackDef{Name: "Frames"}}
		f = &frames{thread: t, place: &location{title: "Frame"}}
		f.place.def.Name = f.place.title
		d.names.define(f.place, []byte(t.key))
		d.sets[name] = f
		d.names.want(askFrame, name, func(text string) {
			d.rename(t, "Frames: "+text)
			d.names.rename(f.place, text)
		})
	}
	return f
}

// mark takes a border of the program's own frames: those of its main thread, or where that has no zones of the thread
// that has most.
func (d *decoder) mark(at int64) {
	tried := len(d.early)
	if d.main != nil {
		tried = d.main.tried
	}
	if tried > triedMarks && (d.main == nil || d.main.thread.zones == 0) {
		d.chooseBusiest()
	}
	switch {
	case d.main == nil && tried > mostMarks:
		d.bad.Bad(trace.ManyFrames, d.at)
		return
	case d.main == nil:
		d.early = append(d.early, mark{at, d.blocks})
		return
	}
	d.main.tried++
	d.main.marks = append(d.main.marks, mark{at, d.blocks})
	d.main.merge(d, false)
}

// chooseBusiest gives the thread with most zones the program's frames.
func (d *decoder) chooseBusiest() {
	var best *thread
	for _, t := range d.threads {
		if t.zones > 0 && (best == nil || cmp.Or(t.zones-best.zones, best.def.Index-t.def.Index) > 0) {
			best = t
		}
	}
	if best != nil {
		d.lead(best)
	}
}

// lead gives a thread the program's frames. Marks that came before wait for its zones.
func (d *decoder) lead(t *thread) {
	f := &frames{thread: t, marks: d.early}
	if old := d.main; old != nil {
		f.number = old.number
		old.thread.frames, old.thread.def.Main = nil, false
		d.redefine(old.thread)
	}
	t.frames, t.def.Main, d.main, d.early = f, true, f, nil
	d.redefine(t)
}

// hold takes a step of a zone of a thread with frames.
func (f *frames) hold(d *decoder, e zoneEvent) {
	if f.markless && len(f.marks)+len(f.zones) == 0 {
		f.thread.apply(d, e)
		return
	}
	f.zones = append(f.zones, e)
	f.merge(d, false)
}

// merge goes on with what waits, in order of time: with all of it where nothing earlier comes.
func (f *frames) merge(d *decoder, all bool) {
	z, m, held, ns := 0, 0, mostHeld, int64(heldNs)
	for {
		zones, marks := len(f.zones)-z, len(f.marks)-m
		switch {
		case zones > 0 && (marks > 0 && f.zones[z].at <= f.marks[m].at || marks == 0 && (all || f.markless ||
			zones > held || d.newest-f.zones[z].at > ns)):
			f.thread.apply(d, f.zones[z])
			z++
			if marks == 0 && !all { // one that has waited for too long takes many with it: the rest is copied
				held, ns = mostHeld/2, heldNs/2
				f.markless = f.markless || !f.begun
			}
			continue
		case marks > 0 && (zones > 0 || all || marks > mostMarks || d.blocks-f.marks[m].block > mostBlocks):
			f.border(d, f.marks[m].at)
			m++
			continue
		}
		break
	}
	if z > 0 {
		f.zones = append(f.zones[:0], f.zones[z:]...)
	}
	f.marks = append(f.marks[:0], f.marks[m:]...)
}

// border ends a frame, and begins the next one.
func (f *frames) border(d *decoder, at int64) {
	line := f.thread.open(d)
	if line == nil {
		return
	}
	at = max(at, f.last)
	line.Flush(at) // zones that go on do so up to there
	if !f.begun {
		line.Frames(nil)
	} else {
		f.end(d, at)
	}
	f.begun, f.last = true, at
}

// end ends the frame that goes on.
func (f *frames) end(d *decoder, at int64) {
	if f.place != nil {
		f.thread.apply(d, zoneEvent{at: f.last, place: f.place})
		f.thread.apply(d, zoneEvent{at: at})
	}
	f.number++
	f.thread.line.Frame(trace.StackFrame{Number: f.number, Begin: f.last, End: at})
}
