package locks

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/locks"
)

// Chart shows every lock against time: a group of rows for each. The first row is the lock itself,
// a bar for each hold, in the color of the holding thread; recursive holds lie as darker steps
// inside. If there are signals to a condition of that name, they have a row of ticks. Below is a
// row for each thread that waited: hatched bars for waiting, outlined ones for waiting for a
// condition, ticks for tries in vain. Arrows go from a signal to the end of the wait that it ended.
//
// Uses shorter than minNs, two to four pixels, come merged from the model, anchored in time (see
// locks.Table.Bars): columns are then divided among the holders in them, and are as strong as
// they are full.
type Chart struct {
	pane   timepane.Pane
	stack  timepane.Stack[group]
	uses   useLane
	legend draw.Rect

	namesW  float32 // of the longest name of a lock, with its margins
	threads []locks.Thread
	locks   []model.CollectorID
	users   []model.TrackID // that used any lock, ascending: the legend

	signals timepane.Signals
	stats   []locks.Stats

	follow   model.CollectorID // the selected collector as of the last Update
	followed bool

	buf  []byte
	mode panel.CachedText
}

// Sizes in scale-1 pixels.
const (
	legendH    = 20
	gutterW    = 152
	gutterMore = 184 // for long names, even in a narrow panel
	nameX      = 10
	nameX1     = 6
	mostRows   = 64 // of threads of one lock
)

// gutterShare is how much of the panel names of locks take where they need it.
const gutterShare = 0.24

// Update handles a tick's input, lays the chart out in rect, and draws it if anything changed.
func (c *Chart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.layout(env, rect)
	c.followSelection(env)
	act := c.input(env, in)
	c.pane.Show(env, in, c)
	return act
}

// Thing implements timepane.Content.
func (c *Chart) Thing(_ *panel.Env, in *panel.Input) model.CollectorID {
	if g := c.stack.Find(&c.pane, in.Y); g != nil {
		return g.lock
	}
	return model.NoCollector
}

// Extent implements panel.Sized.
func (c *Chart) Extent(env *panel.Env, _ float32) float32 { return c.pane.Extent(env) }

// List returns the list filled by the last Update.
func (c *Chart) List() *draw.List { return c.pane.List() }

// Title names the chart.
func (c *Chart) Title(*panel.Env) string { return "Locks" }

// Mode returns the number of locks and the width of the panel in time.
func (c *Chart) Mode(env *panel.Env) string {
	c.buf = c.stack.AppendMode(c.buf[:0], env, "lock", "locks")
	return c.mode.Set(c.buf)
}

// layout places legend, gutter, ruler, plot and the groups.
func (c *Chart) layout(env *panel.Env, rect draw.Rect) {
	if anew, _ := c.stack.Refill(env); anew {
		if c.stack.New() {
			c.stack.Use(&c.uses)
		}
		c.fill(env)
		c.stack.Layout(env)
	}
	none := len(c.stack.Groups()) == 0
	w := max(env.Px(gutterW), min(c.namesW, max(env.Px(gutterMore), rect.W()*gutterShare)))
	c.legend = draw.Rect{X0: rect.X0, Y0: rect.Y1, X1: rect.X1, Y1: rect.Y1}
	if !none && rect.H() > 4*timepane.RulerH(env) {
		c.legend.Y0 -= env.Px(legendH)
	}
	c.pane.Place(env, rect, timepane.Shape{
		GutterW: float32(int(min(w, rect.W()/3))), FootH: c.legend.H(), ContentH: c.stack.Height(), Empty: none,
	})
}

// fill makes the groups and rows of all locks that are not hidden.
func (c *Chart) fill(env *panel.Env) {
	v := env.View
	c.uses.rows, c.users, c.namesW = c.uses.rows[:0], c.users[:0], 0
	c.locks = v.Session().Locks().All(c.locks[:0])
	for _, lock := range c.locks {
		if v.Look().Hidden(lock) {
			continue
		}
		name := env.Atlas.Measure(draw.Medium, lockName(v.Session(), lock))
		c.namesW = max(c.namesW, name+env.Px(nameX+nameX1+1))
		c.threads = v.Session().Locks().Threads(lock, c.threads[:0])
		var holds, signals int64
		for i := range c.threads {
			holds += c.threads[i].Holds
			signals += c.threads[i].Signals
			c.use(c.threads[i].Track)
		}
		c.stack.Add(c.uses.group(lock, c.threads, holds > 0, signals > 0))
	}
}

// use notes that a track uses a lock.
func (c *Chart) use(id model.TrackID) {
	if i, known := slices.BinarySearch(c.users, id); !known {
		c.users = slices.Insert(c.users, i, id)
	}
}

// followSelection brings a lock into view when it was selected in another panel.
func (c *Chart) followSelection(env *panel.Env) {
	id := env.View.Collector()
	if c.followed && c.follow == id {
		return
	}
	c.follow, c.followed = id, true
	if i := slices.IndexFunc(c.stack.Groups(), func(g group) bool { return g.lock == id }); i >= 0 {
		y, h := c.stack.Band(i)
		c.pane.ScrollTo(min(y, max(c.pane.Scroll(), y+h-c.pane.Plot().H())))
	}
}

