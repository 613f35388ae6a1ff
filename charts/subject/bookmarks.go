package subject

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/place"
)

// AppendPlace appends the name of a place: "frame 5 431", "12.50 ms", "App:Draw, 2.41 ms".
func AppendPlace(dst []byte, p place.Place) []byte {
	switch p.Kind {
	case place.Frames:
		if p.First == p.Last {
			return format.AppendCount(append(dst, "frame "...), p.First)
		}
		dst = format.AppendCount(append(dst, "frames "...), p.First)
		return format.AppendCount(append(dst, " – "...), p.Last)
	case place.Span:
		if p.Collector == "" {
			return append(dst, "span"...)
		}
		return append(dst, p.Collector...)
	case place.Range:
		return format.AppendDuration(append(dst, "range of "...), p.EndNs-p.BeginNs)
	}
	return format.AppendClock(append(dst, "time "...), p.BeginNs, 1e6)
}

// PlaceName returns the name of a place, for people.
func PlaceName(p place.Place) string { return string(AppendPlace(nil, p)) }

// BookmarkTip adds the lines about a bookmark: its number, the note, its place, and when and how
// long that is.
func BookmarkTip(tip *panel.TipLines, m *view.Placed) {
	tip.Text("Bookmark")
	tip.If(m.Number > 0).Text(" ").Count(int64(m.Number))
	tip.End()
	for rest := m.Note; rest != ""; {
		line, more := BreakLine(rest)
		tip.Add(line)
		rest = more
	}
	tip.With(AppendPlace(tip.Buf, m.Place)).End()
	tip.If(m.Place.Thread != "").Text("thread\t").Text(m.Place.Thread).End()
	if ns := m.Found.EndNs - m.Found.BeginNs; ns > 0 {
		tip.Text("duration\t").Duration(ns).End()
	}
	tip.Text("at\t").Clock(m.Found.BeginNs).End()
	if m.Err != nil {
		tip.Add(m.Err.Error())
	}
}

// Sizes of a flag in scale-1 pixels.
const (
	flagPx     = 11
	flagHighPx = 12
)

// Flags are the bookmarks along an axis as they were drawn.
type Flags struct {
	drawn []drawnFlag
	tip   panel.TipLines
}

// drawnFlag is a drawn flag and its bookmark.
type drawnFlag struct {
	rect draw.Rect
	pole float32 // its x
	id   uint64
}

// Reset forgets the drawn flags.
func (f *Flags) Reset() { f.drawn = f.drawn[:0] }

// Place notes a flag at x, which is within [x0, x1): at the right of its pole, where there is room.
// It moves aside for the one before it.
func (f *Flags) Place(env *panel.Env, m *view.Placed, x, y, x0, x1 float32) {
	if x < x0 || x >= x1 {
		return
	}
	w := env.Px(flagPx)
	r := draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + env.Px(flagHighPx)}
	if n := len(f.drawn); n > 0 && f.drawn[n-1].rect.X1+1 > r.X0 {
		r.X0 = f.drawn[n-1].rect.X1 + 1
		r.X1 = r.X0 + w
	}
	if r.X1 > x1 {
		r.X0, r.X1 = r.X0-w, r.X1-w
	}
	f.drawn = append(f.drawn, drawnFlag{r, x, m.ID})
}

// Meets reports whether a flag lies in a rectangle.
func (f *Flags) Meets(r draw.Rect) bool {
	for i := range f.drawn {
		if d := &f.drawn[i].rect; d.X0 < r.X1 && d.X1 > r.X0 && d.Y0 < r.Y1 && d.Y1 > r.Y0 {
			return true
		}
	}
	return false
}

// Draw draws the flags that were placed, each on a pole down to poleEnd.
func (f *Flags) Draw(l *draw.List, env *panel.Env, poleEnd float32) {
	ground, color := draw.Color(env.Theme.AccentGround), draw.Color(env.Theme.Accent)
	one := max(1, float32(int(env.Scale)))
	for i := range f.drawn { // below all flags: one may have moved aside for another
		d := &f.drawn[i]
		l.Rect(draw.Rect{X0: d.pole, Y0: d.rect.Y0, X1: d.pole + one, Y1: poleEnd}, color.WithAlpha(150))
	}
	for i := range f.drawn {
		d := &f.drawn[i]
		m, ok := env.View.Marks().ByID(d.id)
		if !ok {
			continue
		}
		if m.Number == 0 {
			mid := (d.rect.Y0 + d.rect.Y1) / 2
			l.Triangle(d.rect.X0, d.rect.Y0, d.rect.X1, mid, d.rect.X0, d.rect.Y1, color)
			continue
		}
		l.Rect(d.rect, ground)
		l.Outline(d.rect, one, color)
		l.TextIn(draw.Small, d.rect, draw.Center, digits[m.Number:m.Number+1], color)
	}
}

const digits = "0123456789"

// Hit returns the bookmark of the flag drawn at a point.
func (f *Flags) Hit(env *panel.Env, pxX, pxY float32) (hit panel.Hit, ok bool) {
	id, r := f.at(env, pxX, pxY)
	if id == 0 {
		return panel.NoHit(), false
	}
	hit = panel.NoHit()
	hit.Kind, hit.Mark, hit.Rect = panel.HitMark, id, r
	for _, m := range env.View.Bookmarks() {
		if m.ID == id {
			f.tip.Begin()
			BookmarkTip(&f.tip, &m)
			hit.TimeNs, hit.Lines = m.Found.BeginNs, f.tip.All()
			return hit, true
		}
	}
	return panel.NoHit(), false
}

// Press selects the bookmark of the flag drawn at a point; false: there is none.
func (f *Flags) Press(env *panel.Env, pxX, pxY float32) bool {
	id, _ := f.at(env, pxX, pxY)
	return id != 0 && env.View.GoToMark(id) == nil
}

func (f *Flags) at(env *panel.Env, pxX, pxY float32) (id uint64, r draw.Rect) {
	for i := len(f.drawn) - 1; i >= 0; i-- {
		if r := f.drawn[i].rect; pxX >= r.X0-1 && pxX < r.X1+1 && pxY >= r.Y0-1 && pxY < r.Y1+1 {
			return f.drawn[i].id, r
		}
	}
	return 0, draw.Rect{}
}
