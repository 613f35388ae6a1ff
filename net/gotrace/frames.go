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

// border is when a frame begins and ends. One that is open went on at its end.
type border struct {
	begin, end int64
	open       bool
}

// framing finds the frames of a session.
type framing struct {
	names   []string // that frames may have
	least   int      // how many make frames
	regions []*candidate
	tasks   []*candidate
	kept    int
	bad     *trace.Diagnostics
	overlap int64 // tasks that began in another

	of     *goroutine // the goroutine with the frames; nil: none found yet
	chosen *candidate
	asTask bool
	list   []border
	told   bool  // the goroutine of the frames is defined
	at     int64 // up to where frames may have been published
}

// candidate is the regions of a name of a goroutine, or the tasks that it began.
type candidate struct {
	name    int // in framing.names
	g       *goroutine
	depth   int // at which the one that goes on began, from 1; 0: there is none
	task    exptrace.TaskID
	begin   int64
	borders []border
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

// candidate returns the candidate with a name, and creates it if there is none.
func (f *framing) candidate(g *goroutine, name string, tasks bool) *candidate {
	i := slices.Index(f.names, name)
	if i < 0 || f.chosen != nil && (f.of != g || f.asTask != tasks || f.chosen.name != i) {
		return nil
	}
	of := &f.regions
	if tasks {
		of = &f.tasks
	}
	for _, c := range g.frames {
		if c.name == i && slices.Contains(*of, c) {
			return c
		}
	}
	c := &candidate{name: i, g: g}
	*of = append(*of, c)
	g.frames = append(g.frames, c)
	return c
}

// begin takes the begin of a region; its depth is that of the goroutine's open ones before it.
func (f *framing) begin(g *goroutine, name string, ns int64) {
	if len(f.names) == 0 {
		return
	}
	if c := f.candidate(g, name, false); c != nil && c.depth == 0 {
		c.depth, c.begin = g.depth+1, ns
	}
}

// end takes the end of a goroutine's innermost region.
func (f *framing) end(g *goroutine, ns int64) {
	for _, c := range g.frames {
		if c.depth == g.depth && c.task == 0 {
			f.add(c, ns, false)
		}
	}
}

// cut ends all regions of a goroutine at ns. open means that they may go on after the known data.
func (f *framing) cut(g *goroutine, ns int64, open bool) {
	for _, c := range g.frames {
		if c.depth > 0 && c.task == 0 {
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
	for _, c := range f.tasks {
		if c.depth > 0 && c.task == id {
			f.add(c, ns, open)
			c.task = 0
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
	c.borders = append(c.borders, border{c.begin, end, open})
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
		if n := len(f.list); b.begin >= f.at && (n == 0 || b.begin >= f.list[n-1].end) && b.end > b.begin {
			f.list = append(f.list, b)
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
		f.of, f.chosen, f.told, f.regions, f.tasks = nil, nil, false, nil, nil
	}
}

// decide chooses the first name with enough candidates, and the goroutine with most of them.
func (f *framing) decide() {
	for _, of := range [][]*candidate{f.regions, f.tasks} {
		for i := range f.names {
			for _, c := range of {
				if c.name == i && len(c.borders) >= f.least && (f.chosen == nil || len(c.borders) > len(f.chosen.borders)) {
					f.chosen, f.of = c, c.g
				}
			}
			if f.chosen != nil {
				f.asTask = slices.Contains(f.tasks, f.chosen)
				f.forget()
				return
			}
		}
	}
}

// forget drops all other candidates.
func (f *framing) forget() {
	for _, of := range [][]*candidate{f.regions, f.tasks} {
		for _, c := range of {
			if c != f.chosen {
				c.g.frames = nil
				f.kept -= len(c.borders)
			}
		}
	}
	f.chosen.g.frames = []*candidate{f.chosen}
	f.regions, f.tasks = nil, nil
	if f.asTask {
		f.tasks = f.chosen.g.frames
	} else {
		f.regions = f.chosen.g.frames
	}
}
