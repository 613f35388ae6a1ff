package trace

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
)

// span is what ran from one time to another. It gets its path and row when its track is put in order.
type span struct {
	begin, end      int64
	name            Symbol
	event, endEvent uint32
	path            model.PathID
	lane            uint16
	flags           model.SpanFlags
}

// isSpilled marks a span, while a track is put in order, that does not lie inside the one it begins in: it has a row
// of its own, below all others.
const isSpilled model.SpanFlags = 1 << 7

// nester pairs and nests the spans of tracks. It holds scratch memory.
type nester struct {
	marks   []mark
	spans   []span // of a track that was published
	open    []int
	spilled FreeRows // of spilled ones
}

// settle makes spans of the begins and ends of a track, in order and nested, with the paths of their kind.
func (b *Builder) settle(t *Track, kind int) {
	if t.settled {
		return
	}
	t.settled = true
	x := &b.scratch
	last := b.last
	if b.options.EndWithThread {
		last = t.last
	}
	nested := t.whole.n == 0
	t.spans = t.whole.drain(x.spans)
	x.spans = nil
	for i := range t.spans {
		if s := &t.spans[i]; s.flags&model.SpanOpenEnd != 0 {
			s.end = last
		}
	}
	t.spans = b.pair(t.spans, &t.marks, last)
	x.spilled = x.spilled[:0]
	switch {
	case t.Flat:
		b.nestNot(t, kind)
		return
	case nested:
		b.nestPaired(t, kind)
		return
	}
	b.nestByTime(t, kind)
	if t.thread != nil {
		b.placeSpilled(t)
	} else {
		b.partSpilled(t)
	}
}

// pair makes spans of begins and ends, appends them to a list and forgets the begins and ends. An end closes the
// innermost span, or the innermost one of its name with all inside. Each span's row is how deep it lies.
func (b *Builder) pair(list []span, marks *chunks[mark], last int64) []span {
	begins, ordered, before := 0, true, int64(math.MinInt64)
	marks.each(func(m *mark) {
		if m.event&isEnd == 0 {
			begins++
		}
		ordered, before = ordered && m.time >= before, m.time
	})
	list = slices.Grow(list, begins)
	b.scratch.open = b.scratch.open[:0]
	if ordered {
		marks.each(func(m *mark) { list = b.pairNext(list, m, last) })
		*marks = chunks[mark]{}
		return list
	}
	all := marks.drain(b.scratch.marks[:0])
	SortRuns(all, func(a, b mark) int { return cmp.Compare(a.time, b.time) })
	for i := range all {
		list = b.pairNext(list, &all[i], last)
	}
	b.scratch.marks = all
	return list
}

// pairNext takes the next begin or end.
func (b *Builder) pairNext(list []span, m *mark, last int64) []span {
	open := b.scratch.open
	if m.event&isEnd == 0 {
		b.scratch.open = append(open, len(list))
		return append(list, span{
			begin: m.time, end: last, name: m.name, event: m.event, lane: uint16(min(len(open), maxRows)),
			flags: model.SpanOpenEnd,
		})
	}
	at := len(open) - 1
	for m.name != NoSymbol && at >= 0 && list[open[at]].name != m.name && at >= len(open)-maxRows {
		at--
	}
	if at < 0 || m.name != NoSymbol && list[open[at]].name != m.name {
		b.Bad.Bad(UnmatchedEnd, Unknown)
		return list
	}
	list[open[at]].endEvent = m.event &^ isEnd
	for _, k := range open[at:] {
		list[k].end, list[k].flags = m.time, 0
	}
	b.Bad.BadN(MissingEnd, int64(len(open)-at-1), Unknown)
	b.scratch.open = open[:at]
	return list
}

