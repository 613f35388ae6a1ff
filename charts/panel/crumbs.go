package panel

import (
	"slices"

	"framescope/charts/draw"
	"framescope/model"
	"framescope/model/store"
)

// CrumbRow is the row of names that leads back from a panel's focus: "Frame › App › Show code". All
// but the last can be clicked. If there is no room, names in the middle give way to "…".
type CrumbRow struct {
	Items []Crumb
	next  []Crumb // being filled
	Hover int     // index into items, -1 none
}

// Crumb is one name of the row.
type Crumb struct {
	Text      string
	Collector model.CollectorID
	Key       int // for the owner
	Rect      draw.Rect
}

// Follow fills the row with a collector's ancestors in the static hierarchy, from the root (levels:
// from the top-level collector) down.
func (r *CrumbRow) Follow(s *store.Session, focus model.CollectorID, levels bool) {
	r.Begin()
	for c, guard := focus, 0; guard < 64; guard++ {
		d := s.Collector(c)
		r.Add(Crumb{Text: d.Name, Collector: c})
		if c == 0 || d.Parent == c || d.Parent < 0 || levels && d.Parent == 0 {
			break
		}
		c = d.Parent
	}
	slices.Reverse(r.next)
	r.End()
}

// Begin starts the row of a tick, add appends a name.
func (r *CrumbRow) Begin()      { r.next = r.next[:0] }
func (r *CrumbRow) Add(c Crumb) { r.next = append(r.next, c) }

// End finishes the row. Names that are where they were keep their places on the screen, which only
// the next drawing sets.
func (r *CrumbRow) End() {
	for i := range r.next {
		if i < len(r.Items) && r.Items[i].Text == r.next[i].Text {
			r.next[i].Rect = r.Items[i].Rect
		}
	}
	r.Items, r.next = r.next, r.Items
}

// Draw lays the row out in rect and draws it. Only the last two fit always; the first of the others
// that fit from the left are kept.
func (r *CrumbRow) Draw(l *draw.List, env *Env, rect draw.Rect) {
	const sep = "›"
	gap := env.Px(5)
	sepW := env.Atlas.Measure(draw.Regular, sep) + 2*gap
	n := len(r.Items)
	need := float32(0)
	for i := range r.Items {
		need += env.Atlas.Measure(draw.Regular, r.Items[i].Text) + sepW
	}
	first := 0 // items before it are left out, and "…" stands for them
	for need-sepW > rect.W() && first < n-1 {
		need -= env.Atlas.Measure(draw.Regular, r.Items[first].Text) + sepW
		if first == 0 {
			need += env.Atlas.Measure(draw.Regular, "…") + sepW
		}
		first++
	}
	x := rect.X0
	for i := range r.Items {
		it := &r.Items[i]
		text := it.Text
		if i < first {
			it.Rect = draw.Rect{}
			if i < first-1 {
				continue
			}
			text = "…"
		}
		w := min(env.Atlas.Measure(draw.Regular, text), rect.X1-x)
		it.Rect = draw.Rect{X0: x, Y0: rect.Y0, X1: x + w, Y1: rect.Y1}
		color := draw.Color(env.Theme.Accent)
		if i == n-1 {
			color = draw.Color(env.Theme.Text)
		} else if i == r.Hover {
			l.HLine(x, x+w, rect.Y1-env.Px(4), env.Px(1), color)
		}
		l.TextIn(draw.Regular, it.Rect, draw.Left, text, color)
		x += w
		if i < n-1 && x+sepW < rect.X1 {
			l.Text(draw.Regular, x+gap, rect.Y0+Snap((rect.H()-env.Atlas.LineHeight(draw.Regular))/2), sep,
				draw.Color(env.Theme.TextDim))
			x += sepW
		}
	}
}

// Input notes the hovered crumb and returns the index of the clicked one, -1 none. The rects are
// those of the last draw.
func (r *CrumbRow) Input(in *Input) int {
	r.Hover = -1
	if !in.Over {
		return -1
	}
	for i := range r.Items[:max(0, len(r.Items)-1)] {
		if r.Items[i].Rect.Contains(in.X, in.Y) {
			r.Hover = i
			if in.Left.Pressed {
				return i
			}
		}
	}
	return -1
}
