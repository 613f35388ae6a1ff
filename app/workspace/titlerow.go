package workspace

import (
	"math"
	"strings"

	"framescope/app/input"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// titlePx is the height of a title row.
func titlePx(env *panel.Env) float32 { return env.Px(28) }

// titleParts are the places in a title row, from the left: the tabs, a bar, the subject of the tab in
// front, a button for the tools without room, and the tools, the first at the right.
type titleParts struct {
	names   []tabRect
	subject draw.Rect // empty where it has no room or nothing to say
	tools   []toolRect
	more    draw.Rect // empty where all tools have room
}

// tabRect is where a tab of the title row can be clicked, toolRect where a tool of the one in front.
type (
	tabRect struct {
		rect draw.Rect
		tab  int
	}
	toolRect struct {
		rect draw.Rect
		tool int
	}
)

// titleContent is the content of a title row; widths are in physical pixels.
type titleContent struct {
	left, right float32   // of the row
	tabs        []float32 // widths of the names; < 0: left out
	subject     float32
	tools       []float32 // widths of the tools
}

// lay places the parts of a title row. Names of tabs always have a place; if all together do not fit,
// the longest are cut. If the rest does not fit, the tools go first, from the last one, then the
// subject.
func (p *titleParts) lay(env *panel.Env, row draw.Rect, c *titleContent) {
	p.names, p.tools, p.subject, p.more = p.names[:0], p.tools[:0], draw.Rect{}, draw.Rect{}
	gap := panel.Snap(env.Px(16))
	sum := func(most float32) (w float32) {
		for _, tab := range c.tabs {
			if tab >= 0 {
				w += min(ceil(tab), most) + gap
			}
		}
		return w - gap
	}
	room := c.right - c.left
	if len(c.tools) > 0 { // their menu has a place in any case
		room = max(0, room-env.Px(32))
	}
	most := room
	if sum(most) > room {
		gap = panel.Snap(env.Px(12))
		for most = env.Px(160); most > 0 && sum(most) > room; {
			most -= env.Px(2)
		}
	}
	x := panel.Snap(c.left)
	for i, w := range c.tabs {
		if w < 0 {
			continue
		}
		w = min(ceil(w), most, max(0, c.left+room-x))
		r := draw.Rect{X0: x, Y0: row.Y0, X1: x + w, Y1: row.Y1}
		p.names = append(p.names, tabRect{r, i})
		x += w + gap
	}
	x -= gap
	bar := panel.Snap(env.Px(25)) // the thin bar with the room around it
	subject, rest := float32(0), c.right-x
	if c.subject > 0 {
		free := rest
		if len(c.tools) > 0 {
			free -= env.Px(32)
		}
		if subject = min(c.subject+bar, free); subject < bar+env.Px(48) && subject < c.subject+bar {
			subject = 0
		}
	}
	p.layTools(env, row, c, max(0, rest-min(subject, bar+env.Px(subjectMost))-env.Px(10)))
	if subject == 0 {
		return
	}
	end := c.right
	if !p.more.Empty() {
		end = p.more.X0 - env.Px(10)
	}
	for _, t := range p.tools {
		end = min(end, t.rect.X0-env.Px(10))
	}
	p.subject = draw.Rect{X0: x + bar, Y0: row.Y0, X1: min(end, x+bar+ceil(c.subject)), Y1: row.Y1}
	if p.subject.W() < min(env.Px(24), c.subject) {
		p.subject = draw.Rect{}
	}
}

// ceil returns the least whole number of pixels that a width has room in: text that lies on a part of
// one is drawn on whole ones, where it would be cut.
func ceil(w float32) float32 { return float32(math.Ceil(float64(w))) }

// subjectMost is how much room a subject may take from the tools, at scale 1.
const subjectMost = 300

// layTools places as many tools as fit into the room, from the right, and left of them the menu of all if some have no
// room: a tool has the same place whatever room the subject leaves.
func (p *titleParts) layTools(env *panel.Env, row draw.Rect, c *titleContent, room float32) {
	gap, h, more := env.Px(4), env.Px(20), env.Px(22)
	y := row.Y0 + panel.Snap((row.H()-h)/2)
	x, left := c.right, c.right-room
	for i, w := range c.tools {
		if x-w-format.Pick(i+1 < len(c.tools), gap+more, 0) < left {
			p.more = draw.Rect{X0: x - more, Y0: y, X1: x, Y1: y + h}
			return
		}
		p.tools = append(p.tools, toolRect{draw.Rect{X0: x - w, Y0: y, X1: x, Y1: y + h}, i})
		x -= w + gap
	}
}

// tabAt returns the tab at a point, -1 if none is there.
func (p *titleParts) tabAt(x, y float32) int {
	for _, n := range p.names {
		if n.rect.Contains(x, y) {
			return n.tab
		}
	}
	return -1
}

// toolAt returns the tool at a point, -1 if none is there, panel.MoreTool where the menu of all is.
func (p *titleParts) toolAt(x, y float32) int {
	for _, t := range p.tools {
		if t.rect.Contains(x, y) {
			return t.tool
		}
	}
	return format.Pick(p.more.Contains(x, y), panel.MoreTool, -1)
}

// subject returns the part of a title beyond the name of its tab: "Frame" of "Strip chart: Frame".
func subject(name, title string) string {
	rest, ok := strings.CutPrefix(title, name)
	if !ok {
		return ""
	}
	return strings.TrimLeft(rest, ":· ")
}

// parted stands between the parts of a subject.
const parted = " · "

// join puts two texts, perhaps empty, into a line.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + parted + b
}