// DrawBase implements timepane.Content: everything but cursors, outlines and the range under
// construction.
func (c *Chart) DrawBase(env *panel.Env) {
	p := &c.pane
	c.uses.reset(p, env)
	if p.Empty() {
		words := "No locks here\nEach lock gets a group of rows as soon as a program reports when its threads take, " +
			"hold and release locks."
		if len(c.locks) > 0 && len(c.stack.Groups()) == 0 {
			words = "All locks are hidden\nPress Shift+H to show all."
		}
		panel.DrawWords(p.List(), env, p.List().Clip(), words)
		return
	}
	c.stack.Draw(p, env)
	c.drawArrows(env)
	p.EndPlot()
	c.stack.DrawLabels(p, env)
	c.drawLegend(env)
}

// drawArrows draws the arrows from signals to the ends of waits. Of overlapping ones the first is
// drawn.
func (c *Chart) drawArrows(env *panel.Env) {
	p, u, plot := &c.pane, &c.uses, c.pane.Plot()
	found := c.signals.Visible(env)
	if len(found) == 0 {
		return
	}
	for i := range c.stack.Groups() {
		g := &c.stack.Groups()[i]
		top, h := c.stack.Band(i)
		y := p.ScreenY(top)
		if g.signals < 0 || y+h <= plot.Y0 || y >= plot.Y1 {
			continue
		}
		first := len(u.arrows)
		for k := range found {
			a := timepane.Signal{Arrow: found[k]}
			to := -1
			if a.Lock == g.lock {
				to = u.rowOf(g, a.ToTrack)
			}
			if to < 0 {
				continue
			}
			at := u.rowRect(plot, to, y)
			a.X0, a.Y0 = p.PxOf(env, a.FromTime), u.rowRect(plot, g.signals, y).Y1
			a.X1, a.Y1 = p.PxOf(env, a.ToTime), (at.Y0+at.Y1)/2
			if n := len(u.arrows); n > first && u.arrows[n-1].Y1 == a.Y1 && a.X1-u.arrows[n-1].X1 < 3 {
				continue
			}
			u.arrows = append(u.arrows, a)
			a.Draw(p.List(), env, a.Style(env, 170))
		}
	}
}

// DrawOver implements timepane.Content.
func (c *Chart) DrawOver(env *panel.Env, in *panel.Input) {
	p := &c.pane
	if p.Pointing(in) {
		if d := c.uses.at(p, in.X, in.Y); d != nil {
			p.OutlineHovered(env, d.r)
		}
	}
	selected, some := env.View.Thing().Use()
	if !some {
		return
	}
	for i := range c.uses.px {
		if d := &c.uses.px[i]; d.bar.Count == 1 && d.bar.Use == selected {
			p.OutlineSelected(env, d.r)
		}
	}
}

// drawLegend explains the colors of threads, and at the right the looks of uses.
func (c *Chart) drawLegend(env *panel.Env) {
	l, r, th, v := c.pane.List(), c.legend, env.Theme, env.View
	if r.Empty() {
		return
	}
	l.Rect(r, draw.Color(th.PanelTitle))
	l.HLine(r.X0, r.X1, r.Y0, env.Scale, draw.Color(th.Separator))
	l.PushClip(r)
	side, x1 := env.Px(9), c.drawLooks(env)
	y := r.Y0 + float32(int((r.H()-side)/2)) + 1
	x := r.X0 + env.Px(10)
	for i, id := range c.users {
		name := v.Session().Track(id).Title()
		w := side + env.Px(6) + env.Atlas.Measure(draw.Small, name)
		left := len(c.users) - i
		if x+w+env.Px(46) > x1 && left > 1 || x+w > x1 {
			c.buf = append(format.AppendCount(append(c.buf[:0], '+'), int64(left)), " more"...)
			rest := draw.Rect{X0: x, Y0: r.Y0 + 1, X1: x1, Y1: r.Y1}
			l.TextFit(draw.Small, rest, draw.Left, panel.ScratchText(c.buf), draw.Color(th.TextDim))
			break
		}
		fill, _ := subject.ThreadColor(env, id)
		l.Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, fill)
		at := draw.Rect{X0: x + side + env.Px(5), Y0: r.Y0 + 1, X1: x1, Y1: r.Y1}
		l.TextIn(draw.Small, at, draw.Left, name, draw.Color(th.Text2))
		x += w + env.Px(14)
	}
	l.PopClip()
}

// drawLooks draws small samples of a hold, a wait, a condition and a vain try at the right of the
// legend, where there is room, and returns where they begin.
func (c *Chart) drawLooks(env *panel.Env) (x float32) {
	l, th, r := c.pane.List(), env.Theme, c.legend
	if r.W() < env.Px(620) {
		return r.X1 - env.Px(8)
	}
	x = r.X1 - env.Px(8)
	grey := draw.Color(th.Text2)
	y0, y1 := r.Y0+env.Px(6), r.Y1-env.Px(4)
	for i, name := range [...]string{"failed try", "condition", "waiting", "holding"} {
		x -= env.Atlas.Measure(draw.Small, name)
		at := draw.Rect{X0: x, Y0: r.Y0 + 1, X1: r.X1, Y1: r.Y1}
		l.TextIn(draw.Small, at, draw.Left, name, draw.Color(th.TextDim))
		x -= env.Px(24)
		box := draw.Rect{X0: x, Y0: y0, X1: x + env.Px(19), Y1: y1}
		switch i {
		case 0:
			drawFailed(l, env, draw.Rect{X0: x + env.Px(11), Y0: y0, X1: x + env.Px(13), Y1: y1})
		case 1:
			l.Outline(box, env.Scale, grey)
		case 2:
			l.Hatch(box, grey)
			l.Outline(box, env.Scale, grey)
		case 3:
			l.Rect(box, grey)
		}
		x -= env.Px(10)
	}
	return x - env.Px(4)
}
