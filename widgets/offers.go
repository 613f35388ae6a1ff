package widgets

import (
	"path/filepath"

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
	// Files are the recordings that were opened last, by their paths; OpenFile opens one.
	Files    []string
	OpenFile func(path string)
	// Open opens one, All shows the list of all.
	Open func(id string)
	All  func()
}

// offerList is where they were drawn last.
type offerList struct {
	rows  [maxOffers]draw.Rect
	files [maxOffers]draw.Rect
	all   button
	hot   int // row under the mouse, -1 none
}

// MaxOffers is how many sessions are offered.
const MaxOffers = maxOffers

const (
	maxOffers   = 5
	offerWidth  = 330 // at scale 1
	offerHeight = 21
)

// update takes the mouse: it goes by where the rows were drawn last.
func (o *offerList) update(in *panel.Input, of Offers) {
	o.hot = -1
	if len(of.Rows) == 0 && len(of.Files) == 0 {
		o.clear()
		return
	}
	for i, r := range o.files {
		if i >= len(of.Files) || !in.Over || !r.Contains(in.X, in.Y) {
			continue
		}
		o.hot = maxOffers + i
		if in.Left.Released && !in.Left.Dragging && r.Contains(in.Left.DownX, in.Left.DownY) {
			of.OpenFile(of.Files[i])
		}
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

// clear forgets where they were drawn.
func (o *offerList) clear() { *o = offerList{hot: -1} }

// fit leaves out what there is no room for, and returns what the rest needs; at least one is left.
func (o *offerList) fit(env *panel.Env, of *Offers, room float32) (w, h float32) {
	if len(of.Rows) == 0 && len(of.Files) == 0 {
		return 0, 0
	}
	head, h := env.Atlas.LineHeight(draw.Medium)+env.Px(4), float32(0)
	if len(of.Rows) > 0 {
		h += head + env.Px(6) + env.Px(buttonHeight)
		n := min(len(of.Rows), maxOffers, max(1, int((room-h)/env.Px(offerHeight))))
		of.Rows = of.Rows[:n]
		h += env.Px(offerHeight) * float32(n)
	}
	if h > 0 {
		head += env.Px(12)
	}
	n := min(len(of.Files), maxOffers, int((room-h-head)/env.Px(offerHeight)))
	if of.Files = of.Files[:max(0, n)]; n > 0 {
		h += head + env.Px(offerHeight)*float32(n)
	}
	return env.Px(offerWidth), h
}

// draw paints them with their left upper corner at a place.
func (o *offerList) draw(env *panel.Env, l *draw.List, x, y, width float32, of Offers) {
	o.rows, o.files, o.all.rect = [maxOffers]draw.Rect{}, [maxOffers]draw.Rect{}, draw.Rect{}
	t := env.Theme
	head := func(text string) {
		h := env.Atlas.LineHeight(draw.Medium)
		l.TextIn(draw.Medium, draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + h}, draw.Left, text, draw.Color(t.Text))
		y += h + env.Px(4)
	}
	next := func() (r, hot draw.Rect) {
		r = draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + env.Px(offerHeight)}
		y = r.Y1
		return r, draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}
	}
	if len(of.Rows) > 0 {
		head("Kept on disk")
		for i := range min(len(of.Rows), maxOffers) {
			r, hot := next()
			o.rows[i] = hot
			o.row(env, l, r, &of.Rows[i], i == o.hot)
		}
		o.all.draw(env, l, x, y+env.Px(6), "All of them…")
		y += env.Px(6) + env.Px(buttonHeight) + env.Px(12)
	}
	if len(of.Files) > 0 {
		head("Opened lately")
	}
	for i := range min(len(of.Files), maxOffers) {
		r, hot := next()
		o.files[i] = hot
		o.file(env, l, r, of.Files[i], o.hot == maxOffers+i)
	}
}

// file paints a recording: its name, and where it lies.
func (o *offerList) file(env *panel.Env, l *draw.List, r draw.Rect, path string, hot bool) {
	t := env.Theme
	name := t.Accent
	if hot {
		l.Rect(draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}, draw.Color(t.Hover))
		name = t.Text
	}
	base := filepath.Base(path)
	if r.X1 -= env.Px(2); l.NameIn(draw.Regular, r, draw.Left, base, draw.Color(name)) {
		r.X0 += env.Atlas.Measure(draw.Regular, base) + env.Px(12)
	}
	if r.W() > env.Px(40) {
		l.NameIn(draw.Small, r, draw.Right, filepath.Dir(path), draw.Color(t.Text2))
	}
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
