package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/spans"
)

// plainSpan is a span of the plain store.
type plainSpan struct {
	begin, end int64
	path       model.PathID
	flags      model.SpanFlags
	lane       int
	moves      []plainMove
}

// plainMove is where a span of the plain store goes on to count for another call path.
type plainMove struct {
	begin int64
	path  model.PathID
}

// lastPath is the call path for which the span counts in the end.
func (sp *plainSpan) lastPath() model.PathID {
	if n := len(sp.moves); n > 0 {
		return sp.moves[n-1].path
	}
	return sp.path
}

// parts calls add for each part of the span that lies in [t0, t1), the span itself counted with the
// first.
func (sp *plainSpan) parts(t0, t1 int64, add func(path model.PathID, ns, count int64)) {
	from, to := max(sp.begin, t0), min(sp.end, t1)
	if to < from || to == from && (sp.begin < t0 || sp.begin >= t1) {
		return
	}
	sp.split(from, to, add)
}

// split calls add for each part of [from, to), which is of the span.
func (sp *plainSpan) split(from, to int64, add func(path model.PathID, ns, count int64)) {
	path, count := sp.path, int64(1)
	for _, m := range sp.moves {
		if at := min(m.begin, to); at > from {
			add(path, at-from, count)
			from, count = at, 0
		}
		path = m.path
	}
	if to > from || count > 0 {
		add(path, to-from, count)
	}
}

// plainTrack is the plainest store there is: what the fast one is compared with.
type plainTrack struct {
	frames []*model.Batch
	lanes  map[int][]plainSpan
	began  map[int][]int // by lane and span: the place of the batch in which it began

	sequence []int                          // by frame: which of those that follow each other in time
	added    map[int]map[[2]int]*plainAdded // by sequence, lane and span
}

// plainAdded is what a sequence of frames added to a span: all of it, or what it goes on for.
type plainAdded struct {
	from, to int64
	all      bool
}

// add notes what the newest frame added to a span.
func (t *plainTrack) add(lane, span int, from, to int64, all bool) {
	k := t.sequence[len(t.sequence)-1]
	if t.added[k] == nil {
		t.added[k] = map[[2]int]*plainAdded{}
	}
	if x := t.added[k][[2]int{lane, span}]; x != nil {
		x.to = max(x.to, to)
		return
	}
	t.added[k][[2]int{lane, span}] = &plainAdded{from, to, all}
}

// inFrame calls add for each part of a span that ran in a frame and came with it, or with one that
// follows it or that it follows in time. What has no length is not in it
// if it has left with the frames before.
func (t *plainTrack) inFrame(i int, left func(lane, span int) bool, add func(path model.PathID, ns, count int64)) {
	f := t.frames[i]
	for key, x := range t.added[t.sequence[i]] {
		from, to := max(x.from, f.Begin), min(x.to, f.End)
		if to > from || to == from && !left(key[0], key[1]) && x.all && x.from >= f.Begin && x.from < f.End {
			t.lanes[key[0]][key[1]].split(from, to, add)
		}
	}
}

// build lays out spans from the frames: lane by lane, continuations glued.
func (t *plainTrack) build() {
	t.lanes, t.began = map[int][]plainSpan{}, map[int][]int{}
	t.sequence, t.added = t.sequence[:0], map[int]map[[2]int]*plainAdded{}
	last, sequence := model.NoFrame, 0
	for i, b := range t.frames {
		if i > 0 && b.Begin < t.frames[i-1].End {
			sequence++
		}
		t.sequence = append(t.sequence, sequence)
		for _, sp := range b.Spans {
			l := t.lanes[int(sp.Lane)]
			flags := sp.Flags
			if flags&(model.SpanContinues|model.SpanMoves) != 0 {
				moves := flags&model.SpanMoves != 0
				flags &^= model.SpanContinues | model.SpanMoves
				if n := len(l); n > 0 && (moves || b.Number == last+1 && l[n-1].lastPath() == sp.Path) {
					o := &l[n-1]
					if moves {
						o.moves = append(o.moves, plainMove{sp.Begin, sp.Path})
					}
					t.add(int(sp.Lane), n-1, o.end, sp.End, false)
					o.end = sp.End
					o.flags = o.flags&^model.SpanOpenEnd | flags&model.SpanOpenEnd
					continue
				}
				flags |= model.SpanOpenBegin
			}
			t.add(int(sp.Lane), len(l), sp.Begin, sp.End, true)
			t.began[int(sp.Lane)] = append(t.began[int(sp.Lane)], i)
			t.lanes[int(sp.Lane)] = append(l, plainSpan{sp.Begin, sp.End, sp.Path, flags, int(sp.Lane), nil})
		}
		last = b.Number
	}
}

