package gotrace

import (
	"sort"

	"framescope/model"
	"framescope/net/trace"
)

const (
	maxDepth    = 4096 // lanes of a track that the store takes
	sureDepth   = 64   // for which there is always room
	depthBytes  = 544  // of a lane beyond: the session's, and the region in it
	flushSpans  = 4096 // of a batch without a frame
	emptyCredit = 16   // frames without regions that each event may cause
)

// call is a region that goes on.
type call struct {
	path  model.PathID
	depth int // of its span in nesting.list
}

// nesting makes spans of the marks of a goroutine, and frames of these.
type nesting struct {
	at    int64 // up to where marks were taken
	room  int   // depth for which there is room
	open  []call
	over  int // begun regions that are deeper than that
	list  []model.Span
	args  []model.Arg // of list
	fresh int         // of list: the spans behind continue published ones
	// mixed: list is not in order, because a span of length 0 was followed by its caller's neighbour.
	mixed bool

	any     bool
	seg     int  // the frame that comes next, or that goes on
	inFrame bool // it goes on
}

// mark takes a mark.
func (d *decoder) mark(g *goroutine, m mark) {
	if !g.any {
		g.any = true
		g.seg = sort.Search(len(d.frames.list), func(i int) bool { return d.frames.list[i].End > m.ns })
	}
	g.at = m.ns
	if g.seg < len(d.frames.list) {
		d.advance(g, m.ns, m.kind <= openedBefore)
	}
	switch m.kind {
	case opensInTask, opens, openedBefore:
		d.opened(g, m)
	case closes:
		d.closed(g, m.ns, 0)
	case closesAll:
		for g.over = 0; len(g.open) > 0; {
			d.closed(g, m.ns, model.SpanOpenEnd)
		}
	}
}

func (d *decoder) opened(g *goroutine, m mark) {
	depth, task := len(g.open), ""
	if m.kind == opensInTask {
		task, g.tasks = g.tasks[0], g.tasks[1:]
	}
	if depth >= g.room {
		if depth >= maxDepth || !d.room.Take(depthBytes) {
			g.over++
			d.bad.Bad(trace.ManyRows, trace.Unknown)
			return
		}
		g.room++
	}
	parent := model.PathRoot
	if depth > 0 {
		parent = g.open[depth-1].path
	}
	p := d.names.Path(parent, m.c)
	g.open = append(g.open, call{path: p, depth: len(g.list)})
	if n := len(g.list); n > 0 && g.list[n-1].Begin == m.ns && int(g.list[n-1].Lane) > depth {
		g.mixed = true
	}
	s := model.Span{Begin: m.ns, End: m.ns, Path: p, Lane: uint16(depth)}
	if m.kind == openedBefore {
		s.Flags = model.SpanOpenBegin
	}
	g.list = append(g.list, s)
	if task != "" {
		g.args = append(g.args, model.Arg{Span: int32(len(g.list) - 1), Key: taskKey, Value: model.TextArg(task)})
	}
	if len(g.list) >= flushSpans+4*depth && !g.inFrame {
		d.loose(g, m.ns)
	}
}

func (d *decoder) closed(g *goroutine, ns int64, flags model.SpanFlags) {
	if g.over > 0 {
		g.over--
		return
	}
	if n := len(g.open) - 1; n >= 0 {
		s := &g.list[g.open[n].depth]
		s.End, s.Flags = ns, s.Flags|flags
		g.open = g.open[:n]
	}
}

// fill moves a goroutine's spans into a batch. Regions that go on are published up to a time, and get
// spans that go on from there.
func (d *decoder) fill(b *model.Batch, g *goroutine, upTo int64) {
	for _, c := range g.open {
		s := &g.list[c.depth]
		s.End, s.Flags = upTo, s.Flags|model.SpanOpenEnd
	}
	b.Track = g.track
	b.Spans, b.Args = append(b.Spans, g.list...), append(b.Args, g.args...)
	if g.mixed {
		trace.Order(b.Spans, b.Args)
		g.mixed = false
	}
	clear(g.args)
	g.args = g.args[:0]
	g.list, g.fresh = g.list[:0], len(g.open)
	for k := range g.open {
		c := &g.open[k]
		c.depth = k
		g.list = append(g.list, model.Span{Begin: upTo, End: upTo, Path: c.path, Lane: uint16(k), Flags: model.SpanContinues})
	}
}

