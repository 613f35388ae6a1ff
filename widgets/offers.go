package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Offers are the newest sessions on disk, which the window offers while it has nothing to show: a
// click opens one.
type Offers struct {
	// Rows are the sessions, and Revision a number that changes with them.
	Rows     []DiskRow
	Revision uint64
	// Open opens one, All shows the list of all.
	Open func(id string)
	All  func()
}

// offerList is where they were drawn last.
type offerList struct {
	rows [maxOffers]draw.Rect
	all  button
	hot  int // row under the mouse, -1 none
}

// MaxOffers is how many sessions are offered.
const MaxOffers = maxOffers

const (
	maxOffers   = 5
	offerWidth  = 350 // at scale 1
	offerHeight = 21
)

// update takes the mouse: it goes by where the rows were drawn last.
func (o *offerList) update(in *panel.Input, of Offers) {
	o.hot = -1
	if len(of.Rows) == 0 {
		*o = offerList{hot: -1}
		return
	}
	for i, r := range o.rows {
		if i >= len(of.Rows) || !in.Over || !r.Contains(in.X, in.Y) {
			continue
		}
		o.hot = i
		if in.Left.Released && !in.Left.Dragging && r.Contains(in.Left.DownX, in.Left.DownY) {
			of.Open(of.Rows[i].ID)
		}
	}
	if o.all.update(in) {
		of.All()
	}
}

// fit leaves out what there is no room for, and returns what the rest needs; at least one is left.
func (o *offerList) fit(env *panel.Env, of *Offers, room float32) (w, h float32) {
	if len(of.Rows) == 0 {
		return 0, 0
	}
	around := env.Atlas.LineHeight(draw.Medium) + env.Px(4) + env.Px(6) + env.Px(buttonHeight)
	n := min(len(of.Rows), maxOffers, max(1, int((room-around)/env.Px(offerHeight))))
	of.Rows = of.Rows[:n]
	return env.Px(offerWidth), around + env.Px(offerHeight)*float32(n)
}

// draw paints them with their left upper corner at a place.
func (o *offerList) draw(env *panel.Env, l *draw.List, x, y, width float32, of Offers) {
	o.rows = [maxOffers]draw.Rect{}
	if len(of.Rows) == 0 {
		o.all.rect = draw.Rect{}
		return
	}
	t := env.Theme
	h := env.Atlas.LineHeight(draw.Medium)
	l.TextIn(draw.Medium, draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + h}, draw.Left, "Kept on disk", draw.Color(t.Text))
	y += h + env.Px(4)
	for i := range min(len(of.Rows), maxOffers) {
		r := draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + env.Px(offerHeight)}
		o.rows[i] = draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}
		o.row(env, l, r, &of.Rows[i], i == o.hot)
		y += env.Px(offerHeight)
	}
	o.all.draw(env, l, x, y+env.Px(6), "All of them…")
}

func (o *offerList) row(env *panel.Env, l *draw.List, r draw.Rect, s *DiskRow, hot bool) {
	t := env.Theme
	name := t.Accent
	if hot {
		l.Rect(draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}, draw.Color(t.Hover))
		name = t.Text
	}
	c := t.Text2
	if s.Alarm {
		c = t.Over
	}
	l.TextIn(draw.Small, r, draw.Right, string(format.AppendDuration(nil, int64(s.Length))), draw.Color(c))
	r.X1 -= env.Px(76)
	when := s.Began.Local().Format("2006-01-02 15:04")
	l.TextIn(draw.Small, r, draw.Right, when, draw.Color(c))
	r.X1 -= env.Atlas.Measure(draw.Small, when) + env.Px(12)
	l.NameIn(draw.Regular, r, draw.Left, s.Name, draw.Color(name))
}
