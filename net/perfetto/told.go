package perfetto

import (
	"framescope/net/perfetto/clocks"
	"framescope/net/perfetto/notes"
	"framescope/net/toldframes"
)

// told is a frame that says how long it is.
type told struct {
	border
	hosts bool // it is one of the process
}

const toldBytes = 32

// tells keeps an instant that begins a frame and says how long that is. It returns false where it does not.
func (d *decoder) tells(s *sequence, e *event, l *list, time int64) bool {
	name := e.name
	if !e.hasName {
		n, ok := s.names.Get(e.nameIID)
		if !ok {
			return false
		}
		name = d.texts.Raw(n)
	}
	number, hosts, ok := toldframes.Number(name)
	if !ok {
		return false
	}
	d.length = -1
	for _, data := range e.notes {
		d.annotate(s, data, d.takeLength)
	}
	if d.length < 0 || d.length > clocks.Most-time {
		return false
	}
	push(d, &l.told, told{border{Number: number, Begin: time, End: time + d.length}, hosts}, toldBytes)
	return true
}

func (d *decoder) lengthOf(key []byte, v *notes.Value) {
	if v.Kind == notes.Int && string(key) == toldframes.Length {
		d.length = v.I
	}
}

// drainTold gives the frames that a track tells to its thread.
func (d *decoder) drainTold(t *track, l *list) {
	if t.thread != nil {
		for _, f := range l.told.Drain(nil) {
			t.thread.frames.Add(f.border, f.hosts)
		}
	}
}

// toldFrames makes frames of those that say how long they are, in each process that has any. It returns the
// track to look at first, nil where nobody tells which.
func (d *decoder) toldFrames() (main *output) {
	var best *process
	for _, o := range d.outputs {
		th := o.thread
		if th == nil {
			continue
		}
		if d.want != "" { // others are wanted, or none
			th.frames.Own, th.frames.Runs = nil, nil
		}
		if th.frames.Main {
			main = o
		}
		p, n := th.proc, len(th.frames.Own)
		if n == 0 {
			continue
		}
		if !toldframes.Sorted(th.frames.Own) {
			d.uncounted = true
		}
		p.told = true
		if th.frames.Hosts && n > len(p.borders) {
			p.main, p.borders = o, th.frames.Own
			if best == nil || n > len(best.borders) {
				best = p
			}
		}
	}
	if main == nil && best != nil {
		main = best.main
	}
	return main
}
