package widgets

import (
	"fmt"
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

	kinds bool // the formats are listed
	brief bool // files have a line each, for want of room
	more  int  // files that have no room
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
	if f.Bytes >= 0 {
		b = format.AppendBytes(append(b, ", "...), f.Bytes)
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
	offerWidth  = 354 // at scale 1, as all below
	offerHeight = 21  // of a session on disk
	offerFile   = 36  // of a file: its name, and below that its format
	kindsHeight = 18  // of the formats
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

// fileHeight is how high a file is, at scale 1.
func (of *Offers) fileHeight() float32 {
	return format.Pick[float32](of.brief, offerHeight, offerFile)
}

// fit leaves out rows that do not fit, and returns the size of the rest: first the words on files,
// then sessions and files; a few of each stay before there are more of one.
func (o *offerList) fit(env *panel.Env, of *Offers, room float32) (w, h float32) {
	if !of.any() {
		return 0, 0
	}
	head := env.Atlas.LineHeight(draw.Medium) + env.Px(4)
	of.Rows, of.Files = of.Rows[:min(len(of.Rows), maxOffers)], of.Files[:min(len(of.Files), MaxFiles)]
	of.brief, of.kinds = false, of.Choose != nil
	for {
		h = env.Px(2 * wayPad)
		if of.Choose != nil {
			h += env.Px(buttonHeight)
			if of.kinds {
				h += env.Px(kindsHeight)
			}
		}
		if n := len(of.Files); n > 0 {
			h += env.Px(12) + head + env.Px(of.fileHeight())*float32(n)
		}
		if n := len(of.Rows); n > 0 {
			h += env.Px(12+buttonHeight) + env.Px(offerHeight)*float32(n)
		}
		switch f, r := len(of.Files), len(of.Rows); {
		case h <= room || f+r == 0 && !of.kinds:
			return env.Px(offerWidth), h
		case of.kinds:
			of.kinds = false
		case !of.brief && f > 0:
			of.brief = true
		case f > 3 || r <= 1 && f > 0:
			of.Files = of.Files[:f-1]
			of.more++
		default:
			of.Rows = of.Rows[:r-1]
		}
	}
}

// draw paints them as a card in a rectangle.
func (o *offerList) draw(env *panel.Env, l *draw.List, card draw.Rect, of Offers) {
	o.unplace()
	t := env.Theme
	well(env, l, card)
	in := card.Inset(env.Px(wayPad))
	x, y, width := in.X0, in.Y0, in.W()
	head := func(text string) {
		h := env.Atlas.LineHeight(draw.Medium)
		l.TextIn(draw.Medium, draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + h}, draw.Left, text, draw.Color(t.Text))
		y += h + env.Px(4)
	}
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
		if of.kinds {
			kinds, _ := next(kindsHeight)
			l.TextIn(draw.Small, kinds, draw.Left, offerKinds, draw.Color(t.Text2))
		}
	}
	if len(of.Files) > 0 {
		y += env.Px(12)
		if of.more > 0 {
			r := draw.Rect{X0: x, Y0: y, X1: x + width, Y1: y + env.Atlas.LineHeight(draw.Medium)}
			words := fmt.Sprintf("%d of %d shown", len(of.Files), len(of.Files)+of.more)
			l.TextIn(draw.Small, r, draw.Right, words, draw.Color(t.Text2))
		}
		head("Opened lately")
	}
	for i := range of.Files {
		r, hot := next(of.fileHeight())
		o.files[i] = hot.Intersect(l.Clip())
		o.file(env, l, r, &of.Files[i], o.hot == maxOffers+i, of.brief)
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

// file paints a recording: its name and when it was written to, and below that its format and
// folder; in brief its name and folder.
func (o *offerList) file(env *panel.Env, l *draw.List, r draw.Rect, f *FileRow, hot, brief bool) {
	t := env.Theme
	name := t.Accent
	if hot {
		l.Rect(draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}, draw.Color(t.Hover))
		name = t.Text
	}
	if brief {
		at := r
		at.X1 = min(r.X0+env.Atlas.Measure(draw.Regular, filepath.Base(f.Path))+1, r.X0+r.W()*2/3)
		l.NameIn(draw.Regular, at, draw.Left, filepath.Base(f.Path), draw.Color(name))
		if r.X0 = at.X1 + env.Px(12); r.W() > env.Px(40) {
			l.NameIn(draw.Small, r, draw.Right, filepath.Dir(f.Path), draw.Color(t.Text2))
		}
		return
	}
	mid := r.Y0 + env.Px(offerHeight-2)
	top, low := r, r
	top.Y1, low.Y0 = mid, mid
	when := f.Changed.Local().Format("written 2006-01-02 15:04")
	l.TextIn(draw.Small, top, draw.Right, when, draw.Color(t.Text2))
	top.X1 -= env.Atlas.Measure(draw.Small, when) + env.Px(12)
	l.NameIn(draw.Regular, top, draw.Left, filepath.Base(f.Path), draw.Color(name))
	low.Y1 = low.Y0 + env.Px(14)
	about := f.About()
	l.TextIn(draw.Small, low, draw.Left, about, draw.Color(t.Text2))
	if low.X0 += env.Atlas.Measure(draw.Small, about) + env.Px(12); low.W() > env.Px(40) {
		l.NameIn(draw.Small, low, draw.Right, filepath.Dir(f.Path), draw.Color(t.Text2))
	}
}

func (o *offerList) row(env *panel.Env, l *draw.List, r draw.Rect, s *DiskRow, hot bool) {
	t := env.Theme
	name := t.Accent
	if hot {
		l.Rect(draw.Rect{X0: r.X0 - env.Px(6), Y0: r.Y0, X1: r.X1 + env.Px(6), Y1: r.Y1}, draw.Color(t.Hover))
		name = t.Text
	}
	c := format.Pick(s.Alarm, t.Over, t.Text2)
	l.TextIn(draw.Small, r, draw.Right, string(format.AppendClock(nil, int64(s.Length), 1e9)), draw.Color(c))
	r.X1 -= env.Px(76)
	when := s.Began.Local().Format("2006-01-02 15:04")
	l.TextIn(draw.Small, r, draw.Right, when, draw.Color(c))
	r.X1 -= env.Atlas.Measure(draw.Small, when) + env.Px(12)
	l.NameIn(draw.Regular, r, draw.Left, s.Name, draw.Color(name))
}