// game makes frames as a game does: nested spans of random shape that may outlive the frame or
// their caller, exclusive times, levels, gaps, hitches.
type game struct {
	rng         *rand.Rand
	now, number int64
	open        []openSpan // running at the end of the last frame, outermost first
	// Shape.
	collectors, depth, spansPerFrame int
	stepNs                           int64 // mean length of a step
	wild                             bool  // steps and frames of minutes now and then
	jumps                            bool  // frames begin before the one before ended, or long before
	laneEnd                          map[int]int64
	children                         [][]model.PathID
	parents                          []model.PathID
	of                               []model.CollectorID
}

// openSpan is a span that runs.
type openSpan struct {
	path model.PathID
	lane int
}

// newGame makes a tree of call paths at random and tells s of it.
func newGame(rng *rand.Rand, s *Session, collectors, paths, depth int) *game {
	g := &game{rng: rng, collectors: collectors, depth: depth, spansPerFrame: 20, stepNs: 1000, number: 7}
	for c := range collectors {
		parent := model.CollectorID(0)
		if c > 1 && rng.IntN(2) == 0 {
			parent = model.CollectorID(rng.IntN(c))
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: "c" + string(rune('A'+c%26)), Parent: parent, Sort: rng.IntN(5)})
	}
	g.children = make([][]model.PathID, 1, paths+1)
	g.parents, g.of = []model.PathID{0}, []model.CollectorID{-1}
	level := []int{0}
	for p := 1; p <= paths; p++ {
		parent := rng.IntN(p)
		for level[parent] >= depth {
			parent = rng.IntN(p)
		}
		c := model.CollectorID(rng.IntN(collectors))
		s.Apply(model.PathDef{ID: model.PathID(p), Parent: model.PathID(parent), Collector: c})
		g.children = append(g.children, nil)
		g.children[parent] = append(g.children[parent], model.PathID(p))
		g.parents, g.of, level = append(g.parents, model.PathID(parent)), append(g.of, c), append(level, level[parent]+1)
	}
	return g
}

// back goes back to where the frames end. Nothing goes on.
func (g *game) back(frames []*model.Batch) {
	g.number, g.now, g.open = 7, 0, g.open[:0]
	clear(g.laneEnd)
	for _, b := range frames {
		g.number, g.now = b.Number+1, b.End
		for _, sp := range b.Spans {
			g.laneEnd[int(sp.Lane)] = max(g.laneEnd[int(sp.Lane)], sp.End)
		}
	}
}