// publish hands a batch over.
func (d *decoder) publish(b *model.Batch) {
	if !d.canceled && !d.sink.Publish(b) {
		d.canceled = true
	}
}

// loose publishes a goroutine's data outside of frames, up to a time.
func (d *decoder) loose(g *goroutine, upTo int64) {
	if len(g.list) == 0 {
		return
	}
	if len(d.frames.list) > 0 {
		d.bad.BadN(trace.OutsideFrames, int64(len(g.list)-g.fresh), trace.Unknown)
	}
	b := d.sink.Begin()
	d.fill(b, g, upTo)
	d.publish(b)
}

// advance publishes the frames of a goroutine that are over when its next mark comes. What begins at
// the end of a frame is not in it, what ends there is.
func (d *decoder) advance(g *goroutine, ns int64, begins bool) {
	list := d.frames.list
	for g.seg < len(list) && !d.canceled {
		f := list[g.seg]
		if !g.inFrame {
			if ns < f.Begin || ns == f.Begin && !begins {
				return
			}
			d.loose(g, f.Begin)
			g.inFrame = true
		}
		if ns < f.End || ns == f.End && !begins {
			return
		}
		if len(g.list) == g.fresh && g != d.frames.of {
			if d.credit--; d.credit < 0 {
				d.pass(g, ns)
				continue
			}
		}
		d.frame(g, f.End)
	}
}

// pass goes on to the frame of a time. Those before it, in which the goroutine began nothing, are left
// out: a file of few bytes can make more goroutines and frames than anybody can show.
func (d *decoder) pass(g *goroutine, ns int64) {
	rest := d.frames.list[g.seg:]
	n := max(sort.Search(len(rest), func(i int) bool { return rest[i].End > ns }), 1)
	d.bad.BadN(trace.ManyEmptyFrames, int64(n), trace.Unknown)
	g.seg, g.inFrame = g.seg+n, false
}

// frame publishes the frame of a goroutine that goes on, up to a time.
func (d *decoder) frame(g *goroutine, upTo int64) {
	f := d.frames.list[g.seg]
	upTo = min(upTo, f.End)
	b := d.sink.Begin()
	b.HasFrame, b.Open, b.Number, b.Begin, b.End = !f.Open, f.Open, int64(g.seg), f.Begin, f.End
	for _, c := range g.open {
		g.list[c.depth].End = upTo
	}
	b.Self = d.alone.Whole(b.Self, g.list, f.Begin, f.End, d.names.Of)
	d.fill(b, g, upTo)
	d.publish(b)
	g.seg, g.inFrame = g.seg+1, false
}

// replay publishes the regions of a goroutine that began before a time. Those of a frame that goes on
// wait for its end.
func (d *decoder) replay(g *goroutine, cut int64) {
	n := 0
	for n < len(g.marks) && (g.marks[n].ns < cut || g.marks[n].ns == cut && g.marks[n].kind >= closes) && !d.canceled {
		d.mark(g, g.marks[n])
		n++
	}
	g.marks = g.marks[:copy(g.marks, g.marks[n:])]
	if g == d.frames.of {
		g.any = true
	}
	switch {
	case g.ended && len(g.marks) == 0 && len(g.open) == 0: // of frames behind its end it has none
		if g.inFrame {
			d.frame(g, cut)
		}
	case g == d.frames.of || g.inFrame || len(g.open) > 0:
		d.advance(g, cut, true)
	}
	if !g.inFrame {
		d.loose(g, cut)
		rest := d.frames.list[g.seg:]
		g.seg += sort.Search(len(rest), func(i int) bool { return rest[i].End > cut })
	}
}
