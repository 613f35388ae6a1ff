package store

import (
	"math/rand/v2"
	"slices"

	"framescope/model"
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
