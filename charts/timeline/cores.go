package timeline

import (
	"math"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// Core bands: a track of which is known on which processor it ran (a RoleProcessor series) gets a band under its lanes, coloured by processor, with a mark where it moved to another.
//
// The band is asked for in columns of a power of two of ns, two to four pixels wide, at multiples of that: what a column holds does not depend on where the picture begins, so nothing flickers while
// it pans. A column in which the processor changed once is drawn exactly; one in which it changed more often is divided in height by the share of time of each.
const (
	coreH     = 11 // height of the band, in scale-1 pixels
	coreGap   = 4  // above it: the marks
	coreMarks = 7  // least distance of marks
	mostCores = 6  // told apart in one column
	coreProbe = 32 // samples of a column that are looked at one by one; beyond, that many moments are
)

// coreRun is a part of a core band as it was drawn: a stretch on one processor, or a column divided among several.
type coreRun struct {
	begin, end int64 // of the session
	x0, x1     float32
	core       int32
	changes    int64 // of a divided column: samples in it, 0 for a stretch
	from, to   int   // of a divided column: its shares
}

type coreShare struct {
	core  int32
	share float64
}

// drawnCores is a band as it was drawn: runs[from:to].
type drawnCores struct {
	block    int
	series   *model.Series
	r        draw.Rect
	from, to int
}

// coreBands is what the timeline keeps for the bands.
type coreBands struct {
	session *model.Session
	defs    uint64
	of      map[model.TrackID]*model.Series
	bins    []model.SeriesBin
	samples []model.Sample
	shares  []coreShare
	runs    []coreRun
	px      []drawnCores
	counted coreCount
}

// coreCount is a kept answer: how often the processor changed in a range.
type coreCount struct {
	series     *model.Series
	rev        uint64
	begin, end int64
	n          int64
	more       bool
}

// seriesOf returns the series that says on which processor a track ran, nil without one.
func (c *coreBands) seriesOf(s *model.Session, id model.TrackID) *model.Series {
	if defs := s.DefsRevision(); c.session != s || c.defs != defs {
		c.session, c.defs = s, defs
		clear(c.of)
		for i := range model.SeriesID(s.NumSeries()) {
			d := s.Series(i)
			if d.Def.Role != model.RoleProcessor || d.Def.Track == model.NoTrack || c.of[d.Def.Track] != nil {
				continue
			}
			if c.of == nil {
				c.of = map[model.TrackID]*model.Series{}
			}
			c.of[d.Def.Track] = d
		}
	}
	if d := c.of[id]; d != nil && d.Len() > 0 {
		return d
	}
	return nil
}

// coreOf returns the number of a processor from a sample's value.
func coreOf(v float64) int32 { return int32(min(max(v, 0), math.MaxInt32)) }

// drawCores draws the core band of a block.
func (t *Timeline) drawCores(env *panel.Env, block int, begin, end int64) {
	b := &t.blocks[block]
	if b.cores == nil || b.folded {
		return
	}
	y := t.screenY(b.y) + t.laneOffset(env, b, max(b.lanes, 1)) + env.Px(coreGap)
	r := draw.Rect{X0: t.plot.X0, Y0: y, X1: t.plot.X1, Y1: y + env.Px(coreH)}
	if r.Y1 <= t.plot.Y0 || r.Y0-env.Px(coreGap) >= t.plot.Y1 {
		return
	}
	c := &t.cores
	d := drawnCores{block: block, series: b.cores, r: r, from: len(c.runs)}
	t.coreRuns(env, b, begin, end)
	d.to = len(c.runs)
	c.px = append(c.px, d)
	marked := float32(math.Inf(-1))
	for i := d.from; i < d.to; i++ {
		run := &c.runs[i]
		if run.changes > 0 {
			t.drawCoreShares(env, run, r)
			continue
		}
		fill, text := coreColor(env, run.core)
		bar := draw.Rect{X0: run.x0, Y0: r.Y0, X1: run.x1, Y1: r.Y1}
		t.list.Rect(bar, fill)
		t.coreLabel(env, bar, run.core, text)
		if i == d.from || c.runs[i-1].changes > 0 || c.runs[i-1].end != run.begin || run.x0-marked < env.Px(coreMarks) || run.x0 < t.plot.X0 {
			continue
		}
		marked = run.x0
		w, h := env.Px(3), env.Px(coreGap)
		t.list.Triangle(run.x0-w, r.Y0-h, run.x0+w, r.Y0-h, run.x0, r.Y0+1, draw.Color(env.Theme.Text))
	}
}

// coreColor returns the colours of a processor's part of a band. It stays behind the spans, which are what one looks for.
func coreColor(env *panel.Env, core int32) (fill, text draw.Color) {
	fill, text = subject.CategoryColor(env.Theme, int(core))
	return draw.Mix(fill, draw.Color(env.Theme.Panel), 70), text
}

// coreLabel writes the processor into its bar: "CPU 3", or the number alone, as there is room.
func (t *Timeline) coreLabel(env *panel.Env, bar draw.Rect, core int32, text draw.Color) {
	in := draw.Rect{X0: max(bar.X0, t.plot.X0) + env.Px(4), Y0: bar.Y0, X1: min(bar.X1, t.plot.X1) - env.Px(2), Y1: bar.Y1}
	if in.W() < env.Px(6) {
		return
	}
	t.buf = strconv.AppendInt(append(t.buf[:0], "CPU "...), int64(core), 10)
	if !t.list.TextFit(draw.Small, in, draw.Left, panel.ScratchText(t.buf), text) {
		t.list.TextFit(draw.Small, in, draw.Left, panel.ScratchText(t.buf[len("CPU "):]), text)
	}
}

// drawCoreShares draws a column in which the processor changed more than once.
func (t *Timeline) drawCoreShares(env *panel.Env, run *coreRun, r draw.Rect) {
	y, sum := r.Y0, 0.0
	for _, s := range t.cores.shares[run.from:run.to] {
		sum += s.share
		y1 := r.Y0 + float32(math.Round(sum*float64(r.H())))
		fill, _ := coreColor(env, s.core)
		t.list.Rect(draw.Rect{X0: run.x0, Y0: y, X1: run.x1, Y1: y1}, fill)
		y = y1
	}
}

// coreRuns finds what to draw of a band in [begin, end).
func (t *Timeline) coreRuns(env *panel.Env, b *timelineBlock, begin, end int64) {
	c := &t.cores
	w := t.twoPixels()
	begin, end = begin-b.offset, min(end-b.offset, knownUntil(env.View.Session(), b.track))
	t0 := format.FloorDiv(begin, w) * w
	n := int((end-t0)/w) + 1
	if end <= t0 || n > 1<<16 { // nothing is known here, or there are no pixels
		return
	}
	c.bins = b.cores.Bins(t0, t0+int64(n)*w, n, c.bins[:0])
	first := len(c.runs)
	for i := range c.bins {
		bin := &c.bins[i]
		last := min(bin.End, end)
		if last <= bin.Begin {
			break
		}
		switch {
		case bin.N == 0 && bin.Gaps == 0, bin.Gaps == 0 && bin.Min == bin.Max && bin.HasBefore && bin.Before == bin.Min:
			if bin.HasBefore {
				t.coreRun(env, b, first, bin.Begin, last, coreOf(bin.Before))
			}
		case bin.N+bin.Gaps == 1:
			c.samples = b.cores.Samples(bin.Begin, bin.End, 1, c.samples[:0])
			if len(c.samples) == 0 {
				continue
			}
			at := c.samples[0].Time
			if bin.HasBefore && at > bin.Begin {
				t.coreRun(env, b, first, bin.Begin, min(at, last), coreOf(bin.Before))
			}
			if bin.N == 1 && at < last {
				t.coreRun(env, b, first, at, last, coreOf(bin.First))
			}
		default:
			from := len(c.shares)
			c.shares = c.divide(b.cores, bin, c.shares)
			run := coreRun{begin: bin.Begin + b.offset, end: last + b.offset, changes: bin.N + bin.Gaps, from: from, to: len(c.shares)}
			run.x0, run.x1 = t.pxOf(run.begin, env), t.pxOf(run.end, env)
			c.runs = append(c.runs, run)
		}
	}
}

// knownUntil returns up to when what was last said of a track holds, on its own clock: where its data end, or, while it and the session go on, where the session's end.
func knownUntil(s *model.Session, id model.TrackID) int64 {
	tr := s.Track(id)
	_, end, ok := tr.Bounds()
	if _, ended := s.Ended(); ok && !ended && tr.Alive && !tr.Def.OwnClock && !s.Info().File {
		if _, now, ok := s.Bounds(); ok {
			end = max(end, now)
		}
	}
	return end
}

// coreRun adds a stretch on one processor, or lengthens the last one of the band, whose runs begin at first.
func (t *Timeline) coreRun(env *panel.Env, b *timelineBlock, first int, begin, end int64, core int32) {
	c := &t.cores
	begin, end = begin+b.offset, end+b.offset
	if n := len(c.runs); n > first && c.runs[n-1].changes == 0 && c.runs[n-1].core == core && c.runs[n-1].end == begin {
		c.runs[n-1].end, c.runs[n-1].x1 = end, t.pxOf(end, env)
		return
	}
	c.runs = append(c.runs, coreRun{begin: begin, end: end, x0: t.pxOf(begin, env), x1: t.pxOf(end, env), core: core})
}

// divide appends the share that each processor has of a bin, ascending by number. Where there are too many samples to look at each, evenly spaced moments stand for them.
func (c *coreBands) divide(d *model.Series, bin *model.SeriesBin, out []coreShare) []coreShare {
	from, width := len(out), float64(bin.End-bin.Begin)
	if bin.N+bin.Gaps > coreProbe {
		for i := range int64(coreProbe) {
			if s, ok := d.At(bin.Begin + (bin.End-bin.Begin)*(2*i+1)/(2*coreProbe)); ok {
				out = addShare(out, from, coreOf(s.Value), 1.0/coreProbe)
			}
		}
		return out
	}
	at, v := bin.Begin, math.NaN()
	if bin.HasBefore {
		v = bin.Before
	}
	c.samples = d.Samples(bin.Begin, bin.End, 0, c.samples[:0])
	for i := range c.samples {
		s := &c.samples[i]
		if !math.IsNaN(v) {
			out = addShare(out, from, coreOf(v), float64(s.Time-at)/width)
		}
		at, v = s.Time, s.Value
	}
	if !math.IsNaN(v) {
		out = addShare(out, from, coreOf(v), float64(bin.End-at)/width)
	}
	return out
}

// addShare adds a share to that of a processor in out[from:], kept ascending. What comes after mostCores different ones goes to the last of them.
func addShare(out []coreShare, from int, core int32, share float64) []coreShare {
	i := from
	for i < len(out) && out[i].core < core {
		i++
	}
	switch {
	case i < len(out) && out[i].core == core:
		out[i].share += share
	case len(out)-from == mostCores:
		out[len(out)-1].share += share
	default:
		out = append(out, coreShare{})
		copy(out[i+1:], out[i:])
		out[i] = coreShare{core, share}
	}
	return out
}

// coresAt returns the band that was drawn at a point, and its run there; nil where none was.
func (t *Timeline) coresAt(pxX, pxY float32) (*drawnCores, *coreRun) {
	if !t.plot.Contains(pxX, pxY) {
		return nil, nil
	}
	for i := range t.cores.px {
		d := &t.cores.px[i]
		if pxY < d.r.Y0-coreGap || pxY >= d.r.Y1+1 {
			continue
		}
		for j := d.from; j < d.to; j++ {
			if run := &t.cores.runs[j]; pxX >= run.x0 && pxX < run.x1 {
				return d, run
			}
		}
		return d, nil
	}
	return nil, nil
}

// coreTip describes a band at a time of the session.
func (t *Timeline) coreTip(env *panel.Env, d *drawnCores, run *coreRun, timeNs int64) {
	tip, offset := &t.tip, t.blocks[d.block].offset
	if run.changes > 0 {
		tip.Plural(run.changes, "change", "changes").Text(" of processor in ").Duration(run.end - run.begin).End()
		for _, s := range t.cores.shares[run.from:run.to] {
			tip.Text("CPU ").Count(int64(s.core)).Text("\t").Percent(s.share).End()
		}
	} else {
		tip.Text("CPU ").Count(int64(run.core)).End()
		if since, ok := coreSince(d.series, timeNs-offset); ok {
			tip.Text("since\t").Clock(since + offset).End()
			tip.Text("for\t").Duration(timeNs - since - offset).End()
		}
	}
	n, more := t.cores.migrations(env, d.series, offset)
	tip.Text("migrations in view\t")
	if more {
		tip.Text("≥ ")
	}
	tip.Count(n).End()
}

// coreSince returns when the processor at a time was come to. Samples that say the same again are passed, a few hundred at most.
func coreSince(d *model.Series, timeNs int64) (since int64, ok bool) {
	s, ok := d.At(timeNs)
	if !ok {
		return 0, false
	}
	for range 512 {
		before, ok := d.At(s.Time - 1)
		if !ok || before.Value != s.Value {
			break
		}
		s = before
	}
	return s.Time, true
}

// migrations counts how often the processor changed in the visible range; more tells that there were too many samples to look at all.
func (c *coreBands) migrations(env *panel.Env, d *model.Series, offset int64) (n int64, more bool) {
	const most = 1 << 16
	begin, end := env.View.Time().Visible()
	want := coreCount{series: d, rev: env.View.Session().Revision(), begin: begin - offset, end: end - offset}
	if k := &c.counted; k.series == want.series && k.rev == want.rev && k.begin == want.begin && k.end == want.end {
		return k.n, k.more
	}
	c.samples = d.Samples(want.begin, want.end, most, c.samples[:0])
	before, known := d.At(want.begin - 1)
	for i := range c.samples {
		s := &c.samples[i]
		if math.IsNaN(s.Value) {
			continue // a thread that was not seen for a while may come back elsewhere
		}
		if known && s.Value != before.Value {
			want.n++
		}
		before, known = *s, true
	}
	want.more = len(c.samples) == most
	c.counted = want
	return want.n, want.more
}
