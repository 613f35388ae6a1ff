package widgets

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// MenuItem is one line of a menu.
type MenuItem struct {
	Label  string
	Key    string // shown at the right
	Run    func()
	Keep   bool // the menu stays open after it
	On     bool // has a mark before it
	Off    bool // cannot be chosen now
	Swatch draw.Color
	// Colors is a row of colors to choose from, in the place of Run.
	Colors []draw.Color
	Pick   func(c draw.Color)
	Line   bool // a line above it
	// Safe marks the answer to a question that Enter gives unless the keys chose another: nothing is
	// lost by it.
	Safe bool
}

// Menu is a list of things to do: a context menu, or the settings.
type Menu struct {
	Name  string
	Items []MenuItem
	// Close is called when the menu has done its work.
	Close func()
	// Rebuild makes the items anew after one that stays open was chosen, so that marks and numbers are
	// right.
	Rebuild func() []MenuItem

	list    *draw.List
	title   string
	titleOf titleOf
	rect    draw.Rect
	scroll  Scroll // where there are more items than have room
	hover   int
	lit     int // the item that the keys chose, counted from 1; 0: none
}

// Question reports whether the menu is a question: then it takes all keys.
func (m *Menu) Question() bool { return m.safe() > 0 }

// safe is the number of the safe answer, counted from 1; 0: there is none.
func (m *Menu) safe() int {
	return slices.IndexFunc(m.Items, func(it MenuItem) bool { return it.Safe }) + 1
}

// marked is the item that Enter runs, counted from 1; 0: none.
func (m *Menu) marked() int {
	if m.lit > 0 {
		return m.lit
	}
	return m.safe()
}

// Key takes a key that was struck while the menu is open, by its name; false when it is none of the
// menu's.
func (m *Menu) Key(key string) bool {
	switch key {
	case "up":
		m.step(-1)
	case "down":
		m.step(1)
	case "enter":
		if i := m.marked() - 1; i >= 0 && i < len(m.Items) && !m.Items[i].Off {
			m.run(i, nil)
		}
	case "esc":
		m.Close()
	default:
		return m.Question()
	}
	return true
}

// step goes to the next item that can be chosen; it goes around at the ends.
func (m *Menu) step(by int) {
	at, n := m.marked()-1, len(m.Items)
	if at < 0 && by < 0 {
		at = 0
	}
	for range n {
		at = (at + by + n) % n
		if it := &m.Items[at]; !it.Off && it.Run != nil {
			m.lit, m.scroll.Reveal = at+1, true
			return
		}
	}
}

const (
	menuRow  = 24
	swatchPx = 20
)

// Size returns the size of the menu, in physical pixels, its title row not counted.
func (m *Menu) Size(env *panel.Env) (w, h float32) {
	w = env.Px(150)
	for i := range m.Items {
		it := &m.Items[i]
		h += env.Px(menuRow)
		if it.Line {
			h += env.Px(5)
		}
		iw := env.Atlas.Measure(draw.Regular, it.Label) + env.Px(46)
		if it.Key != "" {
			iw += env.Atlas.Measure(draw.Small, it.Key) + env.Px(24)
		}
		if n := len(it.Colors); n > 0 {
			iw = float32(n)*env.Px(swatchPx) + env.Px(36)
		}
		w = max(w, iw)
	}
	w = max(w, env.Atlas.Measure(draw.Medium, m.Name)+env.Px(menuAround))
	return float32(int(min(w, env.Px(menuMost)))), h + env.Px(8)
}

// menuMost is the greatest width of a menu at scale 1, menuAround the rest of its title row beside the
// words.
const menuMost, menuAround = 460, 48

// Title implements panel.Panel: where there is no room for all of it, its ends.
func (m *Menu) Title(env *panel.Env) string {
	if of := (titleOf{m.Name, env.Scale}); m.titleOf != of {
		m.titleOf, m.title = of, env.Atlas.CutMiddle(draw.Medium, m.Name, env.Px(menuMost-menuAround))
	}
	return m.title
}

// titleOf is the inputs of the title.
type titleOf struct {
	name  string
	scale float32
}

// Mode implements panel.Panel.
func (m *Menu) Mode(*panel.Env) string { return "" }

// List implements panel.Panel.
func (m *Menu) List() *draw.List { return m.list }

