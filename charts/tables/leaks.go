// The panel on the listings of leak tracers: objects by type, their references, and the curve of
// their number.

package tables

import (
	"cmp"
	"io"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// LeaksPanel shows the listings of leak tracers: a table by type that unfolds to the objects, and
// for the chosen object the reference history, as a curve of the reference count with a mark at
// each step, and as a table in which references never released come first.
type LeaksPanel struct {
	// Listing keeps only the objects of a listing (from 1); 0 all.
	Listing int
	// Selected is the object with the shown history, -1 none; see Select.
	Selected model.ResourceID
	thing    view.Thing // of the view, that was seen last

	panel.Layers[leakKey, struct{}]
	table, refs *table.Table
	source      *leakTable
	history     *refTable
	tools       panel.Toolbox
	regions     leakRegions

	session    *store.Session
	scrolled   model.ResourceID // the object last scrolled into view
	hoverEvent int32            // of the history, under the mouse; -1
	marks      []leakMark
	marksOf    leakMarksKey
	tip        panel.TipLines
	listings   []string // their names in the choice
	buf        []byte
	mode       panel.CachedText
}

// leakRegions are the parts of the panel; those after table are empty while no object is chosen.
type leakRegions struct{ all, table, title, curve, refs, split draw.Rect }

// leakKey is the extra inputs of the picture.
type leakKey struct {
	regions              leakRegions
	table, refs, history uint64
	hover                int32
	selected             model.ResourceID
	listing              int
}

// leakMarksKey is the inputs of the places of the marks.
type leakMarksKey struct {
	plot    draw.Rect
	history uint64
}

// leakMark is where a step of the history is on the screen.
type leakMark struct {
	x, y  float32
	event int32
}

// NewLeaks returns a leaks panel.
func NewLeaks() *LeaksPanel {
	c := &LeaksPanel{Selected: noResource, scrolled: noResource, hoverEvent: -1}
	c.source, c.history = newLeakTable(c), newRefTable(c)
	c.table, c.refs = table.New("", c.source), table.New("", c.history)
	c.refs.RowHeight = 20
	c.table.OwnReveal = true // it has to wait for the size beside the history
	return c
}

// Facts implements panel.Teller.
func (c *LeaksPanel) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	return c.refs.Facts(env, c.table.Facts(env, out))
}

// Export implements panel.Exporter: the types, and the objects of those that are unfolded.
func (c *LeaksPanel) Export(env *panel.Env, w io.Writer, f panel.Format) error {
	return c.table.Export(env, w, f)
}

// Title returns the panel's title.
func (c *LeaksPanel) Title(*panel.Env) string { return "Leaks" }

// Mode returns how many objects there are: "8 leaked · 3 added".
func (c *LeaksPanel) Mode(*panel.Env) string {
	b := c.mode.New()
	for i, n := range c.source.total {
		if n == 0 {
			continue
		}
		if len(b) > 0 {
			b = append(b, " · "...)
		}
		b = format.AppendCount(b, n)
		b = append(append(b, ' '), fateNames[i]...)
	}
	return c.mode.Set(b)
}

// Select chooses an object and unfolds its type.
func (c *LeaksPanel) Select(env *panel.Env, id model.ResourceID) {
	c.changeSession(env.View.Session())
	if c.Selected = id; c.object() != nil {
		c.source.setOpen(c.object().Type, true)
		env.View.Select(view.Resource(id))
	}
	c.thing = env.View.Thing()
}

// follow chooses the object that was selected elsewhere, or again. Of other things the history
// stays.
func (c *LeaksPanel) follow(env *panel.Env) {
	thing := env.View.Thing()
	if thing == c.thing {
		return
	}
	if id, ok := thing.Resource(); ok {
		c.Select(env, id)
	}
	c.thing = thing
}

