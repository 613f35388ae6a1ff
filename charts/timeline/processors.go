package timeline

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/store"
)

// Chart is a timeline turned round: a group of rows for each processor. The first row shows how
// busy it was, and with which threads; below is a row for each thread that ever ran there, with its
// outermost spans while it did. It needs RoleProcessor series.
//
// A thread is on one processor at a time, but its span there may continue while another thread has
// the processor: so threads have rows of their own. Spans are cut where the thread moved; where it
// moved too often, a piece is as strong as the share of time that it spent on the processor.
type Chart struct {
	pane  timepane.Pane
	stack timepane.Stack[group]
	busy  busyLane
	rows  rowLane

	seen    map[ran]bool
	scanned map[model.SeriesID]int64 // the time up to which samples were looked at
	list    []ran
	samples []model.Sample
	buf     []byte
	mode    panel.CachedText
}

// ran is a thread that ran on a processor.
type ran struct {
	core  int32
	track model.TrackID
}

// group is the rows of a processor, one for each of its threads. pieces[from:to] of the rows' lane
// are its own.
type group struct {
	core     int32
	threads  []ran
	from, to int
}

// Sizes in scale-1 pixels, and limits.
const (
	gutterW    = 152
	groupPad   = 6
	busyH      = 18
	rowH       = 15
	mostCores  = 512 // processors
	scanAtOnce = 1 << 16
)

// Update handles a tick's input, lays the chart out in rect, and draws it if anything changed.
func (c *Chart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.layout(env, rect)
	act := c.input(env, in)
	c.pane.Show(env, in, c)
	return act
}

// Thing implements timepane.Content.
func (c *Chart) Thing(_ *panel.Env, in *panel.Input) model.CollectorID {
	if d := c.rows.at(&c.pane, in.X, in.Y); d != nil {
		return d.bar.Collector
	}
	return model.NoCollector
}

// Extent implements panel.Sized.
func (c *Chart) Extent(env *panel.Env, _ float32) float32 { return c.pane.Extent(env) }

// List returns the list filled by the last Update.
func (c *Chart) List() *draw.List { return c.pane.List() }

// Title names the chart.
func (c *Chart) Title(*panel.Env) string { return "Processors" }

// Mode returns the number of processors and the width of the panel in time.
func (c *Chart) Mode(env *panel.Env) string {
	c.buf = c.stack.AppendMode(c.buf[:0], env, "processor", "processors")
	return c.mode.Set(c.buf)
}

// layout places gutter, ruler, plot and the groups.
func (c *Chart) layout(env *panel.Env, rect draw.Rect) {
	if anew, other := c.stack.Refill(env); anew {
		if other {
			c.seen, c.scanned = map[ran]bool{}, map[model.SeriesID]int64{}
		}
		if c.stack.New() {
			c.stack.Use(&c.busy, &c.rows)
		}
		c.scan(env.View.Session())
		c.fill(env)
		c.stack.Layout(env)
	}
	c.pane.Place(env, rect, timepane.Shape{
		GutterW: min(env.Px(gutterW), rect.W()/3), ContentH: c.stack.Height(), Empty: len(c.stack.Groups()) == 0,
	})
}

// scan notes which threads ran on which processors. Only samples that were not looked at before
// are.
func (c *Chart) scan(s *store.Session) {
	for id := range model.SeriesID(s.Series().Len()) {
		d := s.Series().ByID(id)
		if d.Def.Role != model.RoleProcessor || s.Track(d.Def.Track) == nil {
			continue
		}
		begin, end, ok := d.Bounds()
		if !ok {
			continue
		}
		from, known := c.scanned[id]
		if !known {
			from = begin
		}
		for from <= end {
			c.samples = d.Samples(from, end+1, scanAtOnce, c.samples[:0])
			for i := range c.samples {
				x := &c.samples[i]
				on := ran{timepane.CoreOf(x.Value), d.Def.Track}
				if !math.IsNaN(x.Value) && !c.seen[on] && len(c.seen) < mostCores*8 {
					c.seen[on] = true
				}
			}
			if len(c.samples) < scanAtOnce {
				break
			}
			from = c.samples[len(c.samples)-1].Time + 1
		}
		c.scanned[id] = end + 1
	}
}

