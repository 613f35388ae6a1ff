package gotrace

import (
	"math"
	"slices"

	exptrace "golang.org/x/exp/trace"

	"framescope/net/feed"
	"framescope/net/trace"
)

// maxFrames is the limit of frames in a session, and of waiting candidates.
const maxFrames = 1 << 20

// frameNames are the names of regions that are frames, where a goroutine has two of them or more; of
// tasks where no region is one. The first that is there counts.
var frameNames = []string{"frame", "Frame", "update", "tick"}

// longest is how long a frame may take while more comes, ns.
const longest = 60e9

// framing finds the frames of a session.
type framing struct {
	bad        *trace.Diagnostics
	names      []string // that frames may have
	least      int      // how many make frames
	candidates []*candidate
	kept       int
	overlap    int64 // tasks that began in another

	of     *goroutine // the goroutine with the frames; nil: none found yet
	chosen *candidate
	all    trace.StackFrames
	from   int   // of all: the first that is of that goroutine
	told   bool  // the goroutine of the frames is defined
	at     int64 // up to where frames may have been published
}

// candidate is the regions of a name of a goroutine, or the tasks that it began.
type candidate struct {
	name    int // in framing.names
	asTask  bool
	g       *goroutine
	depth   int // at which the one that goes on began, from 1; 0: there is none
	task    exptrace.TaskID
	begin   int64
	borders []trace.StackFrame
}

// choose takes the user's choice.
func (f *framing) choose(want feed.Frames) {
	f.names, f.least, f.at = frameNames, 2, math.MinInt64
	if name, ok := want.Named(); ok {
		f.names, f.least = []string{name}, 1
	} else if want == feed.NoFrames {
		f.names = nil
	}
}

// candidate returns the candidate with a name, and creates it if there is none; nil: it can't have frames.
func (f *framing) candidate(g *goroutine, name string, asTask bool) *candidate {
	i := slices.Index(f.names, name)
	if x := f.chosen; i < 0 || x != nil && (f.of != g || x.asTask != asTask || x.name != i) {
		return nil
	}
	for _, c := range g.frames {
		if c.name == i && c.asTask == asTask {
			return c
		}
	}
	c := &candidate{name: i, asTask: asTask, g: g}
	f.candidates = append(f.candidates, c)
	g.frames = append(g.frames, c)
	return c
}

// begin takes the begin of a region; its depth is that of the goroutine's open ones before it.
func (f *framing) begin(g *goroutine, name string, ns int64) {
	if c := f.candidate(g, name, false); c != nil && c.depth == 0 {
		c.depth, c.begin = g.depth+1, ns
	}
}

// end ends the regions of a goroutine from a depth on. open means that they may go on after the known data.
func (f *framing) end(g *goroutine, depth int, ns int64, open bool) {
	for _, c := range g.frames {
		if c.depth >= depth && !c.asTask {
			f.add(c, ns, open)
		}
	}
}

// before takes a region that began before the trace.
func (f *framing) before(g *goroutine, name string, begin, end int64) {
	if c := f.candidate(g, name, false); c != nil && len(c.borders) == 0 && c.depth == 0 {
		c.begin = begin
		f.add(c, end, false)
	}
}

// taskBegin takes the begin of a task. Of tasks that overlap the first is a frame.
func (f *framing) taskBegin(g *goroutine, name string, id exptrace.TaskID, ns int64) {
	c := f.candidate(g, name, true)
	switch {
	case c == nil:
	case c.depth > 0:
		f.overlap++
	default:
		c.depth, c.task, c.begin = 1, id, ns
	}
}

// taskEnd takes the end of a task at ns. open means that it may go on after the known data.
func (f *framing) taskEnd(id exptrace.TaskID, ns int64, open bool) {
	for _, c := range f.candidates {
		if c.depth > 0 && c.asTask && c.task == id {
			f.add(c, ns, open)
		}
	}
}

func (f *framing) add(c *candidate, end int64, open bool) {
	c.depth = 0
	if f.kept >= maxFrames {
		f.bad.Bad(trace.ManyFrames, trace.Unknown)
		return
	}
	f.kept++
	c.borders = append(c.borders, trace.StackFrame{Begin: c.begin, End: end, Open: open})
}

// settle moves the known frames into the list, and chooses the frames first. Everything before cut is known then:
// cut is the begin of the current frame, or now.
func (f *framing) settle(now int64, last bool) (cut int64) {
	cut = now
	if f.chosen == nil {
		f.decide()
	}
	if f.chosen == nil {
		f.at = now
		return now
	}
	c := f.chosen
	if c.depth > 0 && !last && c.begin >= f.at && now-c.begin < longest {
		cut = c.begin
	}
	for _, b := range c.borders {
		if list := f.all.List; b.Begin >= f.at && (len(list) == 0 || b.Begin >= list[len(list)-1].End) && b.End > b.Begin {
			b.Number = int64(len(list))
			f.all.List = append(list, b)
		} else {
			f.bad.Explain(trace.BadFrame, trace.Unknown, "frames that overlap others, have no length or take too long")
		}
	}
	c.borders = c.borders[:0]
	f.at = max(f.at, cut)
	return cut
}

// giveUp stops waiting for the end of the current frame.
func (f *framing) giveUp() {
	if f.chosen != nil {
		f.at = max(f.at, f.chosen.begin+1)
	}
}

// leave follows the publishing of the known frames: if the goroutine with the frames has ended, another may have
// them.
func (f *framing) leave() {
	if f.of != nil && f.of.ended {
		f.of, f.chosen, f.told, f.candidates = nil, nil, false, nil
	}
}

// decide chooses the first name with enough candidates, regions before tasks, and the goroutine with most of them.
func (f *framing) decide() {
	for k := range 2 * len(f.names) {
		for _, c := range f.candidates {
			is := c.name == k%len(f.names) && c.asTask == (k >= len(f.names)) && len(c.borders) >= f.least
			if is && (f.chosen == nil || len(c.borders) > len(f.chosen.borders)) {
				f.chosen, f.of, f.from = c, c.g, len(f.all.List)
			}
		}
		if f.chosen != nil {
			f.forget()
			return
		}
	}
}

// forget drops all other candidates.
func (f *framing) forget() {
	for _, c := range f.candidates {
		if c != f.chosen {
			c.g.frames = nil
			f.kept -= len(c.borders)
		}
	}
	f.candidates = []*candidate{f.chosen}
	f.chosen.g.frames = f.candidates
}