// nestPaired gives spans that were paired their paths, by their rows.
func (b *Builder) nestPaired(t *Track, kind int) {
	var paths []model.PathID // by row
	kept := t.spans[:0]
	for _, s := range t.spans {
		if s.lane == maxRows {
			b.Bad.Bad(ManyRows, Unknown)
			continue
		}
		parent := model.PathRoot
		if s.lane > 0 {
			parent = paths[s.lane-1]
		}
		s.path = b.path(kind, parent, s.name)
		paths = append(paths[:s.lane], s.path)
		t.depth = max(t.depth, int(s.lane)+1)
		kept = append(kept, s)
	}
	t.spans = kept
}

// nestNot gives spans that do not nest their paths.
func (b *Builder) nestNot(t *Track, kind int) {
	for i := range t.spans {
		s := &t.spans[i]
		s.path, s.lane = b.path(kind, model.PathRoot, s.name), 0
	}
}

// nestByTime gives spans their paths and rows by which lies in which. One that ends after the one it begins in gets a
// row below all others, the first where it fits.
func (b *Builder) nestByTime(t *Track, kind int) {
	x := &b.scratch
	list := t.spans
	SortRuns(list, func(a, b span) int {
		return SortRunPairs(a.begin, b.begin, b.end, a.end, int64(a.event), int64(b.event))
	})
	evenRows(list, b.slack())
	open, kept := x.open[:0], list[:0]
	for _, s := range list {
		for len(open) > 0 && kept[open[len(open)-1]].end <= s.begin {
			open = open[:len(open)-1]
		}
		parent := model.PathRoot
		top := len(open) - 1
		if top >= 0 && s.end > kept[open[top]].end {
			row, ok := x.spilled.Take(s.begin, s.end, 1, maxRows)
			if !ok {
				row = maxRows
			}
			s.lane, s.flags = uint16(row), s.flags|isSpilled
		} else {
			s.lane = uint16(min(len(open), maxRows))
			if top >= 0 {
				parent = kept[open[top]].path
			}
		}
		if s.lane == maxRows {
			b.Bad.Bad(ManyRows, Unknown)
			continue
		}
		s.path = b.path(kind, parent, s.name)
		if s.flags&isSpilled == 0 {
			open = append(open, len(kept))
			t.depth = max(t.depth, len(open))
		}
		kept = append(kept, s)
	}
	x.open = open[:0]
	t.spans = kept
}

func (b *Builder) slack() int64 {
	switch {
	case b.options.Slack > 0:
		return b.options.Slack
	case b.fine:
		return 1
	}
	return 1000
}

// placeSpilled gives the spilled spans of a thread's track their rows below the others.
func (b *Builder) placeSpilled(t *Track) {
	if len(b.scratch.spilled) == 0 {
		return
	}
	kept := t.spans[:0]
	for _, s := range t.spans {
		if s.flags&isSpilled != 0 {
			if int(s.lane)+t.depth >= maxRows {
				b.Bad.Bad(ManyRows, Unknown)
				continue
			}
			s.lane, s.flags = s.lane+uint16(t.depth), s.flags&^isSpilled
		}
		kept = append(kept, s)
	}
	t.spans = kept
	t.depth = min(t.depth+len(b.scratch.spilled), maxRows)
	b.scratch.spilled = b.scratch.spilled[:0]
}

// partSpilled moves the spilled spans of an asynchronous track behind the others, where each stands alone.
func (b *Builder) partSpilled(t *Track) {
	if len(b.scratch.spilled) == 0 {
		return
	}
	SortRuns(t.spans, func(a, b span) int { return cmp.Compare(a.flags&isSpilled, b.flags&isSpilled) })
	for i := range t.spans {
		if s := &t.spans[i]; s.flags&isSpilled != 0 {
			s.lane, s.flags = 0, s.flags&^isSpilled
		}
	}
	b.scratch.spilled = b.scratch.spilled[:0]
}

