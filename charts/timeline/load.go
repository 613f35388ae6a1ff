package timeline

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// Where spans are only a few pixels wide, a track is drawn as a curve of its load: in each column of
// time the share in which it was busy, by its main collectors. Waits, and the own time of frames, are
// no load, and stops are no time: the curve has a gap there. It replaces the bars by and by while one
// zooms out.

// Sizes in scale-1 pixels.
const (
	loadColumnPx = 4 // least width of a column; it is a power of two in ns
	loadUnits    = 2 // frames or spans in it at least, so that their number does not beat with it
	loadWholePx  = 5 // width of frames, or spans, from which on the bars are gone
	loadNonePx   = 8 // and below which they begin to go
)

// Limits of load curves.
const (
	loadFamilies = 8       // main collectors of a track; the rest of its load is one
	loadRing     = 1 << 10 // columns kept of a track
	loadWork     = 1 << 15 // spans and entries looked at in a tick of the window
	loadShort    = 4       // columns
	loadLateNs   = 2e9     // of the newest columns some data may be missing: they are made once more
)

// loadCurves keeps the load of tracks.
type loadCurves struct {
	session *store.Session
	of      []*trackLoad // by track
	tree    spans.Tree
	family  []int                     // of each node of the tree
	level   map[model.CollectorID]int // see chooseFamilies
	work    int64                     // of this picture
	pending bool                      // columns in sight are not known yet
	turns   uint64
	drawn   []drawnLoad
	stops   []frames.Stop   // of the track in sight
	parts   []model.Stretch // of time, without stops
}

// trackLoad is the load of a track in columns of one width, and those of the width before until all in
// sight are known.
type trackLoad struct {
	now, before *loadColumns
	families    [loadFamilies]model.CollectorID // see loadColumns
	chosen      int64                           // spans that the track had when they were chosen, 0: they are not
}

// loadColumns is the load of a track in columns of 1 << shift ns.
type loadColumns struct {
	shift    uint
	families [loadFamilies]model.CollectorID // NoCollector: there are no more
	ring     [loadRing]loadColumn            // by number, modulo its length
}

// loadColumn is the shares of its time that the families, and behind them all others, take.
type loadColumn struct {
	number int64
	workNs int64 // of its time, without stops
	known  bool
	final  bool  // later data do not change it
	ended  bool  // later data hardly change it
	spans  int64 // else the number of spans that the track had
	shares [loadFamilies + 1]float32
}

// drawnLoad is the curve of a track in the picture.
type drawnLoad struct {
	track   model.TrackID
	offset  int64
	columns *loadColumns
	y0, y1  float32
}

// reset begins a picture.
func (c *loadCurves) reset(env *panel.Env) {
	if s := env.View.Session(); s != c.session {
		c.session, c.of = s, nil
	}
	c.drawn, c.work, c.pending = c.drawn[:0], 0, false
}

// loadUnit returns how far apart the frames of a track are in the mean, or its spans where it has no frames,
// in pixels; 0 where there are none in sight.
func (s *spanLane) loadUnit(p *timepane.Pane, env *panel.Env, b *block) float32 {
	tr := env.View.Session().Track(b.track)
	begin, end := env.View.Time().Visible()
	from, to, n := int64(0), int64(0), int64(0)
	if b.root {
		first, last := max(tr.FrameAt(begin-b.offset), 0), tr.FrameAt(end-b.offset)
		if last < first {
			return 0
		}
		from, to, n = tr.Frame(first).Begin, tr.Frame(last).End, int64(last-first+1)
	} else {
		at := len(s.found)
		s.found = env.View.Session().Spans().Visible(b.track, 0, begin-b.offset, end-b.offset, s.minNs, s.found)
		found := s.found[at:]
		s.found = s.found[:at]
		if len(found) == 0 {
			return 0
		}
		from, to = found[0].Begin, found[len(found)-1].End
		for i := range found {
			n += int64(found[i].Count)
		}
	}
	return float32(float64(to-from) / float64(n) / p.NsPerPx())
}

