package workspace

import (
	"framescope/app/input"
	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Widths of sides at scale 1, and of the window from which on they have them.
const (
	railWidth      = 236
	railIcons      = 36
	inspectorWide  = 308
	inspectorSmall = 248
	wideWindow     = 1520 // below, the rail is icons and the inspector small
	largeWindow    = 1800 // from here on the inspector is wide
	leastWindow    = 1000 // below, the inspector is icons, too
)

// stack is the additional state of a pane of sections: which are folded, how far they are scrolled, and
// where they lie.
type stack struct {
	pinned *Tab // above them, does not scroll
	folded []bool
	move   foldMove
	scroll float32
	grab   float32 // where in the scroll bar's thumb the mouse holds it, < 0 nowhere
	grabs  bool
	open   bool      // lies over the charts, until it is pressed elsewhere
	strip  draw.Rect // of the icons, at the edge of the window; empty: there are none
	asked  int       // the section opened by its icon, from 1; 0: none
	under  int       // the section under the mouse, -1 none
	want   int       // the section that should come into sight, from 1; 0: none
	top    draw.Rect
	still  still
	places []sectionPlace
	foot   draw.Rect // of the section that stays in sight below the others, where it does; empty: nowhere
	total  float32   // height of all sections
	// barred reports a scroll bar, turned that this is new: some sections know their height only after
	// they are drawn beside it.
	barred, turned bool
}

// sectionPlace is where a section lies: its head, and the part of its panel that is in sight. Both
// may be empty.
type sectionPlace struct {
	head, body draw.Rect
	shift      float32 // how much of the panel lies above body
	y          float32 // of the panel in the scrolled area
	lift       float32 // how far above its place in the scrolled area it lies, at the foot
	shown      bool    // the session has something for it
}

// stackable reports whether a tab can be a section.
func stackable(t *Tab) bool {
	_, ok := t.Panel.(panel.Section)
	return ok
}

// narrow reports whether the rail is icons.
func (d *Desk) narrow() bool { return d.area.W() < wideWindow*d.scale }

// iconic reports whether a side has no room of its own but that for icons.
func (d *Desk) iconic(p *pane) bool {
	if p.side == layout.Left {
		return p.folded || d.narrow()
	}
	return p.folded || d.area.W() < leastWindow*d.scale
}

// fullWidth is how wide a side is with its sections, in physical pixels.
func (d *Desk) fullWidth(n *layout.Node) float32 {
	w := n.Size
	switch {
	case n.Side == layout.Left && w == 0:
		w = railWidth
	case w == 0 && d.area.W() >= largeWindow*d.scale:
		w = inspectorWide
	case w == 0 || n.Side == layout.Right && d.narrow():
		w = min(max(w, inspectorSmall), inspectorSmall)
	}
	return float32(int(float32(w)*d.scale + 0.5))
}

// sideWidth is how much room a side takes beside the charts.
func (d *Desk) sideWidth(n *layout.Node) float32 {
	if p := d.pane(n.Pane); p != nil && d.iconic(p) {
		return d.iconsWidth()
	}
	return d.fullWidth(n)
}

// iconsWidth is how wide a strip of icons is, in physical pixels.
func (d *Desk) iconsWidth() float32 { return float32(int(railIcons*d.scale + 0.5)) }

// placeSide places the icons of a side, and lets one that is open lie over the charts beside them: the
// icons stay where they are.
func (d *Desk) placeSide(env *panel.Env, p *pane) {
	if p.side == "" {
		return
	}
	s := &p.stack
	if s.strip = (draw.Rect{}); d.iconic(p) {
		s.strip = p.rect
	}
	if s.open = s.open && d.iconic(p) && !p.empty(); !s.open {
		s.asked = 0
		return
	}
	p.rect, s.strip = d.area, d.area
	w, icons := d.fullWidth(p.leaf), d.iconsWidth()
	if p.side == layout.Left {
		s.strip.X1 = min(s.strip.X0+icons, s.strip.X1)
		p.rect.X1 = min(s.strip.X1+w, p.rect.X1)
	} else {
		s.strip.X0 = max(s.strip.X1-icons, s.strip.X0)
		p.rect.X0 = max(s.strip.X0-w, p.rect.X0)
	}
}

// lists is the part of a side that its sections have: empty where it is but icons.
func (p *pane) lists() draw.Rect {
	r := p.rect
	switch {
	case p.stack.strip.Empty():
	case p.side == layout.Left:
		r.X0 = p.stack.strip.X1
	default:
		r.X1 = p.stack.strip.X0
	}
	return r
}

// ToggleSide folds the sections at one side, or unfolds them: where they have no room beside the
// charts they lie over these until one presses elsewhere.
func (d *Desk) ToggleSide(side string) {
	for _, p := range d.panes {
		if p.side != side || p.empty() {
			continue
		}
		switch {
		case p.stack.open:
			p.stack.open = false
		case p.folded && side == layout.Left && d.narrow(), p.folded && side == layout.Right &&
			d.area.W() < leastWindow*d.scale:
			p.folded, p.stack.open = false, true
		case p.folded:
			p.folded = false
		case d.iconic(p):
			p.stack.open = true
		default:
			p.folded = true
		}
		d.dirty = true
		d.raise(p)
		return
	}
}

// closeSides shuts sides that lie over the charts when the mouse is pressed in another pane; false:
// none did.
func (d *Desk) closeSides(at *pane) (some bool) {
	for _, p := range d.panes {
		if p.stack.open && p != at && (at == nil || !at.over) {
			p.stack.open, d.dirty, some = false, true, true
		}
	}
	return some
}

// CloseSides shuts sides that lie over the charts; false: none did.
func (d *Desk) CloseSides() (some bool) { return d.closeSides(nil) }

// headPx is the height of a section's head.
func headPx(env *panel.Env, t *Tab) float32 {
	return format.Pick(t.Bare, 0, env.Px(28))
}

// pinnedPx is the height of the area above the sections, at scale 1.
const pinnedPx = 40

// laySections places the sections of a pane one below the other, as they are scrolled.
func (p *pane) laySections(env *panel.Env) {
	s := &p.stack
	view := p.lists()
	right := view.X1
	s.top = draw.Rect{}
	if s.pinned != nil {
		s.top = view
		s.top.Y1 = min(view.Y0+env.Px(pinnedPx), view.Y1)
		view.Y0 = s.top.Y1
	}
	s.places = s.places[:0]
	ahead := s.pinned == nil && len(p.tabs) > 0 && p.tabs[0].Bare && !p.left(0)
	if ahead { // a section without a head is common to all, and stays when the others are scrolled
		s.top = view
		high := p.tabs[0].Panel.(panel.Section).Extent(env, view.W()) + env.Px(6)
		s.top.Y1 = float32(int(min(view.Y0+high, view.Y1)))
		view.Y0 = s.top.Y1
		s.places = append(s.places, sectionPlace{shown: true, body: s.top})
	}
	if s.turned = !s.turned && s.barred != (s.total > view.H()); s.turned {
		s.barred = !s.barred
	}
	if s.barred { // the scroll bar lies over nothing
		view.X1 -= env.Px(7)
	}
	y := float32(0)
	for i, t := range p.tabs {
		if ahead && i == 0 {
			continue
		}
		place := sectionPlace{shown: !p.left(i)}
		if place.shown {
			head := headPx(env, t)
			place.head = draw.Rect{X0: view.X0, Y0: y, X1: right, Y1: y + head}
			place.y = y + head
			height, share := float32(0), s.share(i)
			if share > 0 {
				if r, ok := t.Panel.(panel.Roomy); ok {
					r.Room(view.H())
				}
				height = float32(int(t.Panel.(panel.Section).Extent(env, view.W())*share + 0.99))
			}
			place.body = draw.Rect{X0: view.X0, Y0: place.y, X1: view.X1, Y1: place.y + height}
			y += head + height
			if height > 0 {
				y += env.Px(6) * share
			}
		}
		s.places = append(s.places, place)
	}
	s.total = y
	least, most := s.still.reach(0, max(0, s.total-view.H()))
	s.scroll = max(least, min(s.scroll, most))
	s.scroll = float32(int(s.scroll))
	s.foot = s.footOf(env, p.tabs, view)
	for i := range s.places {
		place := &s.places[i]
		if !place.shown || ahead && i == 0 {
			continue
		}
		dy, part := view.Y0-s.scroll, view
		switch {
		case s.foot.Empty():
		case p.tabs[i].Foot > 0:
			at := s.foot.Y0 - place.head.Y0
			dy, place.lift = at, dy-at
		default:
			part.Y1 = s.foot.Y0
		}
		place.head.Y0, place.head.Y1 = place.head.Y0+dy, place.head.Y1+dy
		if place.head.Y1 > part.Y1 {
			place.head.Y1 = place.head.Y0
		}
		whole := place.body
		whole.Y0, whole.Y1 = whole.Y0+dy, whole.Y1+dy
		place.body = draw.Rect{X0: whole.X0, Y0: clamp(whole.Y0, part), X1: whole.X1, Y1: clamp(whole.Y1, part)}
		place.shift = place.body.Y0 - whole.Y0
	}
}

// footOf returns the area at the foot of a view where a section lies as long as it would lie below it; empty:
// no section does.
func (s *stack) footOf(env *panel.Env, tabs []*Tab, view draw.Rect) draw.Rect {
	for i, t := range tabs {
		place := &s.places[i]
		if t.Foot == 0 || !place.shown {
			continue
		}
		foot := view
		foot.Y0 = view.Y1 - min(place.body.Y1-place.head.Y0, env.Px(t.Foot), view.H()/2)
		if foot.Y0 = float32(int(foot.Y0)); place.head.Y0+view.Y0-s.scroll > foot.Y0 {
			return foot
		}
	}
	return draw.Rect{}
}

func clamp(y float32, view draw.Rect) float32 { return min(max(y, view.Y0), view.Y1) }

// folds reports whether a section is folded.
func (s *stack) folds(i int) bool { return i < len(s.folded) && s.folded[i] }

// view is the part of the pane that scrolls.
func (p *pane) view() draw.Rect {
	r := p.lists()
	r.Y0 = max(r.Y0, p.stack.top.Y1)
	return r
}

// sectionAt returns the section with its panel at a point, -1 none.
func (p *pane) sectionAt(x, y float32) int {
	for i := range p.stack.places {
		if s := &p.stack.places[i]; s.shown && s.body.Contains(x, y) {
			return i
		}
	}
	return -1
}

// headAt returns the section with its head at a point, -1 none.
func (p *pane) headAt(x, y float32) int {
	if !p.view().Contains(x, y) {
		return -1
	}
	for i := range p.stack.places {
		if s := &p.stack.places[i]; s.shown && s.head.Contains(x, y) {
			return i
		}
	}
	return -1
}

// thumb is the handle of the scroll bar, empty where everything is in sight.
func (p *pane) thumb(env *panel.Env) draw.Rect {
	v := p.view()
	if v.Empty() || p.stack.total <= v.H() {
		return draw.Rect{}
	}
	h := max(env.Px(20), v.H()*v.H()/p.stack.total)
	y := v.Y0 + (v.H()-h)*p.stack.scroll/(p.stack.total-v.H())
	return draw.Rect{X0: v.X1 - env.Px(5), Y0: y, X1: v.X1 - env.Px(1), Y1: y + h}
}

// pressSide answers a press in a pane of sections: icons, heads and the scroll bar; false: it is for a
// panel.
func (d *Desk) pressSide(env *panel.Env, p *pane, m *input.Mouse) bool {
	s := &p.stack
	left := m.Buttons[0].Pressed
	if s.strip.Contains(m.X, m.Y) {
		if i := p.iconAt(env, m.X, m.Y); left && i >= 0 {
			d.pressIcon(p, i)
		}
		return true
	}
	if t := p.thumb(env); left && !t.Empty() && m.X >= t.X0-env.Px(4) && m.Y >= t.Y0 && m.Y < t.Y1 {
		s.grabs, s.grab = true, m.Y-t.Y0
		return true
	}
	if i := p.headAt(m.X, m.Y); i >= 0 {
		if left {
			from := s.share(i)
			s.fold(i, !s.folds(i), len(p.tabs))
			s.moveFold(env, i, from)
		}
		return true
	}
	if s.pinned != nil && s.top.Contains(m.X, m.Y) {
		d.owner, s.under = p, -1
		return true
	}
	i := p.sectionAt(m.X, m.Y)
	if i < 0 {
		return true
	}
	p.active, s.under = i, i
	return false
}

func (s *stack) fold(i int, on bool, n int) {
	for len(s.folded) < n {
		s.folded = append(s.folded, false)
	}
	s.folded[i] = on
}

// pressIcon opens the section of an icon, and shuts the side when it is the one that opened it.
func (d *Desk) pressIcon(p *pane, i int) {
	if p.stack.open && p.stack.asked == i+1 {
		p.stack.open, d.dirty = false, true
		return
	}
	d.openSection(p, i)
	p.stack.asked = i + 1
}

// openSection unfolds a section and brings it into sight, its pane open.
func (d *Desk) openSection(p *pane, i int) {
	if d.iconic(p) {
		p.stack.open = true
		if p.side == layout.Right {
			p.folded = false
		}
	}
	p.stack.fold(i, false, len(p.tabs))
	p.active, p.stack.want, d.dirty = i, i+1, true
	d.raise(p)
}

// reveal scrolls a part of the scrolled area into sight.
func (p *pane) reveal(y0, y1 float32) {
	s, h := &p.stack, p.view().H()-p.stack.foot.H()
	s.scroll = max(0, min(s.scroll, y0), min(y1-h, s.total-h))
}

// ToTop scrolls the sections at a side to their beginning, for a new subject. Those under the mouse
// stay if the subject may have been chosen there.
func (d *Desk) ToTop(side string, chosenThere bool) {
	for _, p := range d.panes {
		if p.side == side && !(chosenThere && d.hover == p) {
			p.stack.scroll = 0
		}
	}
}

// updateSections lets the panels of a pane of sections prepare their pictures.
func (d *Desk) updateSections(
	env *panel.Env, p *pane, m *input.Mouse, k *input.Keyboard, dtNs int64, typing bool, act func(panel.Action),
) {
	s := &p.stack
	lists := p.lists()
	if lists.Empty() {
		s.top, s.places = draw.Rect{}, s.places[:0]
		return
	}
	s.stepFold(env)
	over, scrolled := d.hover == p, s.scroll != s.still.from || s.grabs || m.WheelY != 0
	p.laySections(env)
	if p.keepStill(over, scrolled) {
		p.laySections(env)
	}
	if i := s.want - 1; i >= 0 && i < len(s.places) && s.places[i].shown {
		whole := p.tabs[i].Panel.(panel.Section).Extent(env, lists.W())
		p.reveal(s.places[i].y-headPx(env, p.tabs[i]), s.places[i].y+min(whole, p.view().H()-env.Px(40)))
		p.laySections(env)
	}
	s.want = 0
	switch {
	case s.grabs && m.Buttons[0].Down:
		if v, t := p.view(), p.thumb(env); v.H() > t.H() {
			s.scroll = (m.Y - s.grab - v.Y0) / (v.H() - t.H()) * (s.total - v.H())
			p.laySections(env)
		}
	case s.grabs:
		s.grabs = false
	case d.hover == p && m.WheelY != 0 && !d.hold.some():
		s.scroll -= m.WheelY * env.Px(60)
		p.laySections(env)
	}
	if d.owner != p {
		s.under = p.sectionAt(m.X, m.Y)
		if d.hover != p {
			s.under = -1
		}
	}
	if s.pinned != nil {
		d.inputFor(env, p, s.top, m, k, typing)
		d.in.DtNs = dtNs
		if d.owner == p && s.under >= 0 {
			d.in.Left, d.in.Right, d.in.Middle = panel.Button{}, panel.Button{}, panel.Button{}
		}
		if a := s.pinned.Panel.Update(env, s.top, &d.in); a.Kind != panel.ActionNone {
			act(a)
		}
	}
	p.watch(m, over)
	again := false
	for i, t := range p.tabs {
		place := &s.places[i]
		if !place.shown || s.share(i) == 0 {
			continue
		}
		d.inputFor(env, p, place.body, m, k, typing)
		d.in.DtNs = dtNs
		d.in.WheelX, d.in.WheelY = 0, 0
		if d.owner == p && s.under != i {
			d.in.Left, d.in.Right, d.in.Middle = panel.Button{}, panel.Button{}, panel.Button{}
			d.in.Over, d.in.DoubleClick = false, false
		}
		sec := t.Panel.(panel.Section)
		sec.Shift(place.shift)
		if a := sec.Update(env, place.body, &d.in); a.Kind != panel.ActionNone {
			act(a)
			if !p.docked || i >= len(s.places) {
				return
			}
		}
		// The sections on the selection at the right do not scroll during reading, except for keys in
		// their lists.
		if y0, y1, ok := sec.Reveal(); ok && (p.side != layout.Right || d.hover == p && s.under == i) {
			p.reveal(s.places[i].y+y0, s.places[i].y+y1)
			again = true
		}
	}
	if again { // show it in this tick
		p.laySections(env)
		d.in = panel.Input{X: -1, Y: -1, DtNs: 0}
		for i, t := range p.tabs {
			if place := &s.places[i]; place.shown && s.share(i) > 0 {
				sec := t.Panel.(panel.Section)
				sec.Shift(place.shift)
				sec.Update(env, place.body, &d.in)
			}
		}
	}
}

// eachSection calls f with the sections in sight.
func (p *pane) eachSection(f func(*Tab, draw.Rect)) {
	v := p.view()
	for i := range p.stack.places {
		place := &p.stack.places[i]
		if !place.shown || p.stack.share(i) == 0 || place.body.H() <= 0 {
			continue
		}
		r := place.body
		r.Y0 = min(r.Y0, max(v.Y0, place.head.Y0))
		f(p.tabs[i], r)
	}
}

// paintSections hands the lists of the panels in sight to a painter.
func (p *pane) paintSections(paint func(*draw.List)) {
	if t := p.stack.pinned; t != nil && !p.stack.top.Empty() {
		paint(t.Panel.List())
	}
	for i := range p.stack.places {
		if place := &p.stack.places[i]; place.shown && place.body.H() > 0 && p.stack.share(i) > 0 {
			paint(p.tabs[i].Panel.List())
		}
	}
}
