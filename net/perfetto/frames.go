package perfetto

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	leastFrames = 2       // instants that make frames
	emptyCredit = 1 << 18 // empty frames that a file may cause, and
	emptyEach   = 16      // so many for each event
	isFrame     = 1 << 31 // in place of the number of an instant: it is none
)

// sliceNames are the names of spans that are frames.
var sliceNames = []string{"Frame", "frame", "doFrame"}

// frames are those of a process.
type frames struct {
	borders []border
	main    *output // that they are of
	skips   bool    // their numbers leave some out
	ticks   []tick
}

type border = trace.Border

// tick is an instant that may begin a frame.
type tick struct {
	time   int64
	number int64 // −1: none
	out    *output
	note   int
}

// framed makes the frames that there are, or those that the user chose. It returns the main track, nil if there is none.
func (d *decoder) framed() (main *output) {
	if d.want == feed.NoFrames {
		return nil
	}
	main = d.findFrames()
	if name, chosen := d.want.Named(); chosen && main == nil {
		d.sink.Define(trace.NoFrames("span of a thread and no layer", name))
	}
	return main
}

// findFrames makes frames for each process: of the frame timeline, or else of instants or spans that
// are called so, whichever are more; of those alone that are called as is wanted. It returns the track to look at
// first, nil where there are none.
func (d *decoder) findFrames() (main *output) {
	var procs []*process
	spans := map[*process][]border{}
	hosts := map[*process]*output{}
	for _, o := range d.outputs {
		p := o.proc
		if p == nil {
			continue
		}
		if !slices.Contains(procs, p) {
			procs = append(procs, p)
		}
		if d.want == "" {
			d.ticksOf(o)
		}
		if o.thread != nil {
			if list := d.slicesOf(o); len(list) > len(spans[p]) {
				spans[p], hosts[p] = list, o
			}
		}
	}
	most := 0
	for _, p := range procs {
		switch list := d.surfaces(p); {
		case len(list) > 0:
			p.borders, p.main = list, d.hostOf(p)
			d.numbered(p)
		case len(p.ticks) >= leastFrames && len(p.ticks) >= len(spans[p]):
			d.fromTicks(p)
		default:
			p.borders, p.main = spans[p], hosts[p]
		}
		p.ticks = nil
		if len(p.borders) > most {
			most, main = len(p.borders), p.main
		}
	}
	return main
}

// frameOf returns the note of a frame that an instant may begin: its number is the first digits in the instant's name,
// else its annotation n (spec/chrome-trace.md, Mapping).
func (d *decoder) frameOf(s *sequence, e *Event, digits []byte) int32 {
	d.number = -1
	if v, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
		d.number = v
	} else if len(digits) == 0 {
		for _, data := range e.Notes {
			d.annotate(s, data, d.takeNumber)
		}
	}
	if d.number < 0 || d.number > math.MaxInt32-2 {
		return 1
	}
	return int32(d.number) + 2
}

func (d *decoder) numberOf(key []byte, v *Value) {
	if string(key) != "n" {
		return
	}
	switch v.Kind {
	case Int:
		d.number = v.I
	case Text:
		if n, err := strconv.ParseInt(string(v.Text), 10, 64); err == nil {
			d.number = n
		}
	}
}

// ticksOf finds the instants of a track that may begin frames.
func (d *decoder) ticksOf(o *output) {
	for i := range o.notes {
		if n := &o.notes[i]; n.frame > 0 {
			o.proc.ticks = append(o.proc.ticks, tick{n.time, int64(n.frame) - 2, o, i})
			o.ticks++
		}
	}
}

// fromTicks makes frames of instants; they are no messages then. Between two of them nothing is
// missing whatever their numbers are.
func (d *decoder) fromTicks(p *process) {
	trace.SortRuns(p.ticks, func(a, b tick) int { return cmp.Compare(a.time, b.time) })
	for i, t := range p.ticks {
		if p.main == nil || t.out.ticks > p.main.ticks {
			p.main = t.out
		}
		t.out.notes[t.note].ord = isFrame
		b := border{Number: t.number, Begin: t.time, End: p.last, Open: true}
		if i+1 < len(p.ticks) {
			b.End, b.Open = p.ticks[i+1].time, false
		}
		p.borders = append(p.borders, b)
	}
	d.numbered(p)
	for _, o := range d.outputs {
		if o.proc == p {
			o.notes = slices.DeleteFunc(o.notes, func(n note) bool { return n.ord == isFrame })
		}
	}
}

// slicesOf returns the spans of a thread that are its frames: of the name that is wanted, or of one that frames
// have, not deep, many, and never inside each other.
func (d *decoder) slicesOf(o *output) (best []border) {
	var wanted []uint32
	list := sliceNames
	if name, ok := d.want.Named(); ok {
		list = []string{name}
	}
	for _, name := range list {
		if n, ok := d.texts.Known(name); ok {
			wanted = append(wanted, n)
		}
	}
	for _, t := range o.tracks {
		if len(wanted) == 0 {
			break
		}
		rows, _ := d.rowsOf(t, false)
		for _, n := range wanted {
			if list := Named(rows, n, o.proc.last, d.want != ""); len(list) > len(best) {
				best = list
			}
		}
	}
	return best
}

// surfaces returns the frames of a process in the frame timeline: of the layer that is wanted, or with the most.
func (d *decoder) surfaces(p *process) (list []border) {
	layers := map[uint32]int{}
	wanted, known := d.texts.Known(string(d.want))
	for i := range d.timeline {
		f := &d.timeline[i]
		if f.kind == actualSurface && f.pid == p.key && (d.want == "" || known && f.layer == wanted) {
			layers[f.layer]++
		}
	}
	if len(layers) == 0 {
		return nil
	}
	layer := uint32(0)
	for l, n := range layers {
		if n > layers[layer] || n == layers[layer] && l < layer {
			layer = l
		}
	}
	for i := range d.timeline {
		if f := &d.timeline[i]; f.kind == actualSurface && f.pid == p.key && f.layer == layer {
			b := border{Number: f.token, Begin: f.begin, End: f.end, Open: f.open}
			if b.Open {
				b.End = p.last
			}
			list = append(list, b)
		}
	}
	return list
}

// numbered numbers the frames of a process as the file does, where it does so in order of time.
func (d *decoder) numbered(p *process) {
	skips, lost := trace.Numbered(p.borders)
	p.skips, d.uncounted = skips, d.uncounted || lost
}

// hostOf returns the track that the frames of a timeline are of: the main thread of the process, or
// where it has none the timeline itself.
func (d *decoder) hostOf(p *process) (host *output) {
	for _, o := range d.outputs {
		if o.proc != p {
			continue
		}
		isMain := o.thread != nil && o.thread.notMain() == 0
		if host == nil || isMain || host.thread == nil && len(o.timed) > 0 && o.timed[0].kind == actualSurface {
			host = o
		}
		if isMain {
			break
		}
	}
	return host
}

// flags of a span that has not ended.
func openEnd(open bool) model.SpanFlags {
	if open {
		return model.SpanOpenEnd
	}
	return 0
}