// object returns the chosen object; without one it is nil, and none is chosen any more.
func (c *LeaksPanel) object() *model.ResourceDef {
	if c.session == nil || c.Selected < 0 || int(c.Selected) >= len(c.session.Topology().Resources()) {
		c.Selected = noResource
		return nil
	}
	return &c.session.Topology().Resources()[c.Selected]
}

// reveal brings the row of a newly chosen object into view, once the table has the size that it has
// beside the history.
func (c *LeaksPanel) reveal(env *panel.Env) {
	if c.scrolled == c.Selected || c.table.Rect() != c.regions.table {
		return
	}
	c.scrolled = c.Selected
	for i := range c.source.All {
		if r := &c.source.All[i]; r.object != noResource && r.object == c.Selected {
			c.table.ScrollTo(env, i)
		}
	}
}

func (c *LeaksPanel) choose(env *panel.Env, id model.ResourceID) {
	if v := env.View; id == c.Selected && v.Thing() == view.Resource(id) {
		id = noResource // once more puts the history away
	}
	c.Selected = id
	env.View.Select(view.Resource(id))
	c.thing = env.View.Thing()
}

// changeSession forgets the data of the session before.
func (c *LeaksPanel) changeSession(s *store.Session) {
	if s == c.session {
		return
	}
	c.session, c.Selected, c.Listing, c.thing = s, noResource, 0, view.Thing{}
	c.source.open = nil
	c.source.Fresh.Done = false
}

// Update handles the input of a tick and brings the picture up to date.
func (c *LeaksPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.changeSession(env.View.Session())
	c.follow(env)
	c.object()
	c.layOut(env, rect)
	act := c.table.Place(env, c.regions.table, in)
	c.history.Rows(env) // the click may have chosen an object
	c.layOut(env, rect)
	c.hoverEvent = -1
	if !c.regions.refs.Empty() {
		c.placeMarks(env)
		c.curveInput(env, in)
		if a := c.refs.Place(env, c.regions.refs, in); a.Kind != panel.ActionNone {
			act = a
		}
		if row := c.refs.Hovered(); row >= 0 && c.history.All[row].kind == refEvent {
			c.hoverEvent = c.history.All[row].event
		}
	}
	key := leakKey{
		c.regions, c.table.Stamp(), c.refs.Stamp(), c.history.Revision, c.hoverEvent, c.Selected, c.Listing,
	}
	if c.BeginBase(env, rect, key) {
		c.draw(env)
	}
	c.reveal(env)
	return act
}

// SetFilter implements panel.Filterer: it lists objects with the text in type, address or
// description.
func (c *LeaksPanel) SetFilter(text string) { c.table.SetFilter(text) }

// Key takes a key for the table.
func (c *LeaksPanel) Key(env *panel.Env, key string) (panel.Action, bool) {
	return c.table.Key(env, key)
}

// Copy returns the row under the mouse as text.
func (c *LeaksPanel) Copy(env *panel.Env) (text string, ok bool) {
	if c.refs.Hovered() >= 0 {
		return c.refs.Copy(env)
	}
	return c.table.Copy(env)
}

func (c *LeaksPanel) layOut(env *panel.Env, rect draw.Rect) {
	r := leakRegions{all: rect, table: rect}
	if c.Selected >= 0 && rect.H() >= env.Px(170) {
		detail := r.table
		if rect.W() >= env.Px(780) {
			r.table.X1 = panel.Snap((rect.X0 + rect.X1) / 2)
			detail.X0 = r.table.X1 + env.Px(1)
			r.split = draw.Rect{X0: r.table.X1, Y0: r.table.Y0, X1: detail.X0, Y1: detail.Y1}
		} else {
			r.table.Y1 = panel.Snap(r.table.Y0 + r.table.H()*0.42)
			detail.Y0 = r.table.Y1 + env.Px(1)
			r.split = draw.Rect{X0: rect.X0, Y0: r.table.Y1, X1: rect.X1, Y1: detail.Y0}
		}
		r.title = draw.Rect{X0: detail.X0, Y0: detail.Y0, X1: detail.X1, Y1: detail.Y0 + env.Px(24)}
		r.refs = detail
		r.refs.Y0 = r.title.Y1
		if len(c.history.events) > 0 && c.history.resource == c.Selected && detail.H() >= env.Px(190) {
			r.curve = draw.Rect{X0: detail.X0, Y0: r.title.Y1, X1: detail.X1, Y1: r.title.Y1 + min(env.Px(96), panel.Snap(detail.H()*0.3))}
			r.refs.Y0 = r.curve.Y1
		}
	}
	c.regions = r
}