// Choice is a line of a menu that the desk asks for.
type Choice struct {
	Label string
	Key   string // that does the same
	On    bool   // is chosen, or on
	Line  bool   // a line above it parts it from those before
	Run   func()
}

// pressTool runs a tool of the title row, or opens its menu.
func (d *Desk) pressTool(env *panel.Env, p *pane, tool int, m *input.Mouse) {
	if tool == panel.MoreTool {
		d.titleMenu(env, p, p.row.more.X0, p.row.more.Y1)
		return
	}
	t := &p.tools[tool]
	if t.Kind != panel.ToolChoice {
		p.use(env, t.ID, 0)
		return
	}
	for _, r := range p.row.tools {
		if r.tool == tool && d.Menu != nil {
			d.Menu(t.Label, r.rect.X0, r.rect.Y1, p.options(env, nil, t))
		}
	}
}

// use hands a tool to the panel in front.
func (p *pane) use(env *panel.Env, id, option int) {
	if t, ok := p.front().Panel.(panel.Tooled); ok {
		t.Use(env, id, option)
	}
}

// options appends the options of a choice.
func (p *pane) options(env *panel.Env, list []Choice, t *panel.Tool) []Choice {
	id := t.ID
	for i, name := range t.Options {
		list = append(list, Choice{Label: name, On: i == t.Chosen || t.Marked>>i&1 != 0, Run: func() { p.use(env, id, i) }})
	}
	return list
}

// titleMenu opens the menu of a title row: all tools of the panel in front, and the actions on the
// pane.
func (d *Desk) titleMenu(env *panel.Env, p *pane, x, y float32) {
	if d.Menu == nil {
		return
	}
	var list []Choice
	parted := false // the next line is parted from those before
	for i := range p.tools {
		t := &p.tools[i]
		at := len(list)
		if t.Kind == panel.ToolChoice {
			list = p.options(env, list, t)
			parted = true
		} else {
			id := t.ID
			list = append(list, Choice{Label: t.Label, On: t.Kind == panel.ToolToggle && t.On,
				Run: func() { p.use(env, id, 0) }})
			list[at].Line, parted = parted, false
		}
		if t.Kind == panel.ToolChoice && at > 0 && at < len(list) {
			list[at].Line = true
		}
	}
	at := len(list)
	if !p.folded && !p.small {
		list = append(list, Choice{Label: "Fold", Run: func() { d.fold(p) }})
	} else {
		list = append(list, Choice{Label: "Unfold", Run: func() { d.fold(p) }})
	}
	if d.More != nil && !p.folded {
		list = append(list, d.More(p.front().Panel)...)
	}
	switch {
	case p.docked && p.float:
		list = append(list, Choice{Label: "Dock", Run: func() { p.float, d.dirty = false, true }})
	case p.docked:
		list = append(list, Choice{Label: "Fill the window, and back", Run: func() { d.focus, d.hover = p, p; d.Fill() }})
	default:
		list = append(list, Choice{Label: "Close", Run: func() { d.Close(p.id) }})
	}
	list[at].Line = at > 0
	d.Menu(p.name(p.front()), x, y, list)
}

// turn gives the wheel over a tool to the panel.
func (d *Desk) turn(env *panel.Env, m *input.Mouse) {
	p := d.hover
	if p == nil || m.WheelY == 0 || d.hold.some() || !p.titleRow(env).Contains(m.X, m.Y) {
		return
	}
	t, ok := p.front().Panel.(panel.Turner)
	tool := p.row.toolAt(m.X, m.Y)
	if !ok || tool < 0 || tool >= len(p.tools) {
		return
	}
	steps := int(m.WheelY)
	if steps == 0 {
		steps = format.Pick(m.WheelY < 0, -1, 1)
	}
	t.Turn(env, p.tools[tool].ID, steps)
}

// hitTitle returns the tooltip of a tool or a tab. It lies beside the whole pane, to keep the pane
// visible.
func (p *pane) hitTitle(x, y float32) (panel.Hit, bool) {
	label := func(text string) (panel.Hit, bool) {
		h := panel.NoHit()
		h.Kind, h.Rect, h.Lines = panel.HitLabel, p.rect, []string{text}
		return h, true
	}
	for _, r := range p.row.tools {
		if t := &p.tools[r.tool]; r.rect.Contains(x, y) && t.Tip != "" {
			return label(t.Tip)
		}
	}
	if p.row.more.Contains(x, y) {
		return label("More of this panel")
	}
	for _, n := range p.row.names {
		if t := p.tabs[n.tab]; n.rect.Contains(x, y) && t.Tip != "" {
			return label(t.Tip)
		}
	}
	if p.row.subject.Contains(x, y) {
		return label(p.painted.about)
	}
	return panel.NoHit(), false
}
