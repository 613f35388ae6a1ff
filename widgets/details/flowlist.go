// The inspector lists the flows into and out of the selected span, with links to their other ends.

package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// FlowRows are the flows of a span, one below the other. The zero value has none.
type FlowRows struct {
	session *store.Session
	of      timepane.OfSpan
	rects   []draw.Rect // of those that were drawn
	hover   int         // counted from 1, 0 none
	buf     []byte
}

// mostRows is how many flows are listed at most.
const mostRows = 24

// Of takes the flows of a span, and returns how many they are.
func (x *FlowRows) Of(s *store.Session, b *spans.Bar) int {
	x.session, x.rects = s, x.rects[:0]
	x.of.Ask(s, b)
	return x.of.Count()
}

// Clear forgets where they were drawn.
func (x *FlowRows) Clear() { x.rects = x.rects[:0] }

// Head returns their number: "flows: 2 to it, 1 from it".
func (x *FlowRows) Head() string {
	return string(timepane.AppendCounts([]byte("flows: "), &x.of))
}

// row returns the flow of a row, its other end, and whether it leads away.
func (x *FlowRows) row(i int) (f timepane.Flow, other *timepane.End, out bool) {
	if out = i >= len(x.of.In); out {
		f = timepane.FlowOf(x.session, x.of.Out[i-len(x.of.In)])
		return f, &f.End, true
	}
	f = timepane.FlowOf(x.session, x.of.In[i])
	return f, &f.Begin, false
}

// Draw writes the flows from the top of r down, as far as it goes: first those that lead to the span, then
// those that begin in it, each in the order of time. Draw passes each to tell, and returns how far it
// came.
func (x *FlowRows) Draw(env *panel.Env, l *draw.List, r draw.Rect, tell func(name, value string)) float32 {
	t, y, line := env.Theme, r.Y0, env.Px(18)
	for i := range x.of.Count() {
		if left := x.of.Count() - i; (i == mostRows || y+4*line > r.Y1) && left > 1 {
			x.buf = append(format.AppendCount(append(x.buf[:0], "and "...), int64(left)), " more"...)
			l.TextIn(draw.Regular, draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}, draw.Left, panel.ScratchText(x.buf), draw.Color(t.TextDim))
			return y + line
		}
		f, other, out := x.row(i)
		word, span := timepane.ArrowWord(out), string(timepane.AppendName(nil, x.session, other))
		on := string(timepane.AppendPlace(nil, x.session, &f.Arrow, other))
		delay := string(timepane.AppendDelay(nil, &f.Arrow, out))
		tell(word+span+on, delay)
		at := draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}
		below := draw.Rect{X0: r.X0 + env.Px(12), Y0: at.Y1 - env.Px(2), X1: r.X1, Y1: at.Y1 + line - env.Px(4)}
		row := draw.Rect{X0: r.X0 - env.Px(4), Y0: y, X1: r.X1 + env.Px(4), Y1: below.Y1}
		if x.hover == i+1 {
			l.Rect(row, draw.Color(t.Hover))
		}
		l.TextIn(draw.Regular, at, draw.Right, delay, draw.Color(t.Text))
		at.X1 -= env.Atlas.Measure(draw.Regular, delay) + env.Px(8)
		l.TextIn(draw.Regular, at, draw.Left, word, draw.Color(t.Text2))
		at.X0 += env.Atlas.Measure(draw.Regular, word)
		l.NameIn(draw.Regular, at, draw.Left, span, draw.Color(t.Accent))
		l.NameIn(draw.Small, below, draw.Left, on[1:], draw.Color(t.Text2))
		x.rects = append(x.rects, row)
		y = below.Y1 + env.Px(2)
	}
	return y
}

// Input goes where a row leads that is clicked, and returns which is under the mouse, counted from 1: 0 is
// none.
func (x *FlowRows) Input(v *view.View, in *panel.Input) int {
	x.hover = 0
	if in.Over && x.session == v.Session() {
		if x.hover = x.at(in.X, in.Y) + 1; x.hover > 0 && in.Left.Released && !in.Left.Dragging {
			_, other, _ := x.row(x.hover - 1)
			timepane.Follow(v, other)
		}
	}
	return x.hover
}

func (x *FlowRows) at(pxX, pxY float32) int {
	for i := range x.rects {
		if x.rects[i].Contains(pxX, pxY) && i < x.of.Count() {
			return i
		}
	}
	return -1
}

// HitTest returns the flow under a point, all of it; false: there is none.
func (x *FlowRows) HitTest(v *view.View, pxX, pxY float32) (hit panel.Hit, ok bool) {
	i := x.at(pxX, pxY)
	if hit = panel.NoHit(); i < 0 || x.session != v.Session() {
		return hit, false
	}
	f, other, out := x.row(i)
	b := timepane.AppendName([]byte(timepane.ArrowWord(out)), x.session, other)
	b = timepane.AppendPlace(b, x.session, &f.Arrow, other)
	hit.Kind, hit.Rect = panel.HitLabel, x.rects[i]
	hit.Lines = append(hit.Lines, escape.Line(string(b)), string(timepane.AppendDelay(nil, &f.Arrow, out)), "click: go there")
	return hit, true
}

// The inspector shows the arguments of the selected call, and its other annotations.

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