// toolListing chooses the listing that is shown.
const toolListing = 0

// Tools implements panel.Tooled.
func (c *LeaksPanel) Tools(*panel.Env) []panel.Tool {
	c.tools.Begin()
	if n := c.source.listings; n > 1 {
		for len(c.listings) <= n {
			name := "All listings"
			if i := len(c.listings); i > 0 {
				name = string(format.AppendCount([]byte("Listing "), int64(i)))
			}
			c.listings = append(c.listings, name)
		}
		c.tools.Choice(toolListing, c.Listing, c.listings[:n+1], "", "Only what one listing named")
	}
	return c.tools.All()
}

// Use implements panel.Tooled.
func (c *LeaksPanel) Use(_ *panel.Env, _, option int) { c.Listing = option }

// HitTest returns the item under a point.
func (c *LeaksPanel) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	r := &c.regions
	switch {
	case r.table.Contains(pxX, pxY):
		return c.table.HitTest(env, pxX, pxY)
	case r.refs.Contains(pxX, pxY):
		return c.refs.HitTest(env, pxX, pxY)
	case r.curve.Contains(pxX, pxY):
		return c.hitCurve()
	case r.title.Contains(pxX, pxY) && c.session == env.View.Session():
		h := rowHit()
		h.Rect = r.title
		for i := range c.source.All {
			if c.source.All[i].object == c.Selected {
				h.Lines = c.table.TipOf(env, i)
			}
		}
		return h
	}
	return panel.NoHit()
}

// Titles returns the titles of the columns of both tables.
func (p *LeaksPanel) Titles() []string { return append(p.table.Titles(), p.refs.Titles()...) }

// leakPlot is the part of the curve's region in which the curve itself is.
func (c *LeaksPanel) leakPlot(env *panel.Env) draw.Rect {
	r := c.regions.curve
	if r.Empty() {
		return r
	}
	return draw.Rect{X0: r.X0 + env.Px(34), Y0: r.Y0 + env.Px(9), X1: r.X1 - env.Px(12), Y1: r.Y1 - env.Px(20)}
}

// placeMarks computes where the steps of the history are.
func (c *LeaksPanel) placeMarks(env *panel.Env) {
	h, plot := c.history, c.leakPlot(env)
	key := leakMarksKey{plot, h.matched}
	if key == c.marksOf {
		return
	}
	c.marksOf, c.marks = key, c.marks[:0]
	if plot.Empty() || len(h.events) == 0 {
		return
	}
	span := max(float64(h.last)-float64(h.first), 1)
	for i := range h.events {
		e := &h.events[i]
		x := plot.X0 + float32((float64(e.Time)-float64(h.first))/span)*plot.W()
		c.marks = append(c.marks, leakMark{x: panel.Snap(x), y: c.countY(plot, e.Count), event: int32(i)})
	}
}

func (c *LeaksPanel) countY(plot draw.Rect, count int64) float32 {
	share := float32(float64(count) / float64(max(c.history.most, 1)))
	return plot.Y1 - panel.Snap(max(0, min(1, share))*plot.H())
}

