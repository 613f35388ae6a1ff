package perfetto

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/feed"
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

// timed is an expected or actual frame of the frame timeline of Android. present is its PresentType, janks are the
// bits of its JankType.
type timed struct {
	begin, end int64
	token      int64
	pid        processKey
	janks      uint32
	layer      trace.Symbol
	kind       uint8
	present    uint8
	open       bool
	clock      uint32
}

const timedBytes = 64

// timelineEvent takes the begin or the end of a frame.
func (d *decoder) timelineEvent(data []byte, time int64, clock uint32, ok bool) {
	if !ok {
		d.b.Bad.Bad(trace.BadTime, d.at)
		return
	}
	for w := (fields{rest: data}); w.next(); {
		if w.data == nil || w.num == 0 || w.num > frameEnd {
			continue
		}
		f := timed{begin: time, end: time, kind: uint8(w.num), layer: trace.EmptySymbol, open: true, clock: clock}
		cookie := d.readTimed(&f, w.data)
		if w.num != frameEnd {
			d.beginTimed(cookie, f)
			continue
		}
		i, begun := d.cookies[cookie]
		if !begun {
			d.b.Bad.Bad(trace.UnmatchedEnd, d.at)
			continue
		}
		delete(d.cookies, cookie)
		d.timeline[i].end, d.timeline[i].open = max(time, d.timeline[i].begin), false
	}
}

// readTimed reads the fields of a frame and returns its cookie.
func (d *decoder) readTimed(f *timed, data []byte) (cookie uint64) {
	f.pid.machine = d.pid.machine
	surface := f.kind == expectedSurface || f.kind == actualSurface
	e := flatten(data)
	pid, present := 3, 4
	if surface {
		pid, present = 4, 6
	}
	f.token, f.pid.pid = int64(e.v[2]), uint32(e.v[pid])
	if f.kind == actualDisplay || f.kind == actualSurface {
		f.present, f.janks = uint8(min(e.v[present], 255)), uint32(e.v[present+3])
	}
	if surface && e.data[5] != nil {
		f.layer = d.b.Symbol(e.data[5])
	}
	return e.v[1]
}

func (d *decoder) beginTimed(cookie uint64, f timed) {
	if !d.room.TakeData(timedBytes + 48) {
		d.b.Bad.Bad(trace.NoMemory, d.at)
		return
	}
	d.cookies[cookie] = len(d.timeline)
	d.timeline = append(d.timeline, f)
	d.step = 1
}

// timelineKey identifies a track of the timeline.
type timelineKey struct {
	process *process
	kind    uint8
}

// addTimeline makes tracks of the frame timeline, for each process and kind, and frames of those of a layer.
func (d *decoder) addTimeline() {
	d.moveTimeline()
	deadlines := map[deadlineKey]int64{}
	for i := range d.timeline {
		if f := &d.timeline[i]; f.kind == expectedSurface && !f.open {
			deadlines[deadlineKey{f.pid, f.token}] = f.end
		}
	}
	tracks := map[timelineKey]*trace.Track{}
	for kind := uint8(actualSurface); kind > 0; kind-- {
		for i := range d.timeline {
			if f := &d.timeline[i]; f.kind == kind {
				d.addTimed(f, tracks, deadlines)
			}
		}
	}
	for k, t := range tracks {
		if list := d.surfaces(k.process); k.kind == actualSurface && len(list) > 0 {
			k.process.Frames(t, list)
		}
	}
}

// moveTimeline puts the frames of the timeline on the primary clock, in order of time.
func (d *decoder) moveTimeline() {
	kept := d.timeline[:0]
	for _, f := range d.timeline {
		c, ok := d.ways[f.clock]
		switch {
		case !ok && len(d.snapshots) > 0:
			d.b.Bad.Bad(trace.BadTime, trace.Unknown)
			continue
		case ok && c != nil:
			f.begin, f.end = c.at(f.begin), c.at(f.end)
		}
		kept = append(kept, f)
	}
	d.timeline = kept
	trace.SortRuns(d.timeline, func(a, b timed) int { return cmp.Compare(a.begin, b.begin) })
}

