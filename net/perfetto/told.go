package perfetto

import (
	"framescope/net/trace"
)

// told is a frame with a length in its metadata.
type told struct {
	border
	hosts bool // it is one of the process
}

const toldBytes = 40

// tells keeps an instant that begins a frame and gives its length. It returns false for other instants.
func (d *decoder) tells(s *sequence, e *Event, l *list, time int64) bool {
	name := e.Name
	if !e.HasName {
		n, ok := s.names.Get(e.NameIID)
		if !ok {
			return false
		}
		name = d.texts.Raw(n)
	}
	number, hosts, ok := trace.Number(name)
	if !ok {
		return false
	}
	d.length, d.net, d.levels = -1, nil, nil
	for _, data := range e.Notes {
		d.annotate(s, data, d.takeLength)
	}
	if d.length < 0 || d.length > Most-time {
		return false
	}
	push(d, &l.told, told{border{Number: number, Begin: time, End: time + d.length, Figures: d.figuresOf()}, hosts}, toldBytes)
	return true
}

func (d *decoder) lengthOf(key []byte, v *Value) {
	switch {
	case v.Kind == Int && string(key) == trace.Length:
		d.length = v.I
	case v.Kind == Text && string(key) == trace.Net:
		d.net = append([]byte{' '}, v.Text...)
	case v.Kind == Text && string(key) == trace.Levels:
		d.levels = append([]byte{' '}, v.Text...)
	}
}

// figuresOf keeps what the begin of a frame says of its figures, and returns its number, 0 where it says nothing.
func (d *decoder) figuresOf() int32 {
	if d.net == nil && d.levels == nil {
		return 0
	}
	if !d.room.TakeData(trace.FigureBytes(d.net, d.levels)) {
		d.faults.Count(NoRoom, d.at)
		return 0
	}
	n, whole := d.figures.Add(d.net, d.levels)
	if !whole {
		d.faults.Count(BadFigures, d.at)
	}
	return n
}

// drainTold moves the frames of a track to its thread.
func (d *decoder) drainTold(t *track, l *list) {
	if t.thread != nil {
		for _, f := range l.told.Drain(nil) {
			t.thread.frames.Add(f.border, f.hosts)
		}
	}
}

// toldFrames takes the frames of the metadata, in each process that has any. It returns the main track, nil if the
// metadata names none.
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
		if !trace.Sorted(th.frames.Own) {
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