// loadShare returns how far the bars of a track have gone, from 0 to 1, by the width of a unit.
func (s *spanLane) loadShare(env *panel.Env, b *block, unit float32) float32 {
	if !env.View.Session().Track(b.track).Def.Kind.Calls() || s.searching || s.base != nil || b.dense || unit == 0 {
		return 0
	}
	return min(max((env.Px(loadNonePx)-unit)/env.Px(loadNonePx-loadWholePx), 0), 1)
}

// draw draws the curve of a track over its lanes, as strong as share, from 0 to 1. It reports whether
// there is one: its columns may not be known yet.
func (c *loadCurves) draw(p *timepane.Pane, env *panel.Env, s *spanLane, b *block, unit, share float32) bool {
	columns := c.columns(p, env, b, unit)
	if columns == nil {
		return false
	}
	l, y0, y1, alpha := p.List(), b.loadY0, b.loadY1, uint8(255*share)
	short := s.selected.IsShort(loadShort << columns.shift) // a few columns are no reason to dim all others
	from, to := columns.inSight(env, b)
	tr := c.session.Track(b.track)
	first, _, _ := tr.Bounds()
	begin, end := max(from, first>>columns.shift)<<columns.shift, (to+1)<<columns.shift
	c.stops = tr.StopsTouching(begin, end, c.stops[:0])
	c.parts = working(c.stops, begin, end, c.parts[:0])
	columns.each(c.parts, func(col *loadColumn, begin, end int64) {
		x0, x1, seen := p.PxRange(env, begin+b.offset, end+b.offset)
		if !seen {
			return
		}
		outside := !short && s.selected.Leaves(begin+b.offset, end+b.offset)
		if share < 1 && col.shares != (loadColumn{}).shares {
			l.Rect(draw.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}, draw.Color(env.Theme.Panel).WithAlpha(alpha))
		}
		y := y1
		for i, part := range col.shares {
			if part <= 0 || i < loadFamilies && env.View.Look().Hidden(columns.families[i]) {
				continue
			}
			top := max(y-part*(y1-y0), y0)
			fill := draw.Color(env.Theme.FrameBar)
			if i < loadFamilies {
				fill = s.pal.Drawn(columns.families[i], outside).Fill
			}
			l.Rect(draw.Rect{X0: x0, Y0: top, X1: x1, Y1: y}, fill.WithAlpha(alpha))
			y = top
		}
	})
	c.drawn = append(c.drawn, drawnLoad{b.track, b.offset, columns, y0, y1})
	return true
}

// working appends the parts of [begin, end) outside stops, in order.
func working(stops []frames.Stop, begin, end int64, out []model.Stretch) []model.Stretch {
	for _, s := range stops {
		if until := min(s.Begin, end); begin < until {
			out = append(out, model.Stretch{Begin: begin, End: until})
		}
		begin = max(begin, s.End)
	}
	if begin < end {
		out = append(out, model.Stretch{Begin: begin, End: end})
	}
	return out
}

// each calls f for the known columns in parts of time, each with what lies in one part.
func (x *loadColumns) each(parts []model.Stretch, f func(col *loadColumn, begin, end int64)) {
	for _, part := range parts {
		for number := part.Begin >> x.shift; number<<x.shift < part.End; number++ {
			if col := x.at(number); col.known && col.number == number {
				f(col, max(number<<x.shift, part.Begin), min((number+1)<<x.shift, part.End))
			}
		}
	}
}

// columns returns the columns of a track to be drawn, nil if there are none yet, and makes those in sight.
func (c *loadCurves) columns(p *timepane.Pane, env *panel.Env, b *block, unit float32) *loadColumns {
	for int(b.track) >= len(c.of) {
		c.of = append(c.of, nil)
	}
	t := c.of[b.track]
	if t == nil {
		t = &trackLoad{}
		c.of[b.track] = t
	}
	width, shift := p.PowerOf(max(env.Px(loadColumnPx), loadUnits*unit)), uint(0)
	for int64(1)<<shift < width {
		shift++
	}
	if n := c.session.Track(b.track).NumSpans(); t.now == nil || t.now.shift != shift {
		if t.chosen == 0 && env.Paced && c.work > loadWork {
			c.pending = true
			return nil
		}
		if t.before == nil || t.now != nil && t.now.isWhole(env, b, c.session) {
			t.before = t.now
		}
		if t.chosen == 0 || n > 2*t.chosen {
			c.chooseFamilies(b, &t.families)
			t.chosen = max(n, 1)
		}
		t.now = &loadColumns{shift: shift, families: t.families}
	}
	if c.fill(env, b, t.now) {
		t.before = nil
		return t.now
	}
	c.pending = true
	if t.before == nil { // an unfinished curve is better than none
		return t.now
	}
	return t.before
}