// curveInput finds the step under the mouse; a click brings its row into view and unfolds it.
func (c *LeaksPanel) curveInput(env *panel.Env, in *panel.Input) {
	if !in.Over || !c.regions.curve.Contains(in.X, in.Y) {
		return
	}
	c.hoverEvent = c.markAt(in.X, in.Y, env.Px(30))
	if c.hoverEvent < 0 || !in.Left.Released || in.Left.Dragging {
		return
	}
	h := c.history
	if !h.open[c.hoverEvent] && h.traceOf(c.hoverEvent) != "" {
		h.open[c.hoverEvent] = true
		h.flatten()
	}
	if row := h.rowOf(c.hoverEvent); row >= 0 {
		c.refs.ScrollTo(env, min(row+6, len(h.All)-1))
		c.refs.ScrollTo(env, row)
	}
}

// markAt returns the step nearest to a point, those that were never released first; -1 when none is
// within reach.
func (c *LeaksPanel) markAt(pxX, pxY, reach float32) int32 {
	best, at := int32(-1), reach*reach
	first, _ := slices.BinarySearchFunc(c.marks, pxX-2*reach, func(m leakMark, x float32) int { return cmp.Compare(m.x, x) })
	for i := first; i < len(c.marks) && c.marks[i].x <= pxX+2*reach; i++ {
		m := &c.marks[i]
		dx, dy := m.x-pxX, (m.y-pxY)/3
		d := dx*dx + dy*dy
		if c.history.partner[m.event] < 0 && c.history.events[m.event].Ref {
			d = d / 4
		}
		if d < at {
			best, at = m.event, d
		}
	}
	return best
}

// hitCurve returns the step under the mouse.
func (c *LeaksPanel) hitCurve() panel.Hit {
	h := panel.NoHit()
	if c.hoverEvent < 0 || int(c.hoverEvent) >= len(c.history.events) || int(c.hoverEvent) >= len(c.marks) {
		return h
	}
	m := c.marks[c.hoverEvent]
	h.Kind, h.TimeNs = panel.HitLabel, c.history.events[m.event].Time
	h.Rect = draw.Rect{X0: m.x - 4, Y0: m.y - 4, X1: m.x + 4, Y1: m.y + 4}
	c.tip.Begin()
	c.history.tipEvent(&c.tip, m.event)
	h.Lines = c.tip.All()
	return h
}

// draw fills the list: the two tables, which have their own lists, and the rest.
func (c *LeaksPanel) draw(env *panel.Env) {
	l, r, th := c.List(), &c.regions, env.Theme
	if env.View.None() {
		panel.DrawWords(l, env, r.all, "Leaked objects, and their holders.\nConnect a program or open a recording.")
		return
	}
	c.table.DrawInto(l, env)
	if r.refs.Empty() {
		return
	}
	l.Rect(r.split, draw.Color(th.Separator))
	c.drawTitle(env)
	c.drawCurve(env)
	c.refs.DrawInto(l, env)
}

// drawTitle names the chosen object.
func (c *LeaksPanel) drawTitle(env *panel.Env) {
	r, th, l := c.regions.title, env.Theme, c.List()
	o := c.object()
	r.X0, r.X1 = r.X0+env.Px(9), r.X1-env.Px(9)
	if o.RefCount >= 0 {
		c.buf = format.AppendPlural(c.buf[:0], o.RefCount, "reference", "references")
		if l.TextFit(draw.Small, r, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2)) {
			r.X1 -= env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf)) + env.Px(10)
		}
	}
	name := format.ClipName(o.Type)
	w := min(env.Atlas.Measure(draw.Medium, name), r.W())
	l.NameIn(draw.Medium, r, draw.Left, name, draw.Color(th.Text))
	r.X0 += w + env.Px(8)
	text := headLine(o.Description)
	if text == "" {
		text = format.ClipName(o.Address)
	}
	l.TextIn(draw.Regular, r, draw.Left, text, draw.Color(th.Text2))
}

