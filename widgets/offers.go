package widgets

import (
	"path/filepath"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Offers are the recordings that the window offers while it has nothing to show: a click opens one.
type Offers struct {
	// Rows are the newest sessions on disk, and Revision a number that changes with them and the files.
	Rows     []DiskRow
	Revision uint64
	// Files are the recordings that were opened last and are still there; OpenFile opens one.
	Files    []FileRow
	OpenFile func(path string)
	// Choose opens the dialog for a recording; nil: there is none.
	Choose func()
	// Open opens one, All shows the list of all.
	Open func(id string)
	All  func()
}

// FileRow is a recording in a file or folder.
type FileRow struct {
	Path string
	// Kind is its format, in a few words: "PStats session".
	Kind string
	// Bytes is its size, -1 if that has no meaning: for a FIFO.
	Bytes   int64
	Changed time.Time // when it was written to last
}

// About returns the format and size of a recording: "PStats session, 3.2 MiB".
func (f *FileRow) About() string {
	b := append([]byte(nil), f.Kind...)
	if len(b) > 0 && f.Bytes >= 0 {
		b = append(b, ", "...)
	}
	if f.Bytes >= 0 {
		b = format.AppendBytes(b, f.Bytes)
	}
	return string(b)
}

// offerList is where they were drawn last.
type offerList struct {
	rows      [maxOffers]draw.Rect
	files     [MaxFiles]draw.Rect
	all, open button
	hot       int // row under the mouse, -1 none
}

// MaxOffers is how many sessions on disk are offered, MaxFiles how many recordings that were opened.
const (
	MaxOffers = maxOffers
	MaxFiles  = 8
)

const (
	maxOffers   = 5
	offerHeight = 21 // of a file or a session on disk, at scale 1
	kindsHeight = 18 // of the formats, at scale 1
)

// offerKinds names the most common formats.
const offerKinds = "Chrome, Perfetto, Go and puffin traces, profiles, frame times, …"

// any reports whether something is offered.
func (of *Offers) any() bool { return len(of.Rows) > 0 || len(of.Files) > 0 || of.Choose != nil }

// update takes the mouse: it goes by where the rows were drawn last.
func (o *offerList) update(in *panel.Input, of Offers) {
	o.hot = -1
	if !of.any() {
		o.clear()
		return
	}
	clicked := func(r draw.Rect) bool {
		return in.Left.Released && !in.Left.Dragging && r.Contains(in.Left.DownX, in.Left.DownY)
	}
	for i, r := range o.files {
		if i >= len(of.Files) || !in.Over || !r.Contains(in.X, in.Y) {
			continue
		}
		if o.hot = maxOffers + i; clicked(r) {
			of.OpenFile(of.Files[i].Path)
		}
	}
	for i, r := range o.rows {
		if i >= len(of.Rows) || !in.Over || !r.Contains(in.X, in.Y) {
			continue
		}
		if o.hot = i; clicked(r) {
			of.Open(of.Rows[i].ID)
		}
	}
	if o.all.update(in) {
		of.All()
	}
	if o.open.update(in) {
		of.Choose()
	}
}

// clear forgets where they were drawn.
func (o *offerList) clear() { *o = offerList{hot: -1} }

// height is how high all that is offered is.
func (of *Offers) height(env *panel.Env) (h float32) {
	if !of.any() {
		return 0
	}
	h = env.Px(2 * wayPad)
	if of.Choose != nil {
		h += env.Px(buttonHeight + kindsHeight)
	}
	if n := len(of.Files); n > 0 {
		h += env.Px(16) + env.Atlas.LineHeight(draw.Medium) + env.Px(offerHeight)*float32(n)
	}
	if n := len(of.Rows); n > 0 {
		h += env.Px(12+buttonHeight) + env.Px(offerHeight)*float32(n)
	}
	return h
}

// shorten leaves a row out of the longer list; false: only a few are left.
func (of *Offers) shorten() bool {
	const least = 3
	f, r := len(of.Files), len(of.Rows)
	switch {
	case f+r <= least:
		return false
	case f >= r:
		of.Files = of.Files[:f-1]
	default:
		of.Rows = of.Rows[:r-1]
	}
	return true
}

// draw paints them as a card in a rectangle.
func (o *offerList) draw(env *panel.Env, l *draw.List, card draw.Rect, of Offers) {
	o.unplace()
	t := env.Theme
	well(env, l, card)
	in := card.Inset(env.Px(wayPad))
	x, y, width := in.X0, in.Y0, in.W()
	next := func(h float32) (r, hot draw.Rect) {
		r = draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + env.Px(h)}
		y = r.Y1
		return r, draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}
	}
	if of.Choose != nil {
		r := draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + env.Px(buttonHeight)}
		l.TextIn(draw.Medium, r, draw.Left, "A recording", draw.Color(t.Text))
		r.X0 += env.Atlas.Measure(draw.Medium, "A recording") + env.Px(wayPad)
		o.open.draw(env, l, r.X1-o.open.width(env, openLabel), r.Y0, openLabel)
		r.X1 = o.open.rect.X0 - env.Px(8)
		o.open.rect = o.open.rect.Intersect(l.Clip())
		l.TextIn(draw.Regular, r, draw.Left, "drag it here, or press Ctrl+O", draw.Color(t.Text2))
		y = r.Y1
		kinds, _ := next(kindsHeight)
		l.TextIn(draw.Small, kinds, draw.Left, offerKinds, draw.Color(t.Text2))
	}
	if len(of.Files) > 0 {
		r := draw.Rect{X0: x, Y0: y + env.Px(12), X1: x + width}
		r.Y1 = r.Y0 + env.Atlas.LineHeight(draw.Medium)
		l.TextIn(draw.Medium, r, draw.Left, "Opened lately", draw.Color(t.Text))
		y = r.Y1 + env.Px(4)
	}
	for i := range of.Files {
		r, hot := next(offerHeight)
		o.files[i] = hot.Intersect(l.Clip())
		o.file(env, l, r, &of.Files[i], o.hot == maxOffers+i)
	}
	if len(of.Rows) > 0 {
		y += env.Px(12)
		r, _ := next(buttonHeight)
		l.TextIn(draw.Medium, r, draw.Left, "Kept on disk", draw.Color(t.Text))
		o.all.draw(env, l, r.X1-o.all.width(env, allLabel), r.Y0, allLabel)
		o.all.rect = o.all.rect.Intersect(l.Clip())
		for i := range of.Rows {
			r, hot := next(offerHeight)
			o.rows[i] = hot.Intersect(l.Clip())
			o.row(env, l, r, &of.Rows[i], i == o.hot)
		}
	}
}