// inSight returns the numbers of the first and last column in sight.
func (x *loadColumns) inSight(env *panel.Env, b *block) (from, to int64) {
	begin, end := env.View.Time().Visible()
	from, to = (begin-b.offset)>>x.shift, (end-b.offset)>>x.shift
	return from, min(to, from+loadRing-1)
}

func (x *loadColumns) at(number int64) *loadColumn { return &x.ring[number&(loadRing-1)] }

// isWhole reports whether all columns in sight are known.
func (x *loadColumns) isWhole(env *panel.Env, b *block, s *store.Session) bool {
	from, to := x.inSight(env, b)
	tr := s.Track(b.track)
	for number := from; number <= to; number++ {
		if !x.at(number).isKnown(number, tr, false) {
			return false
		}
	}
	return true
}

// isKnown reports whether the column is up to date for a number. With final, a column that later spans may still change
// is not.
func (col *loadColumn) isKnown(number int64, tr *store.Track, final bool) bool {
	return col.known && col.number == number && (col.final || col.spans == tr.NumSpans() || col.ended && !final)
}

// fill makes the columns in sight that are not known, as many as the work of a tick allows. It reports
// whether all are known.
func (c *loadCurves) fill(env *panel.Env, b *block, x *loadColumns) bool {
	tr := c.session.Track(b.track)
	_, last, ok := tr.Bounds()
	if !ok {
		return true
	}
	from, to := x.inSight(env, b)
	c.stops = tr.StopsTouching(from<<x.shift, (to+1)<<x.shift, c.stops[:0])
	judged := last // later frames cannot change the stops before
	if n := tr.NumFrames(); n > 0 {
		judged = tr.Frame(max(n-1-frames.Near, 0)).Begin
	}
	one := [1]model.TrackID{b.track}
	_, over := c.session.Ended()
	for number := from; number <= to; number++ {
		col := x.at(number)
		begin := number << x.shift
		end := begin + 1<<x.shift
		final := end <= min(last-loadLateNs, judged)
		if col.isKnown(number, tr, final || over) {
			continue
		}
		if env.Paced && c.work > loadWork {
			return false
		}
		*col = loadColumn{number: number, known: true, final: final, ended: end <= last, spans: tr.NumSpans()}
		c.parts = working(c.stops, begin, end, c.parts[:0])
		for _, part := range c.parts {
			col.workNs += part.End - part.Begin
		}
		for _, part := range c.parts {
			c.session.Spans().Tree(one[:], part.Begin, part.End, &c.tree)
			c.work += c.tree.Visited + int64(len(c.tree.Nodes)) + 16
			c.shares(x, float32(col.workNs), &col.shares)
		}
	}
	return true
}

// shares sums the tree up by family: the outermost one that a call is, or is called from, gets its self time.
func (c *loadCurves) shares(x *loadColumns, width float32, out *[loadFamilies + 1]float32) {
	c.family = c.family[:0]
	for i := range c.tree.Nodes {
		n := &c.tree.Nodes[i]
		family := loadFamilies
		if n.Parent >= 0 {
			family = c.family[n.Parent]
		}
		if at := slices.Index(x.families[:], n.Collector); family == loadFamilies && at >= 0 {
			family = at
		}
		c.family = append(c.family, family)
		if of := c.session.Collector(n.Collector); of.Works() && n.Self > 0 {
			out[family] += float32(n.Self) / width
		}
	}
}

