package widgets

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Setting is a setting with the values that can be chosen for it.
type Setting struct {
	Section string // the head that it is below
	Name    string
	Key     string // that goes through the values; empty: none does
	Values  []SettingValue
}

// SettingValue is a value of a setting, or a way to another one.
type SettingValue struct {
	Label string
	Key   string // a key that does the same; empty: none does
	On    bool   // it is the present value
	Run   func()
}

// Settings is the page of settings: their names at the left below the heads of sections, their values as
// buttons beside them.
type Settings struct {
	All   func() []Setting // the settings as they are now
	Close func()           // the dialog

	Sheet[settingsKey]
	list   []Setting
	placed []placedValue // of the last layout, at the top of the content
	height float32       // of the content
	hover  int           // value under the mouse, -1 none
	chosen int           // value for the keys, plus 1; 0 none yet
	scroll Scroll
	foot   foot
}

// placedValue is a button of the page.
type placedValue struct {
	rect       draw.Rect // from the content's upper left corner
	row, value int
	head       bool // the first of its section
}

// settingsKey is the inputs of the picture.
type settingsKey struct {
	rect                draw.Rect
	scale               float32
	list                Sum
	hover, chosen, foot int
	scroll              float32
}

// Sizes of the page at scale 1.
const (
	settingsWidth = 700
	settingRow    = 30
	settingHead   = 34
	settingName   = 210 // from the left edge to the buttons
	settingEdge   = 14
)

// Title implements panel.Panel.
func (p *Settings) Title(*panel.Env) string { return "Settings" }

// Mode implements panel.Panel.
func (p *Settings) Mode(*panel.Env) string { return "" }

// Size returns the size of the page, in physical pixels, its title row not counted.
func (p *Settings) Size(env *panel.Env) (w, h float32) {
	p.list = p.All()
	w = env.Px(settingsWidth)
	p.lay(env, w)
	return w, p.height + env.Px(footHeight)
}

// lay places the buttons in a width: a row of too many goes on below.
func (p *Settings) lay(env *panel.Env, w float32) {
	p.placed = p.placed[:0]
	y, section := env.Px(4), ""
	for i := range p.list {
		s := &p.list[i]
		head := s.Section != section
		if section = s.Section; head {
			y += env.Px(settingHead)
		}
		x0 := min(env.Px(settingName), w/2)
		x := x0
		for k := range s.Values {
			bw := panel.Snap(env.Atlas.Measure(draw.Regular, s.Values[k].Label) + env.Px(20))
			if x > x0 && x+bw > w-env.Px(settingEdge) {
				x, y = x0, y+env.Px(settingRow)
			}
			r := draw.Rect{X0: x, Y0: y, X1: x + bw, Y1: y + env.Px(buttonHeight)}
			p.placed = append(p.placed, placedValue{rect: r, row: i, value: k, head: head})
			head = false
			x = r.X1 + env.Px(2)
		}
		y += env.Px(settingRow)
	}
	p.height = y + env.Px(6)
}

// Update implements panel.Panel.
func (p *Settings) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	p.list = p.All()
	p.lay(env, rect.W())
	body, foot := rect, rect
	foot.Y0 = max(rect.Y0, rect.Y1-env.Px(footHeight))
	body.Y1 = foot.Y0
	if p.foot.update(env, foot, in, footButton{Label: "Done", Key: "Esc"}) == 0 {
		p.Close()
	}
	p.scroll.Update(env, body, in, p.height)
	p.reveal(body)
	p.press(body, in)
	p.draw(env, rect, body, foot)
	return panel.Action{}
}

// press runs the value that is clicked.
func (p *Settings) press(body draw.Rect, in *panel.Input) {
	p.hover = -1
	for i := range p.placed {
		r := p.at(i, body)
		if !in.Over || !body.Contains(in.X, in.Y) || !r.Contains(in.X, in.Y) {
			continue
		}
		p.hover = i
		if in.Left.Released && !in.Left.Dragging && r.Contains(in.Left.DownX, in.Left.DownY) {
			p.chosen = i + 1
			p.value(i).Run()
		}
	}
}

// step takes another value of the last row.
func (p *Settings) step(n int) {
	if len(p.list) == 0 {
		return
	}
	values := p.list[len(p.list)-1].Values
	at := slices.IndexFunc(values, func(v SettingValue) bool { return v.On })
	if to := at + n; to >= 0 && to < len(values) {
		values[to].Run()
	}
}

// turn takes the next value of the first row, and the first one behind the last.
func (p *Settings) turn() {
	if len(p.list) > 0 {
		values := p.list[0].Values
		at := slices.IndexFunc(values, func(v SettingValue) bool { return v.On })
		values[(at+1)%len(values)].Run()
	}
}

// HitTest implements panel.Panel.
func (p *Settings) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// at returns the place of a button in the window.
func (p *Settings) at(i int, body draw.Rect) draw.Rect {
	r := p.placed[i].rect
	dy := body.Y0 - p.scroll.Px
	return draw.Rect{X0: r.X0 + body.X0, Y0: r.Y0 + dy, X1: r.X1 + body.X0, Y1: r.Y1 + dy}
}