// fill makes the groups.
func (c *Chart) fill(env *panel.Env) {
	c.list = c.list[:0]
	for on := range c.seen {
		if !env.View.Look().TrackHidden(on.track) {
			c.list = append(c.list, on)
		}
	}
	slices.SortFunc(c.list, func(a, b ran) int {
		return cmp.Or(cmp.Compare(a.core, b.core), cmp.Compare(a.track, b.track))
	})
	for i := 0; i < len(c.list) && len(c.stack.Groups()) < mostCores; {
		from := i
		for i < len(c.list) && c.list[i].core == c.list[from].core {
			i++
		}
		c.stack.Add(group{core: c.list[from].core, threads: c.list[from:i]})
	}
}

// DrawBase implements timepane.Content: everything but cursors, outlines and the range under
// construction.
func (c *Chart) DrawBase(env *panel.Env) {
	p := &c.pane
	c.rows.reset()
	if p.Empty() {
		const words = "No processors here\n" +
			"Each gets a group of rows as soon as a program reports the processors of its threads."
		panel.DrawWords(p.List(), env, p.List().Clip(), words)
		return
	}
	c.rows.cut(p, env, c.stack.Groups())
	c.busy.pieces = c.rows.pieces
	c.stack.Draw(p, env)
	p.EndPlot()
	c.stack.DrawLabels(p, env)
}

// DrawOver implements timepane.Content.
func (c *Chart) DrawOver(env *panel.Env, in *panel.Input) {
	p, v := &c.pane, env.View
	if p.Pointing(in) {
		if d := c.rows.at(p, in.X, in.Y); d != nil {
			p.OutlineHovered(env, d.r)
		}
	}
	if !v.HasSpan() {
		return
	}
	for i := range c.rows.pieces {
		if d := &c.rows.pieces[i]; d.bar.Count == 1 && d.bar.Ref == v.Span().Ref {
			p.OutlineSelected(env, d.r)
		}
	}
}

// input handles a tick's mouse and held keys: the pane handles the axis; clicks select.
func (c *Chart) input(env *panel.Env, in *panel.Input) panel.Action {
	p, v := &c.pane, env.View
	switch g := p.Input(env, in, nil); {
	case g.Menu:
		return g.MenuOf(c.HitTest(env, g.X, g.Y))
	case g.DoubleClick, g.MiddleClick:
		if d := c.rows.at(p, g.X, g.Y); d != nil {
			v.Steer().ZoomAround(d.bar.Begin, d.bar.End)
		} else if g.DoubleClick {
			p.ZoomToFrame(env, g.X)
		}
	case g.Click && !g.Label:
		c.click(env, g.X, g.Y)
	}
	return panel.Action{}
}

// click selects the span at a point, or nothing, and puts the playhead there.
func (c *Chart) click(env *panel.Env, pxX, pxY float32) {
	v, at := env.View, c.pane.TimeAt(env, pxX)
	switch d := c.rows.at(&c.pane, pxX, pxY); {
	case d == nil:
		v.PlacePlayhead(at)
		v.ClearThing()
	case d.bar.Count == 1:
		v.SelectSpanAt(d.bar, at)
	default: // several in one piece
		v.PlacePlayhead(at)
		v.SelectCollectorOf(d.track, d.bar.Collector)
	}
}

// HitTest returns the item drawn at a point, with its tooltip.
func (c *Chart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	p := &c.pane
	hit, g, label := c.stack.HitTest(p, env, pxX, pxY)
	switch {
	case g == nil:
	case label:
		c.busy.tip(p, env, g, hit.Rect.Y0, hit)
		hit.Lines = p.Tip().All()
	default:
		c.stack.Describe(p, env, pxX, pxY, hit)
	}
	return *hit
}
