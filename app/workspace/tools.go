package workspace

import (
	"framescope/app/input"
	"framescope/charts/format"
	"framescope/charts/panel"
)

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
			list = append(list, Choice{Label: t.Label, On: t.Kind == panel.ToolToggle && t.On, Run: func() { p.use(env, id, 0) }})
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
