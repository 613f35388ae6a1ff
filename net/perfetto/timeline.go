package perfetto

import (
	"cmp"

	"framescope/net/trace"
)

// The kinds of frames of a timeline, by their fields.
const (
	expectedDisplay = 1
	actualDisplay   = 2
	expectedSurface = 3
	actualSurface   = 4
	frameEnd        = 5
)

// timed is an expected or actual frame of the frame timeline of Android.
type timed struct {
	begin, end int64
	token      int64
	pid        processKey
	jank       uint32
	layer      uint32 // text
	kind       uint8
	present    uint8
	open       bool
	clock      uint32
}

const timedBytes = 64

// timelineEvent takes the begin or the end of a frame.
func (d *decoder) timelineEvent(data []byte, time int64, clock uint32, ok bool) {
	if !ok {
		d.faults.Count(NoTime, d.at)
		return
	}
	for w := (Fields{Rest: data}); w.Next(); {
		if w.Kind != Bytes || w.Num == 0 || w.Num > frameEnd {
			continue
		}
		f := timed{begin: time, end: time, kind: uint8(w.Num), layer: None, open: true, clock: clock}
		f.pid.machine = d.pid.machine
		var cookie uint64
		surface := w.Num == expectedSurface || w.Num == actualSurface
		for e := (Fields{Rest: w.Data}); e.Next(); {
			switch {
			case e.Num == 1:
				cookie = e.V
			case e.Num == 2:
				f.token = number(e.V)
			case e.Num == 3 && !surface, e.Num == 4 && surface:
				f.pid.pid = uint32(e.V)
			case e.Num == 4 && w.Num == actualDisplay, e.Num == 6 && w.Num == actualSurface:
				f.present = uint8(min(e.V, 255))
			case e.Num == 7 && w.Num == actualDisplay, e.Num == 9 && w.Num == actualSurface:
				f.jank = uint32(e.V)
			case e.Num == 5 && surface && e.Kind == Bytes:
				f.layer = d.texts.Of(e.Data)
			}
		}
		if w.Num == frameEnd {
			i, begun := d.cookies[cookie]
			if !begun {
				d.faults.Count(OpenFrames, d.at)
				continue
			}
			delete(d.cookies, cookie)
			d.timeline[i].end, d.timeline[i].open = max(time, d.timeline[i].begin), false
			continue
		}
		if !d.room.TakeData(timedBytes + 48) {
			d.faults.Count(NoRoom, d.at)
			continue
		}
		d.cookies[cookie] = len(d.timeline)
		d.timeline = append(d.timeline, f)
		d.events++
		d.step = 1
	}
}

// settleTimeline puts the frames of the timeline on the primary clock, in order of time.
func (d *decoder) settleTimeline() {
	kept := d.timeline[:0]
	for _, f := range d.timeline {
		c, ok := d.ways.From(f.clock)
		switch {
		case !ok && len(d.snapshots) > 0:
			d.faults.Count(NoClock, trace.Unknown)
			continue
		case ok && c != nil:
			f.begin, f.end = c.At(f.begin), c.At(f.end)
		}
		kept = append(kept, f)
	}
	d.timeline = kept
	trace.SortRuns(d.timeline, func(a, b timed) int { return cmp.Compare(a.begin, b.begin) })
}

// how is how a frame went.
func (f *timed) how() Frame {
	expected := f.kind == expectedDisplay || f.kind == expectedSurface
	return Frame{Expected: expected, Present: f.present, Janks: f.jank}
}

// title returns the name of the track that a frame is on.
func (f *timed) title() string {
	return [...]string{"", "Display frames expected", "Display frames", "Frames expected", "Frames"}[f.kind]
}

// detail describes a frame that was not on time, "" for others.
func (f *timed) detail(deadline int64) string {
	if f.kind != actualSurface {
		return ""
	}
	return f.how().Detail(f.token, f.end, deadline)
}

// deadlineKey identifies the frame of a deadline.
type deadlineKey struct {
	pid   processKey
	token int64
}

// deadline returns the expected end of a frame, 0 if unknown.
func (d *decoder) deadline(f *timed) int64 {
	if d.deadlines == nil {
		d.deadlines = map[deadlineKey]int64{}
		for i := range d.timeline {
			if x := &d.timeline[i]; x.kind == expectedSurface && !x.open {
				d.deadlines[deadlineKey{x.pid, x.token}] = x.end
			}
		}
	}
	return d.deadlines[deadlineKey{f.pid, f.token}]
}