// The buttons: one opens a recording, the other shows all that is kept.
const openLabel, allLabel = "Open…", "All of them…"

// unplace forgets where they were drawn, but keeps the hovered item.
func (o *offerList) unplace() {
	o.rows, o.files = [maxOffers]draw.Rect{}, [MaxFiles]draw.Rect{}
	o.all.rect, o.open.rect = draw.Rect{}, draw.Rect{}
}

// file paints a recording: its name and its folder.
func (o *offerList) file(env *panel.Env, l *draw.List, r draw.Rect, f *FileRow, hot bool) {
	at := r
	at.X1 = min(r.X0+env.Atlas.Measure(draw.Regular, filepath.Base(f.Path))+1, r.X0+r.W()*2/3)
	l.NameIn(draw.Regular, at, draw.Left, filepath.Base(f.Path), lightHot(env, l, r, hot))
	if r.X0 = at.X1 + env.Px(12); r.W() > env.Px(40) {
		l.NameIn(draw.Small, r, draw.Right, filepath.Dir(f.Path), draw.Color(env.Theme.Text2))
	}
}

// lightHot lights the row under the mouse, and returns the color of its name.
func lightHot(env *panel.Env, l *draw.List, r draw.Rect, hot bool) draw.Color {
	if !hot {
		return draw.Color(env.Theme.Accent)
	}
	l.Rect(draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}, draw.Color(env.Theme.Hover))
	return draw.Color(env.Theme.Text)
}

func (o *offerList) row(env *panel.Env, l *draw.List, r draw.Rect, s *DiskRow, hot bool) {
	t := env.Theme
	name := lightHot(env, l, r, hot)
	c := format.Pick(s.Alarm && !hot, t.Over, t.Text2)
	l.TextIn(draw.Small, r, draw.Right, string(format.AppendClock(nil, int64(s.Length), 1e9)), draw.Color(c))
	r.X1 -= env.Px(76)
	when := s.Began.Local().Format("2006-01-02 15:04")
	l.TextIn(draw.Small, r, draw.Right, when, draw.Color(c))
	r.X1 -= env.Atlas.Measure(draw.Small, when) + env.Px(12)
	l.NameIn(draw.Regular, r, draw.Left, s.Name, name)
}
