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
}

// build lays out spans from the frames: lane by lane, continuations glued.
func (t *plainTrack) build() {
	t.lanes, t.began = map[int][]plainSpan{}, map[int][]int{}
	last := model.NoFrame
	for i, b := range t.frames {
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
					o.end = sp.End
					o.flags = o.flags&^model.SpanOpenEnd | flags&model.SpanOpenEnd
					continue
				}
				flags |= model.SpanOpenBegin
			}
			t.began[int(sp.Lane)] = append(t.began[int(sp.Lane)], i)
			t.lanes[int(sp.Lane)] = append(l, plainSpan{sp.Begin, sp.End, sp.Path, flags, int(sp.Lane), nil})
		}
		last = b.Number
	}
}

// game makes frames as a game does: nested spans of random shape that may outlive the frame or
// their caller, exclusive times, levels, gaps, hitches.
type game struct {
	rng    *rand.Rand
	now    int64
	number int64
	open   []model.PathID // running at the end of the last frame, outermost first
	// Shape.
	collectors, depth, spansPerFrame int
	stepNs                           int64 // mean length of a step
	wild                             bool  // steps and frames of minutes now and then
	children                         [][]model.PathID
	parents                          []model.PathID
	of                               []model.CollectorID
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

// frame makes the next frame.
func (g *game) frame() *model.Batch {
	b := &model.Batch{HasFrame: true, Number: g.number, Begin: g.now}
	g.number++
	rng := g.rng
	type running struct {
		span int
		path model.PathID
	}
	var stack []running
	start := func(p model.PathID, flags model.SpanFlags) {
		b.Spans = append(b.Spans, model.Span{Begin: g.now, Path: p, Lane: uint16(len(stack)), Flags: flags})
		stack = append(stack, running{len(b.Spans) - 1, p})
	}
	for _, p := range g.open {
		start(p, model.SpanContinues)
	}
	alone := map[model.CollectorID]model.CollectorTime{}
	for range g.spansPerFrame * 2 {
		step := rng.Int64N(g.stepNs * 2)
		if g.wild && rng.IntN(50) == 0 {
			step = rng.Int64N(20e9)
		}
		if len(stack) > 0 {
			c := g.of[stack[len(stack)-1].path]
			a := alone[c]
			alone[c] = model.CollectorTime{Collector: c, Ns: a.Ns + step, Count: a.Count + 1}
		}
		g.now += step
		top := model.PathRoot
		if len(stack) > 0 {
			top = stack[len(stack)-1].path
		}
		if kids := g.children[top]; len(kids) > 0 && (len(stack) == 0 || rng.IntN(3) > 0) {
			start(kids[rng.IntN(len(kids))], 0)
		} else if len(stack) > 0 {
			b.Spans[stack[len(stack)-1].span].End = g.now
			stack = stack[:len(stack)-1]
		}
	}
	b.End = g.now
	g.open = g.open[:0]
	keep := rng.IntN(len(stack) + 1)
	for i, r := range stack {
		sp := &b.Spans[r.span]
		sp.End = g.now
		path := r.path
		if other := model.PathID(1 + rng.IntN(len(g.of)-1)); g.of[other] == g.of[path] && rng.IntN(2) == 0 { // it outlives its caller
			path = other
			b.Spans = append(b.Spans, model.Span{Begin: sp.Begin + rng.Int64N(sp.End-sp.Begin+1), End: sp.End, Path: other, Lane: sp.Lane, Flags: model.SpanMoves})
			sp = &b.Spans[len(b.Spans)-1]
			b.Spans[r.span].End = sp.Begin
		}
		if i < keep {
			sp.Flags |= model.SpanOpenEnd
			g.open = append(g.open, path)
		}
	}
	slices.SortStableFunc(b.Spans, func(a, c model.Span) int {
		if a.Begin != c.Begin {
			return int(max(min(a.Begin-c.Begin, 1), -1))
		}
		return int(a.Lane) - int(c.Lane)
	})
	for _, a := range alone {
		if rng.IntN(20) == 0 {
			a.Ns = -a.Ns // section 4.1
		}
		b.Alone = append(b.Alone, a)
	}
	slices.SortFunc(b.Alone, func(a, c model.CollectorTime) int { return int(a.Collector - c.Collector) })
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
	return b
}