// chooseFamilies chooses the main collectors of a track in the session: those of the outermost level of
// calls on which none has most of the load.
func (c *loadCurves) chooseFamilies(b *block, chosen *[loadFamilies]model.CollectorID) {
	const most, deepest = 0.6, 4
	begin, end, _ := c.session.Track(b.track).Bounds()
	one := [1]model.TrackID{b.track}
	c.session.Spans().Tree(one[:], begin, end+1, &c.tree)
	c.work += c.tree.Visited + int64(len(c.tree.Nodes))
	type family struct {
		of   model.CollectorID
		busy int64
	}
	var list []family
	if c.level == nil {
		c.level = map[model.CollectorID]int{}
	}
	for depth := int32(0); depth <= deepest; depth++ {
		var level []family
		whole, at, known := int64(0), -1, false
		clear(c.level)
		for i := range c.tree.Nodes {
			n := &c.tree.Nodes[i]
			if n.Depth == depth {
				if at, known = c.level[n.Collector]; !known {
					at = len(level)
					c.level[n.Collector] = at
					level = append(level, family{of: n.Collector})
				}
			}
			of := c.session.Collector(n.Collector)
			if !of.Works() {
				continue
			}
			if whole += n.Self; n.Depth >= depth {
				level[at].busy += n.Self
			}
		}
		level = slices.DeleteFunc(level, func(f family) bool { return f.busy == 0 })
		sum := int64(0)
		for _, f := range level {
			sum += f.busy
		}
		if float64(sum) < most*float64(whole) || sum == 0 { // the load is further up
			break
		}
		list = level
		slices.SortStableFunc(list, func(a, b family) int { return cmp.Compare(b.busy, a.busy) })
		if float64(list[0].busy) < most*float64(whole) && !c.session.Collector(list[0].of).IsFrameRoot() {
			break
		}
	}
	list = list[:min(len(list), loadFamilies)]
	slices.SortFunc(list, func(a, b family) int { return cmp.Compare(a.of, b.of) })
	for i := range chosen {
		chosen[i] = model.NoCollector
		if i < len(list) {
			chosen[i] = list[i].of
		}
	}
}

// at returns the curve at a height, and its column at a time; nil where there is none. A stop has no column.
func (c *loadCurves) at(pxY float32, timeNs int64) (d *drawnLoad, col *loadColumn) {
	i := slices.IndexFunc(c.drawn, func(d drawnLoad) bool { return pxY >= d.y0 && pxY < d.y1 })
	if i < 0 {
		return nil, nil
	}
	d = &c.drawn[i]
	timeNs -= d.offset
	c.stops = c.session.Track(d.track).StopsTouching(timeNs, timeNs, c.stops[:0])
	c.parts = working(c.stops, timeNs, timeNs+1, c.parts[:0])
	d.columns.each(c.parts, func(at *loadColumn, _, _ int64) { col = at })
	return d, col
}

// collectorAt returns the family whose part of a column is at a height, NoCollector where there is none.
func (d *drawnLoad) collectorAt(col *loadColumn, pxY float32) model.CollectorID {
	y := d.y1
	for i, part := range col.shares {
		if y -= part * (d.y1 - d.y0); pxY >= y {
			if i < loadFamilies {
				return d.columns.families[i]
			}
			break
		}
	}
	return model.NoCollector
}

// span returns the time of a column on the session's clock.
func (d *drawnLoad) span(col *loadColumn) (begin, end int64) {
	begin = col.number << d.columns.shift
	return begin + d.offset, begin + 1<<d.columns.shift + d.offset
}

// tip describes a column.
func (d *drawnLoad) tip(env *panel.Env, tip *panel.TipLines, col *loadColumn) {
	s := env.View.Session()
	begin, _ := d.span(col)
	busy := float32(0)
	for _, part := range col.shares {
		busy += part
	}
	tip.Text(s.Track(d.track).Title()).End()
	tip.Text("load\t").Percent(float64(busy)).End()
	for i, part := range col.shares {
		switch {
		case part == 0:
		case i < loadFamilies:
			tip.Text(s.Collector(d.columns.families[i]).Title()).Text("\t").Percent(float64(part)).End()
		default:
			tip.Text("others\t").Percent(float64(part)).End()
		}
	}
	tip.Text("of\t").Duration(col.workNs).End()
	tip.Text("from\t").Clock(begin).End()
}