// frame makes the next frame.
func (g *game) frame() *model.Batch {
	b := &model.Batch{HasFrame: true, Number: g.number, Begin: g.now}
	g.number++
	rng := g.rng
	type running struct {
		span int
		openSpan
	}
	var stack []running
	if g.laneEnd == nil {
		g.laneEnd = map[int]int64{}
	}
	start := func(p model.PathID) { // in the first lane below its caller that is free
		lane := 0
		if n := len(stack); n > 0 {
			lane = stack[n-1].lane + 1
		}
		for end, ok := g.laneEnd[lane]; ok && end > g.now; end, ok = g.laneEnd[lane] {
			lane++
		}
		b.Spans = append(b.Spans, model.Span{Begin: g.now, Path: p, Lane: uint16(lane)})
		stack = append(stack, running{len(b.Spans) - 1, openSpan{p, lane}})
	}
	stop := func(r running) {
		sp := &b.Spans[r.span]
		sp.End = max(g.now, sp.Begin)
		g.laneEnd[r.lane] = sp.End
	}
	for _, o := range g.open {
		b.Spans = append(b.Spans, model.Span{Begin: max(g.now, g.laneEnd[o.lane]), Path: o.path, Lane: uint16(o.lane), Flags: model.SpanContinues})
		stack = append(stack, running{len(b.Spans) - 1, o})
	}
	alone := make([]model.CollectorTime, g.collectors)
	for range g.spansPerFrame * 2 {
		step := rng.Int64N(g.stepNs * 2)
		if g.wild && rng.IntN(50) == 0 {
			step = rng.Int64N(20e9)
		}
		if len(stack) > 0 {
			c := g.of[stack[len(stack)-1].path]
			alone[c].Collector = c
			alone[c].Ns += step
			alone[c].Count++
		}
		g.now += step
		top := model.PathRoot
		if len(stack) > 0 {
			top = stack[len(stack)-1].path
		}
		if kids := g.children[top]; len(kids) > 0 && (len(stack) == 0 || rng.IntN(3) > 0) {
			start(kids[rng.IntN(len(kids))])
		} else if len(stack) > 0 {
			stop(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
	}
	b.End = g.now
	g.open = g.open[:0]
	keep := rng.IntN(len(stack) + 1)
	for i, r := range stack {
		stop(r)
		sp := &b.Spans[r.span]
		path := r.path
		if other := model.PathID(1 + rng.IntN(len(g.of)-1)); g.of[other] == g.of[path] && rng.IntN(2) == 0 { // it outlives its caller
			path = other
			b.Spans = append(b.Spans, model.Span{Begin: sp.Begin + rng.Int64N(sp.End-sp.Begin+1), End: sp.End, Path: other, Lane: sp.Lane, Flags: model.SpanMoves})
			sp = &b.Spans[len(b.Spans)-1]
			b.Spans[r.span].End = sp.Begin
		}
		if i < keep {
			sp.Flags |= model.SpanOpenEnd
			g.open = append(g.open, openSpan{path, r.lane})
		}
	}
	slices.SortStableFunc(b.Spans, func(a, c model.Span) int {
		if a.Begin != c.Begin {
			return int(max(min(a.Begin-c.Begin, 1), -1))
		}
		return int(a.Lane) - int(c.Lane)
	})
	for _, a := range alone {
		if a.Count == 0 {
			continue
		}
		if rng.IntN(20) == 0 {
			a.Ns = -a.Ns // section 4.1
		}
		b.Self = append(b.Self, a)
	}
	for range rng.IntN(4) {
		b.Levels = append(b.Levels, model.Level{Collector: model.CollectorID(rng.IntN(g.collectors)), Time: g.now, Value: float64(rng.IntN(1000) - 100)})
	}
	switch rng.IntN(12) {
	case 0: // dropped frames
		g.number += rng.Int64N(5)
		g.now += rng.Int64N(g.stepNs * 50)
		if rng.IntN(2) == 0 {
			g.open = g.open[:0]
		}
	case 1:
		g.now += rng.Int64N(g.stepNs * 20)
	}
	if g.jumps {
		switch rng.IntN(12) {
		case 0, 1, 2, 3:
			g.now -= rng.Int64N((b.End-b.Begin)*3/2 + 1)
		case 4:
			g.now = rng.Int64N(max(g.now, 0) + 1)
		}
	}
	return b
}

// A game of four threads with 500 spans a frame at 60 Hz, in virtual time. What a frame holds
// follows from its thread and number, so what the store should still have at the end is known
// without keeping it.
const (
	dayThreads  = 4
	daySpans    = 125 // of a frame of a thread
	dayFrameNs  = 16_666_667
	dayPatterns = 64
	dayPaths    = 60
)

type day struct {
	patterns [dayThreads][dayPatterns]*model.Batch // at time 0
	batch    model.Batch
	defs     []model.Change
}

func newDay() *day {
	d := &day{}
	rng := rand.New(rand.NewPCG(7, 7))
	for c := range model.CollectorID(40) {
		d.defs = append(d.defs, model.CollectorDef{ID: c, Name: fmt.Sprint("collector ", c), Parent: c / 4})
	}
	for p := model.PathID(1); p <= dayPaths; p++ {
		d.defs = append(d.defs, model.PathDef{ID: p, Parent: p / 2, Collector: model.CollectorID(p % 40)})
	}
	for thread := range d.patterns {
		for k := range d.patterns[thread] {
			b := &model.Batch{Track: model.TrackID(thread), HasFrame: true, End: dayFrameNs - int64(rng.IntN(2_000_000))}
			for lane := range int64(5) {
				at := lane * 1000
				for range daySpans / 5 {
					ns := int64(1000 + rng.IntN(500_000))
					b.Spans = append(b.Spans, model.Span{Begin: at, End: at + ns, Path: model.PathID(1 + rng.IntN(dayPaths)), Lane: uint16(lane)})
					at += ns + int64(rng.IntN(20_000))
				}
			}
			slices.SortStableFunc(b.Spans, func(a, c model.Span) int { return int(a.Begin - c.Begin) })
			for c := range model.CollectorID(12) {
				b.Self = append(b.Self, model.CollectorTime{Collector: c * 3, Ns: int64(rng.IntN(1_000_000)), Count: 1})
			}
			b.Levels = []model.Level{{Collector: 2, Time: 0, Value: float64(rng.IntN(100))}, {Collector: 5, Time: 0, Value: float64(rng.IntN(100))}}
			if k%16 == 0 {
				b.Messages = []model.Message{{Time: 500, Severity: model.SeverityWarning, Text: fmt.Sprint("pattern ", k), Category: "game"}}
				b.Locks = []model.LockEvent{{Time: 10, Lock: 1, Kind: model.LockTry}, {Time: 500, Lock: 1, Kind: model.LockAcquired}, {Time: 900, Lock: 1, Kind: model.LockReleased}}
			}
			d.patterns[thread][k] = b
		}
	}
	return d
}

// frame returns frame n of a thread. It is valid until the next call.
func (d *day) frame(thread int, n int64) *model.Batch {
	p := d.patterns[thread][n*7%dayPatterns]
	b := &d.batch
	at := n * dayFrameNs
	*b = model.Batch{Track: p.Track, HasFrame: true, Number: n, Begin: at, End: at + p.End, Self: p.Self,
		Spans: append(b.Spans[:0], p.Spans...), Levels: append(b.Levels[:0], p.Levels...), Messages: append(b.Messages[:0], p.Messages...), Locks: append(b.Locks[:0], p.Locks...)}
	for i := range b.Spans {
		b.Spans[i].Begin += at
		b.Spans[i].End += at
	}
	for i := range b.Levels {
		b.Levels[i].Time += at
	}
	for i := range b.Messages {
		b.Messages[i].Time += at
	}
	for i := range b.Locks {
		b.Locks[i].Time += at
	}
	return b
}

// resident returns the resident memory of this process in bytes; ok is false where the system does
// not say.
func resident() (n int64, ok bool) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(data)[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// live lets frames come, as a viewer would take them in: the limit is kept once a tick, late frames
// come now and then, and once a second something is asked.
func (d *day) live(t *testing.T, limit int64, frames int64, slack int64) {
	debug.FreeOSMemory()
	st := New(limit)
	defer st.Close()
	s := st.NewSession()
	for _, def := range d.defs {
		s.Apply(def)
	}
	base, some := resident()
	var most int64
	var tree spans.Tree
	var bars []spans.Bar
	began := time.Now()
	for n := range frames {
		for thread := range dayThreads {
			s.Append(d.frame(thread, n))
			if n%600 == 599 { // three frames come again
				for k := n - 2; k <= n; k++ {
					b := d.frame(thread, k)
					b.Rewind = true
					s.Append(b)
				}
			}
		}
		st.EnforceLimit(time.Time{})
		if n%60 == 0 {
			now := n * dayFrameNs
			s.Spans().Tree([]model.TrackID{0, 1, 2, 3}, now-1e9, now, &tree)
			for lane := range 5 {
				bars = s.Spans().Visible(0, lane, now-10e9, now, 10e6, bars[:0])
			}
		}
		if n%1200 == 1199 {
			s.Spans().Stats([]model.TrackID{0}, model.MinTime, model.MaxTime, nil)
			s.Frames().AllStats(1, false, 0, 1<<30, nil)
			s.Messages().Find(messages.Query{Text: "pattern 1", Limit: 10}, nil)
			s.Locks().Stats(model.MinTime, model.MaxTime, nil)
			if rss, ok := resident(); ok {
				most = max(most, rss)
				if rss > base+limit*12/10+slack {
					t.Fatalf("frame %d: %d MB are resident, %d before, and the limit is %d; the account says %+v and %d idle", n, rss>>20, base>>20, limit>>20, st.Memory(), st.idle())
				}
			}
			got := st.Memory().Total()
			testkit.MustThat(t, got <= limit+limit/16, "frame %d: %d bytes", n, got)
		}
	}
	took := time.Since(began)
	t.Logf("%d frames of %d threads in %.1f s, %.1f million spans/s; %d MB resident at the start, %d at most (known: %v); kept %d frames of a thread, %d bytes",
		frames, dayThreads, took.Seconds(), float64(frames*dayThreads*daySpans)/1e6/took.Seconds(), base>>20, most>>20, some, s.Track(0).NumFrames(), st.Memory().Total())
	d.check(t, s, frames)
}

// check compares what is left with a session that never had anything else.
func (d *day) check(t *testing.T, s *Session, frames int64) {
	twin := NewSession()
	for _, def := range d.defs {
		twin.Apply(def)
	}
	w := &world{t: t}
	x := &worldSession{rng: rand.New(rand.NewPCG(1, 9)), s: s}
	for thread := range dayThreads {
		tr := s.Track(model.TrackID(thread))
		n := int64(tr.NumFrames())
		testkit.MustThat(t, n >= 100 && n != frames && tr.Evicted()+n == frames,
			"thread %d: %d frames, %d left memory, of %d", thread, n, tr.Evicted(), frames)
		testkit.MustEqual(t, tr.NumSpans(), n*daySpans, "thread %d: spans in %d frames", thread, n)
		for k := frames - n; k < frames; k++ {
			twin.Append(d.frame(thread, k))
		}
	}
	for thread := range dayThreads {
		w.compareTrack(x, &worldTrack{id: model.TrackID(thread), framed: true}, twin)
	}
	lo := s.Track(0).Frame(0).Begin
	for thread := range dayThreads {
		lo = max(lo, s.Track(model.TrackID(thread)).Frame(0).Begin)
	}
	w.same("lock uses", twin.Locks().Uses(1, lo, model.MaxTime, nil), s.Locks().Uses(1, lo, model.MaxTime, nil))
	w.same("lock table", twin.Locks().Stats(lo, model.MaxTime, nil), s.Locks().Stats(lo, model.MaxTime, nil))
}

// A third of a virtual minute with a limit that half of it fills; five minutes in the long form.
func TestVirtualMinute(t *testing.T) {
	frames := int64(testkit.Rounds(1200, 5*60*60))
	newDay().live(t, 4<<20, frames, 32<<20) // what other tests left behind comes and goes
}