// evenRows takes off the ends of spans what rounding added to them: by up to slack a span may seem to end after the
// next one begins, or after the one that it lies in ends. It ends where that begins, or ends, then. What overlaps by
// more stays as it is. The spans are in order, callers before what they call.
func evenRows(spans []span, slack int64) {
	var open []int32
	for i := range spans {
		s := &spans[i]
		var around *span
		for n := len(open) - 1; n >= 0 && around == nil; n-- {
			o := &spans[open[n]]
			switch over := o.end - s.begin; {
			case over <= 0:
			case over <= slack && s.end > o.end && o.begin < s.begin:
				o.end = s.begin
			default:
				around = o
				continue
			}
			open = open[:n]
		}
		if around != nil && s.end > around.end && s.end-around.end <= slack {
			s.end = around.end
		}
		if around == nil || s.end <= around.end {
			open = append(open, int32(i))
		}
	}
}

// FreeRows holds the rows of a track: when what lies last in each ends.
type FreeRows []int64

// Take returns the first of so many neighbouring rows in which nothing lies any more at a time, and fills them up to
// an end. It is called in order of begins; ok is false where that would take more than most rows.
func (r *FreeRows) Take(begin, end int64, rows, most int) (row int, ok bool) {
	free := 0
	for row = 0; row < len(*r) && free < rows; row++ {
		if free++; (*r)[row] > begin {
			free = 0
		}
	}
	if row -= free; row+rows > most {
		return 0, false
	}
	for len(*r) < row+rows {
		*r = append(*r, 0)
	}
	for k := range rows {
		(*r)[row+k] = end
	}
	return row, true
}

// sample is a stack of a thread at a time.
type sample struct {
	time  int64
	path  model.PathID
	bytes int64 // that were allocated
}

const sampleBytes = 24

// Sample takes the stack of a thread at a time, the outermost call first; it is empty where the thread was idle. A
// thread with samples shows them, and no spans.
func (t *Thread) Sample(ns int64, stack []Symbol) { t.sample(ns, stack, 0) }

// Allocation takes the stack of an allocation of bytes. A thread has these or samples.
func (t *Thread) Allocation(ns int64, stack []Symbol, bytes int64) {
	t.allocates = true
	t.sample(ns, stack, bytes)
}

func (t *Thread) sample(ns int64, stack []Symbol, bytes int64) {
	b := t.b
	if b.next(sampleBytes) == 0 {
		return
	}
	t.see(ns)
	path := model.PathRoot
	for _, name := range stack {
		path = b.path(ofThreads, path, name)
	}
	t.samples.add(sample{ns, path, bytes})
}

// publishSampled publishes the samples of a thread and the runs that they make. Where nothing was sampled for longer
// than twice the usual distance, the thread did not run: the last run before lasts that distance.
func (b *Builder) publishSampled(o *output) {
	list := o.thread.samples.drain(nil)
	SortRuns(list, func(x, y sample) int { return cmp.Compare(x.time, y.time) })
	var space Spacing
	for i := 1; i < len(list); i++ {
		space.Add(list[i].time - list[i-1].time)
	}
	usual := max(space.Median(), 1)
	t := b.stackWriter().Thread(o.def.ID, o.def.Name)
	if o.thread.allocates {
		t.Weighs(Allocated)
		usual = 0
	}
	var stack []model.PathID
	for i, s := range list {
		stack = b.table.Stack(s.path, stack[:0])
		t.Sample(s.time-b.first, stack)
		t.Weigh(float64(s.bytes))
		if i+1 == len(list) || list[i+1].time-s.time > 2*usual {
			t.Stop(s.time - b.first + usual)
		}
	}
	b.cancelled = !t.Close() || b.cancelled
}

// stackWriter returns the writer of all samples; its series follow those of counters.
func (b *Builder) stackWriter() *StackWriter {
	if b.writer == nil {
		b.writer = NewStackWriter(b.table, &b.Bad)
		b.writer.series = model.SeriesID(len(b.counters))
	}
	return b.writer
}