// HitTest implements panel.Panel.
func (m *Menu) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// rows calls f with each item's rectangle.
func (m *Menu) rows(env *panel.Env, f func(i int, r draw.Rect)) {
	y := m.rect.Y0 + env.Px(4) - m.scroll.Px
	for i := range m.Items {
		if m.Items[i].Line {
			y += env.Px(5)
		}
		f(i, draw.Rect{X0: m.rect.X0, Y0: y, X1: m.rect.X1, Y1: y + env.Px(menuRow)})
		y += env.Px(menuRow)
	}
}

// Update implements panel.Panel.
func (m *Menu) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	m.rect = rect
	m.hover = -1
	chosen, held := -1, m.scroll.Taken
	_, high := m.Size(env)
	m.scroll.Update(env, rect, in, high)
	if m.scroll.Reveal {
		m.reveal(env)
	}
	m.rows(env, func(i int, r draw.Rect) {
		if in.Over && !held && r.Contains(in.X, in.Y) && rect.Contains(in.X, in.Y) {
			m.hover = i
			if in.Left.Released && !m.Items[i].Off {
				chosen = i
			}
		}
	})
	if chosen >= 0 {
		m.run(chosen, func() int { return int((in.X - rect.X0 - env.Px(24)) / env.Px(swatchPx)) })
	}
	m.draw(env)
	m.scroll.Draw(m.list, env, rect, high)
	m.list.Filled()
	return panel.Action{}
}

// reveal scrolls to the item that the keys chose.
func (m *Menu) reveal(env *panel.Env) {
	m.scroll.Reveal = false
	by := float32(0)
	m.rows(env, func(i int, r draw.Rect) {
		if i == m.marked()-1 {
			by = max(0, r.Y1-m.rect.Y1) - max(0, m.rect.Y0-r.Y0)
		}
	})
	m.scroll.Px += by
}

// run runs an item. For a row of colors, color returns the pressed one.
func (m *Menu) run(i int, color func() int) {
	it := &m.Items[i]
	keep := it.Keep
	switch {
	case len(it.Colors) > 0:
		keep = true
		if k := color(); k >= 0 && k < len(it.Colors) {
			it.Pick(it.Colors[k])
			keep = it.Keep
		}
	case it.Run != nil:
		it.Run()
	}
	if keep && m.Rebuild != nil {
		m.Items = m.Rebuild()
	}
	if !keep && m.Close != nil {
		m.Close()
	}
}

func (m *Menu) draw(env *panel.Env) {
	panel.ListFor(&m.list, env)
	l, t := m.list, env.Theme
	l.Reset(m.rect)
	m.rows(env, func(i int, r draw.Rect) {
		it := &m.Items[i]
		if it.Line {
			l.HLine(r.X0+env.Px(8), r.X1-env.Px(8), r.Y0-env.Px(3), 1, draw.Color(t.Separator))
		}
		if (i == m.hover || i == m.marked()-1) && !it.Off && len(it.Colors) == 0 {
			l.Rect(r, draw.Color(t.Hover))
		}
		if i == m.marked()-1 {
			l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(2), Y1: r.Y1}, draw.Color(t.Accent))
		}
		for k, c := range it.Colors {
			x := r.X0 + env.Px(24) + float32(k)*env.Px(swatchPx)
			l.Rect(draw.Rect{X0: x, Y0: r.Y0 + env.Px(4), X1: x + env.Px(swatchPx-4), Y1: r.Y1 - env.Px(4)}, c)
		}
		if len(it.Colors) > 0 {
			return
		}
		c := format.Pick(it.Off, t.TextDim, t.Text)
		if it.On {
			Check(l, env, r.X0+env.Px(12), (r.Y0+r.Y1)/2)
		}
		if it.Swatch != (draw.Color{}) {
			x, y, s := r.X0+env.Px(12), (r.Y0+r.Y1)/2, env.Px(4)
			l.Rect(draw.Rect{X0: x - s, Y0: y - s, X1: x + s, Y1: y + s}, it.Swatch)
		}
		inner := draw.Rect{X0: r.X0 + env.Px(24), Y0: r.Y0, X1: r.X1 - env.Px(12), Y1: r.Y1}
		if it.Key != "" {
			l.TextIn(draw.Small, inner, draw.Right, it.Key, draw.Color(t.TextDim))
			inner.X1 -= env.Atlas.Measure(draw.Small, it.Key) + env.Px(8)
		}
		l.TextIn(draw.Regular, inner, draw.Left, it.Label, draw.Color(c))
	})
}
