// The panel on the listings of leak tracers: objects by type, and their references.

package tables

import (
	"io"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// LeaksPanel shows the listings of leak tracers: a table by type that unfolds to the objects, and
// for the chosen object the reference history as a table, in which references never released come first. The
// curve of the reference count is in the panel of series.
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

	session  *store.Session
	scrolled model.ResourceID // the object last scrolled into view
	listings []string         // their names in the choice
	mode     panel.CachedText
}

// leakRegions are the parts of the panel; those after table are empty while no object is chosen.
type leakRegions struct{ all, table, refs, split draw.Rect }

// leakKey is the extra inputs of the picture.
type leakKey struct {
	regions              leakRegions
	table, refs, history uint64
	selected             model.ResourceID
	listing              int
}

// NewLeaks returns a leaks panel.
func NewLeaks() *LeaksPanel {
	c := &LeaksPanel{Selected: noResource, scrolled: noResource}
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
	if !c.regions.refs.Empty() {
		if a := c.refs.Place(env, c.regions.refs, in); a.Kind != panel.ActionNone {
			act = a
		}
	}
	key := leakKey{c.regions, c.table.Stamp(), c.refs.Stamp(), c.history.Revision, c.Selected, c.Listing}
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
		r.refs = r.table
		if rect.W() >= env.Px(780) {
			r.table.X1 = panel.Snap((rect.X0 + rect.X1) / 2)
			r.refs.X0 = r.table.X1 + env.Px(1)
			r.split = draw.Rect{X0: r.table.X1, Y0: r.table.Y0, X1: r.refs.X0, Y1: r.refs.Y1}
		} else {
			r.table.Y1 = panel.Snap(r.table.Y0 + r.table.H()*0.42)
			r.refs.Y0 = r.table.Y1 + env.Px(1)
			r.split = draw.Rect{X0: rect.X0, Y0: r.table.Y1, X1: rect.X1, Y1: r.refs.Y0}
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
	}
	return panel.NoHit()
}

// Titles returns the titles of the columns of both tables.
func (p *LeaksPanel) Titles() []string { return append(p.table.Titles(), p.refs.Titles()...) }

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
	c.refs.DrawInto(l, env)
}