// addTimed adds a frame to the track of its kind, and a message where it was late.
func (d *decoder) addTimed(f *timed, tracks map[timelineKey]*trace.Track, deadlines map[deadlineKey]int64) {
	p := d.processOf(f.pid)
	if p == nil {
		return
	}
	k := timelineKey{p, f.kind}
	t := tracks[k]
	if t == nil {
		if t = d.b.NewTrack(); t == nil {
			d.b.Bad.Bad(trace.ManyThreads, trace.Unknown)
			return
		}
		t.Flat = true
		p.Attach(t, d.b.Symbol([]byte(f.title())))
		tracks[k] = t
	}
	name := d.b.Symbol([]byte(f.name()))
	if f.open {
		t.OpenSpan(f.begin, name)
	} else {
		t.Span(f.begin, f.end, name)
	}
	if text := f.describeLate(deadlines[deadlineKey{f.pid, f.token}]); text != "" {
		t.Note(f.begin, trace.Note{
			Text: d.b.Symbol([]byte(text)), Category: trace.EmptySymbol, Object: trace.EmptySymbol,
			Severity: model.SeverityWarning,
		})
	}
}

// surfaces returns the frames of a process in the frame timeline: of the layer that is wanted, or with the most.
func (d *decoder) surfaces(p *process) (list []trace.Border) {
	if d.want == feed.NoFrames {
		return nil
	}
	layers := map[trace.Symbol]int{}
	wanted, known := d.b.Known(string(d.want))
	of := func(f *timed) bool { return f.kind == actualSurface && f.pid == p.key }
	for i := range d.timeline {
		if f := &d.timeline[i]; of(f) && (d.want == "" || known && f.layer == wanted) {
			layers[f.layer]++
		}
	}
	layer := trace.Symbol(0)
	for l, n := range layers {
		if n > layers[layer] || n == layers[layer] && l < layer {
			layer = l
		}
	}
	for i := range d.timeline {
		if f := &d.timeline[i]; of(f) && f.layer == layer && layers[layer] > 0 {
			b := trace.Border{Number: f.token, Begin: f.begin, End: f.end, Open: f.open}
			if f.open {
				b.End = math.MaxInt64
			}
			list = append(list, b)
		}
	}
	return list
}

// deadlineKey identifies the frame of a deadline.
type deadlineKey struct {
	pid   processKey
	token int64
}

// title returns the name of the track that a frame is on.
func (f *timed) title() string {
	return [...]string{"", "Display frames expected", "Display frames", "Frames expected", "Frames"}[f.kind]
}

// jankReasons are those for which a frame was late, by their bits.
var jankReasons = []struct {
	bit   uint32
	words string
}{
	{2 | 4 | 8, "display"}, {16 | 32, "compositor"}, {64, "missed its deadline"}, {128, "buffers stuffed"},
	{256, "unknown"},
	{512, "display"}, {1024, "dropped"},
}

// name returns the name of a frame: its outcome.
func (f *timed) name() string {
	if f.kind == expectedDisplay || f.kind == expectedSurface {
		return "expected frame"
	}
	name := "frame"
	if outcomes := [...]string{"", " on time", " late", " early", " dropped"}; int(f.present) < len(outcomes) {
		name += outcomes[f.present]
	}
	for _, j := range jankReasons {
		if f.janks&j.bit != 0 && (j.bit != 1024 || f.present != 4) {
			return name + ": " + j.words
		}
	}
	return name
}

// describeLate describes a frame that was not on time, "" for others. deadline is when it should have ended, 0 if
// unknown.
func (f *timed) describeLate(deadline int64) string {
	if f.kind != actualSurface || f.janks&^1 == 0 && f.present < 2 {
		return ""
	}
	how := cmp.Or(strings.TrimLeft(strings.TrimPrefix(f.name(), "frame"), ": "), "not as it should be")
	s := fmt.Sprintf("frame %d: %s", f.token, how)
	if deadline != 0 && f.end > deadline {
		s += fmt.Sprintf(", %.3f ms after its deadline", float64(f.end-deadline)/1e6)
	}
	return s
}