// drawCurve draws the reference count over time, with a mark at each step: upwards where a
// reference was taken, downwards where one was given up. Where steps are too close for marks of
// their own, only references that were never released keep theirs.
func (c *LeaksPanel) drawCurve(env *panel.Env) {
	h, l, th := c.history, c.List(), env.Theme
	plot := c.leakPlot(env)
	if plot.Empty() || len(c.marks) == 0 {
		return
	}
	one := env.Px(1)
	l.HLine(plot.X0, plot.X1, plot.Y1, one, draw.Color(th.Separator))
	c.drawCounts(env, plot)
	color := draw.Color(th.FrameBar)
	from := h.events[0].Count + 1 // before the first step
	if h.events[0].Ref {
		from = h.events[0].Count - 1
	}
	x, y := plot.X0, c.countY(plot, from)
	columnX, lo, hi := x, y, y // steps in one column are one line: the cost is that of the columns
	flush := func() {
		if hi > lo {
			l.VLine(columnX, lo, hi+one, one, color)
		}
	}
	for i := range c.marks {
		m := &c.marks[i]
		if m.x > columnX {
			flush()
			l.HLine(columnX, m.x+one, y, one, color)
			columnX, lo, hi = m.x, y, y
		}
		y = m.y
		lo, hi = min(lo, y), max(hi, y)
	}
	flush()
	l.HLine(columnX, plot.X1+env.Px(4), y, one, color)
	c.drawMarks(env, plot)
}

// drawCounts labels the axes: the greatest and no count, the time of the first and the last step.
func (c *LeaksPanel) drawCounts(env *panel.Env, plot draw.Rect) {
	h, l, th := c.history, c.List(), env.Theme
	lineH := env.Atlas.LineHeight(draw.Small)
	label := func(count int64) {
		y := c.countY(plot, count)
		c.buf = format.AppendCount(c.buf[:0], count)
		r := draw.Rect{X0: plot.X0 - env.Px(30), Y0: y - panel.Snap(lineH/2), X1: plot.X0 - env.Px(6)}
		r.Y1 = r.Y0 + lineH
		l.TextIn(draw.Small, r, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
		if count > 0 {
			l.HLine(plot.X0, plot.X1, y, env.Px(1), draw.Color(th.Grid))
		}
	}
	label(h.most)
	if h.most > 0 {
		label(0)
	}
	row := draw.Rect{X0: plot.X0, Y0: plot.Y1 + env.Px(4), X1: plot.X1, Y1: plot.Y1 + env.Px(4) + lineH}
	step := min((h.last-h.first)/100, 1e6)
	c.buf = format.AppendClock(c.buf[:0], h.first, step)
	w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf))
	l.TextFit(draw.Small, row, draw.Left, panel.ScratchText(c.buf), draw.Color(th.Text2))
	c.buf = format.AppendClock(c.buf[:0], h.last, step)
	row.X0 += w + env.Px(10)
	l.TextFit(draw.Small, row, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
}

func (c *LeaksPanel) drawMarks(env *panel.Env, plot draw.Rect) {
	h, th := c.history, env.Theme
	all := float32(len(c.marks))*env.Px(5) <= plot.W()
	for pass := range 3 { // the hovered event's partners, and references never released, above all others
		for i := range c.marks {
			m := &c.marks[i]
			e := &h.events[m.event]
			lost := e.Ref && h.partner[m.event] < 0
			hot := c.hoverEvent >= 0 && (m.event == c.hoverEvent || h.partner[m.event] == c.hoverEvent)
			at := 0
			if hot {
				at = 2
			} else if lost {
				at = 1
			}
			if at != pass || at == 0 && !all {
				continue
			}
			size, color := env.Px(3), draw.Color(format.Pick(!e.Ref, th.Text2, th.Live))
			if lost {
				size, color = env.Px(4), draw.Color(th.Bad)
			}
			if hot {
				size, color = env.Px(5), draw.Mix(color, draw.Color(th.Text), 90)
			}
			if e.Ref {
				c.List().Triangle(m.x-size, m.y+size, m.x, m.y-size, m.x+size, m.y+size, color)
			} else {
				c.List().Triangle(m.x-size, m.y-size, m.x+size, m.y-size, m.x, m.y+size, color)
			}
		}
	}
}
