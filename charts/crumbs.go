package charts

import (
	"slices"

	"framescope/charts/draw"
	"framescope/model"
)

// crumbRow is the row of names that leads back from what a panel is focused on: "Frame › App › Show code". All but the last can be clicked. Where there is no room,
// names in the middle give way to "…".
type crumbRow struct {
	items []crumb
	next  []crumb // being filled
	hover int     // index into items, -1 none
}

// crumb is one name of the row.
type crumb struct {
	text      string
	collector model.CollectorID
	key       int // for the owner
	rect      draw.Rect
}

// follow fills the row with a collector's ancestors in the static hierarchy, from the root (levels: from the top-level collector) down.
func (r *crumbRow) follow(s *model.Session, focus model.CollectorID, levels bool) {
	r.begin()
	for c, guard := focus, 0; guard < 64; guard++ {
		d := s.Collector(c)
		r.add(crumb{text: d.Name, collector: c})
		if c == 0 || d.Parent == c || d.Parent < 0 || levels && d.Parent == 0 {
			break
		}
		c = d.Parent
	}
	slices.Reverse(r.next)
	r.end()
}

// begin starts the row of a tick, add appends a name.
func (r *crumbRow) begin()      { r.next = r.next[:0] }
func (r *crumbRow) add(c crumb) { r.next = append(r.next, c) }

// end finishes the row. Names that are where they were keep their places on the screen, which only the next drawing sets.
func (r *crumbRow) end() {
	for i := range r.next {
		if i < len(r.items) && r.items[i].text == r.next[i].text {
			r.next[i].rect = r.items[i].rect
		}
	}
	r.items, r.next = r.next, r.items
}

// draw lays the row out in rect and draws it. Only the last two fit always; the first of the others that fit from the left are kept.
func (r *crumbRow) draw(l *draw.List, env *Env, rect draw.Rect) {
	const sep = "›"
	gap := env.Px(5)
	sepW := env.Atlas.Measure(draw.Regular, sep) + 2*gap
	n := len(r.items)
	need := float32(0)
	for i := range r.items {
		need += env.Atlas.Measure(draw.Regular, r.items[i].text) + sepW
	}
	first := 0 // items before it are left out, and "…" stands for them
	for need-sepW > rect.W() && first < n-1 {
		need -= env.Atlas.Measure(draw.Regular, r.items[first].text) + sepW
		if first == 0 {
			need += env.Atlas.Measure(draw.Regular, "…") + sepW
		}
		first++
	}
	x := rect.X0
	for i := range r.items {
		it := &r.items[i]
		text := it.text
		if i < first {
			it.rect = draw.Rect{}
			if i < first-1 {
				continue
			}
			text = "…"
		}
		w := min(env.Atlas.Measure(draw.Regular, text), rect.X1-x)
		it.rect = draw.Rect{X0: x, Y0: rect.Y0, X1: x + w, Y1: rect.Y1}
		color := draw.Color(env.Theme.Accent)
		if i == n-1 {
			color = draw.Color(env.Theme.Text)
		} else if i == r.hover {
			l.HLine(x, x+w, rect.Y1-env.Px(4), env.Px(1), color)
		}
		l.TextIn(draw.Regular, it.rect, draw.Left, text, color)
		x += w
		if i < n-1 && x+sepW < rect.X1 {
			l.Text(draw.Regular, x+gap, rect.Y0+snap((rect.H()-env.Atlas.LineHeight(draw.Regular))/2), sep, draw.Color(env.Theme.TextDim))
			x += sepW
		}
	}
}

// input notes what is under the mouse and returns the index of the crumb that was clicked, -1 none. The rects are those of the last draw.
func (r *crumbRow) input(in *Input) int {
	r.hover = -1
	if !in.Over {
		return -1
	}
	for i := range r.items[:max(0, len(r.items)-1)] {
		if r.items[i].rect.Contains(in.X, in.Y) {
			r.hover = i
			if in.Left.Pressed {
				return i
			}
		}
	}
	return -1
}

// chipRow is a row of small switches at the right of a panel's head.
type chipRow struct {
	chips []chip
	hover int
}

// chip is one switch.
type chip struct {
	id   int
	text string
	on   bool
	rect draw.Rect
}

// begin forgets the chips of the last tick but their places.
func (r *chipRow) begin() { r.chips = r.chips[:0] }

// add adds a switch. Texts are constants.
func (r *chipRow) add(id int, text string, on bool) {
	r.chips = append(r.chips, chip{id: id, text: text, on: on})
}

// layOut places the chips against the right edge of rect and returns the left edge of the leftmost.
func (r *chipRow) layOut(env *Env, rect draw.Rect) float32 {
	x := rect.X1
	h := min(rect.H(), env.Px(18))
	y := rect.Y0 + snap((rect.H()-h)/2)
	for i := len(r.chips) - 1; i >= 0; i-- {
		c := &r.chips[i]
		w := snap(env.Atlas.Measure(draw.Small, c.text)) + env.Px(12)
		if x-w < rect.X0 {
			c.rect = draw.Rect{}
			continue
		}
		c.rect = draw.Rect{X0: x - w, Y0: y, X1: x, Y1: y + h}
		x -= w + env.Px(4)
	}
	return x
}

// input returns the id of the chip that was pressed, -1 none.
func (r *chipRow) input(in *Input) int {
	r.hover = -1
	if !in.Over {
		return -1
	}
	for i := range r.chips {
		if r.chips[i].rect.Contains(in.X, in.Y) {
			r.hover = i
			if in.Left.Pressed {
				return r.chips[i].id
			}
		}
	}
	return -1
}

// draw draws the chips.
func (r *chipRow) draw(l *draw.List, env *Env) {
	th := env.Theme
	for i := range r.chips {
		c := &r.chips[i]
		if c.rect.Empty() {
			continue
		}
		ground, text := draw.Color(th.Button), draw.Color(th.Text2)
		if i == r.hover {
			ground = draw.Color(th.ButtonHover)
		}
		if c.on {
			text = draw.Color(th.Accent)
		}
		l.Rect(c.rect, ground)
		l.TextIn(draw.Small, c.rect, draw.Center, c.text, text)
	}
}