// reveal scrolls to the button that a key went to.
func (p *Settings) reveal(body draw.Rect) {
	if !p.scroll.Reveal || p.chosen == 0 || p.chosen > len(p.placed) {
		return
	}
	r := p.placed[p.chosen-1].rect
	p.scroll.Reveal = false
	p.scroll.Px = max(min(p.scroll.Px, r.Y0-r.H()), r.Y1+r.H()-body.H(), 0)
}

func (p *Settings) value(i int) *SettingValue {
	return &p.list[p.placed[i].row].Values[p.placed[i].value]
}

// Key implements panel.Keyed: arrows and Tab go from value to value, Enter takes one.
func (p *Settings) Key(_ *panel.Env, key string) (panel.Action, bool) {
	n := len(p.placed)
	row := func(i int) int { return p.placed[i].row }
	at := p.chosen - 1
	if key == "tab" {
		key = "right"
	}
	switch {
	case n == 0:
		return panel.Action{}, false
	case key == "enter" || key == "space":
		if at >= 0 && at < n {
			p.value(at).Run()
		}
		return panel.Action{}, true
	case key != "up" && key != "down" && key != "left" && key != "right":
		return panel.Action{}, false
	case at < 0 || at >= n:
		at = 0
	case key == "right":
		at = min(at+1, n-1)
	case key == "left":
		at = max(at-1, 0)
	case key == "down":
		for from := at; at < n-1 && row(at) == row(from); {
			at++
		}
	default:
		from := at
		for at > 0 && row(at) == row(from) {
			at--
		}
		for at > 0 && row(at-1) == row(at) {
			at--
		}
	}
	p.chosen, p.scroll.Reveal = at+1, true
	return panel.Action{}, true
}

// draw paints the page.
func (p *Settings) draw(env *panel.Env, rect, body, foot draw.Rect) {
	key := settingsKey{
		rect: rect, scale: env.Scale, hover: p.hover, chosen: p.chosen, foot: p.foot.hover, scroll: p.scroll.Px,
	}
	for i := range p.list {
		key.list.Text(p.list[i].Section, p.list[i].Name)
		for k := range p.list[i].Values {
			key.list.Text(p.list[i].Values[k].Label)
			key.list.Flag(p.list[i].Values[k].On)
		}
	}
	if !p.Stale(env, rect, key) {
		return
	}
	l := p.Out
	l.PushClip(body)
	p.drawValues(l, env, body)
	p.scroll.Draw(l, env, body, p.height)
	l.PopClip()
	p.foot.draw(l, env, foot)
}

// drawValues paints the buttons with their names.
func (p *Settings) drawValues(l *draw.List, env *panel.Env, body draw.Rect) {
	t := env.Theme
	for i := range p.placed {
		r, at, v := p.at(i, body), &p.placed[i], p.value(i)
		if at.value == 0 {
			p.drawName(l, env, &p.list[at.row], r, body, at.head)
		}
		fill, text := t.Button, t.Text
		switch {
		case v.On:
			fill, text = t.AccentGround, t.Accent
		case i == p.hover:
			fill = t.ButtonHover
		}
		l.Rect(r, draw.Color(fill))
		if i+1 == p.chosen {
			l.Outline(r.Inset(-env.Px(1)), env.Px(1), draw.Color(t.Text))
		}
		l.TextIn(draw.Regular, r, draw.Center, v.Label, draw.Color(text))
	}
}

// drawName writes the name of a setting beside its first button, and the head of its section.
func (p *Settings) drawName(l *draw.List, env *panel.Env, s *Setting, first, body draw.Rect, head bool) {
	t := env.Theme
	name := draw.Rect{X0: body.X0 + env.Px(settingEdge), Y0: first.Y0, X1: first.X0 - env.Px(10), Y1: first.Y1}
	l.TextIn(draw.Regular, name, draw.Left, s.Name, draw.Color(t.Text2))
	if s.Key != "" {
		x := name.X0 + env.Atlas.Measure(draw.Regular, s.Name) + env.Px(8)
		box := draw.Rect{X0: x, Y0: name.Y0 + env.Px(3), X1: x + env.Atlas.Measure(draw.Small, s.Key) + env.Px(12),
			Y1: name.Y1 - env.Px(3)}
		l.Rect(box, draw.Color(t.Button))
		l.TextIn(draw.Small, box, draw.Center, s.Key, draw.Color(t.Text))
	}
	if !head {
		return
	}
	top := draw.Rect{X0: name.X0, Y0: first.Y0 - env.Px(settingHead-6), X1: body.X1 - env.Px(settingEdge),
		Y1: first.Y0 - env.Px(4)}
	l.TextIn(draw.Medium, top, draw.Left, s.Section, draw.Color(t.Text))
	end := top.X0 + env.Atlas.Measure(draw.Medium, s.Section) + env.Px(10)
	l.HLine(end, top.X1, panel.Snap((top.Y0+top.Y1)/2), 1, draw.Color(t.Separator))
}
