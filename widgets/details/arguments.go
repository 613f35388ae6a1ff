// The inspector shows the arguments of the selected call, and its other annotations.

package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// ArgumentRows are the arguments of a span, one below the other. The zero value has none.
type ArgumentRows struct {
	list  []model.Arg
	rects []draw.Rect // of those that were drawn
}

// Of takes the arguments of a span, and returns how many they are.
func (x *ArgumentRows) Of(s *store.Session, r spans.Ref) int {
	x.list, x.rects = s.Args().Of(r.Track, int(r.Lane), r.Index, x.list[:0]), x.rects[:0]
	return len(x.list)
}

// Clear forgets them.
func (x *ArgumentRows) Clear() { x.list, x.rects = x.list[:0], x.rects[:0] }

// Draw writes keys at the left and values at the right of r from its top down, as far as it goes. A
// value that does not fit beside its key is below it, in several lines if need be. Draw passes each
// to tell, and returns how far it came.
func (x *ArgumentRows) Draw(env *panel.Env, l *draw.List, names *draw.Names, r draw.Rect, tell func(name, value string)) float32 {
	t, y, line := env.Theme, r.Y0, env.Px(20)
	for i := range x.list {
		if y+2*line > r.Y1 && i+1 < len(x.list) {
			more := string(format.AppendPlural(nil, int64(len(x.list)-i), "argument more", "arguments more"))
			l.TextIn(draw.Regular, draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}, draw.Left, more, draw.Color(t.TextDim))
			return y + line
		}
		key, value := subject.ArgWords(&x.list[i])
		tell(key, value)
		row := draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}
		at := row
		if w := env.Atlas.Measure(draw.Regular, value) + env.Px(6); panel.RoomBeside(env, draw.Regular, key, row.W(), w) {
			l.TextIn(draw.Regular, row, draw.Right, value, draw.Color(t.Text))
			at.X1 -= w
		} else {
			for _, part := range panel.WrapWords(env.Atlas, draw.Regular, value, row.W()-env.Px(12)) {
				row.Y1 += env.Px(16)
				below := draw.Rect{X0: row.X0 + env.Px(12), Y0: row.Y1 - env.Px(18), X1: row.X1, Y1: row.Y1}
				l.TextIn(draw.Regular, below, draw.Left, part, draw.Color(t.Text))
			}
		}
		names.Add(0, draw.Regular, at, draw.Left, key, draw.Color(t.Text2))
		x.rects = append(x.rects, row)
		y = row.Y1
	}
	return y
}

// HitTest returns the argument under a point, all of it, to be read and copied; false: there is none.
func (x *ArgumentRows) HitTest(pxX, pxY float32) (hit panel.Hit, ok bool) {
	hit = panel.NoHit()
	for i, r := range x.rects {
		if r.Contains(pxX, pxY) {
			a := &x.list[i]
			hit.Kind, hit.Rect = panel.HitLabel, r
			hit.Lines = append(hit.Lines, escape.Line(a.Key), escape.Line(a.Value.String()))
			return hit, true
		}
	}
	return hit, false
}
