package subject

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
	"framescope/model/store"
)

// AppendMs appends ns in ms, without the unit: three decimals below 1, two below 10, then one; below
// 0.001 two significant digits; a dash if unknown.
func AppendMs(dst []byte, ns float64) []byte {
	if math.IsNaN(ns) {
		return append(dst, format.None...)
	}
	ms, digits := ns/1e6, 3
	if ms < 0 {
		dst, ms = append(dst, "−"...), -ms
	}
	switch {
	case ms == 0:
		return append(dst, '0')
	case ms >= 9.995:
		digits = 1
	case ms >= 0.9995:
		digits = 2
	case ms < 0.0005:
		digits = 1 - int(math.Floor(math.Log10(ms)))
	}
	return strconv.AppendFloat(dst, ms, 'f', digits, 64)
}

// AppendDelta is AppendMs with a sign in any case.
func AppendDelta(dst []byte, ns float64) []byte {
	if ns > 0 {
		dst = append(dst, '+')
	}
	return AppendMs(dst, ns)
}

// AppendSpread appends how uncertain a difference is, as AppendMs does, but with no fewer decimals than
// that gives the difference.
func AppendSpread(dst []byte, ns, of float64) []byte {
	if math.IsNaN(ns) || ns == 0 {
		return AppendMs(dst, ns)
	}
	var b [32]byte
	_, as, _ := bytes.Cut(AppendMs(b[:0], of), []byte("."))
	digits := len(as)
	_, own, _ := bytes.Cut(AppendMs(b[:0], ns), []byte("."))
	return strconv.AppendFloat(dst, ns/1e6, 'f', max(digits, len(own)), 64)
}

// AppendP appends a probability.
func AppendP(dst []byte, p float64) []byte {
	switch {
	case math.IsNaN(p):
		return append(dst, format.None...)
	case p < 0.0001:
		return append(dst, "<0.0001"...)
	}
	return strconv.AppendFloat(dst, p, 'f', 4, 64)
}

// DeltaTip describes the change of a figure, as all panels of a comparison do.
func DeltaTip(l *panel.TipLines, what string, f *compare.Figure, in *Scale) {
	if !f.Known {
		return
	}
	line := func(name string, buf []byte) { l.Text(name).With(append(append(l.Buf, '\t'), buf...)).End() }
	var b [48]byte
	line(what+" in A", in.AppendUnit(in.Append(b[:0], f.Typical[0]), true))
	line(what+" in B", in.AppendUnit(in.Append(b[:0], f.Typical[1]), true))
	d := in.AppendUnit(in.AppendDelta(b[:0], f.Delta()), false)
	if !math.IsNaN(f.Half) {
		d = append(AppendSpread(append(AppendDelta(b[:0], f.Delta()), " ± "...), f.Half, f.Delta()), " ms"...)
	}
	line("B − A", d)
	if !math.IsNaN(f.P) {
		line("p, corrected", AppendP(b[:0], f.P))
	}
	switch {
	case f.Lack == compare.LacksOthers && f.Verdict == compare.Untested:
		l.Add("one frame of each side: nothing is tested")
	case f.Verdict == compare.Untested:
		l.Text("untested: ").With(f.AppendWhy(l.Buf, in.Of)).End()
	case f.WithinHalf():
		l.Text(verdicts[f.Verdict]).Text(" by the ranks of ").Text(in.Of).Text("s; of the means 0 is within ±").End()
	default:
		l.Add(verdicts[f.Verdict])
	}
}

// CallsTip adds how often a call path was begun on both sides, per frame or second; for sums it is
// unknown.
func CallsTip(l *panel.TipLines, r *compare.Row, of string) {
	if of == "" {
		return
	}
	if r.Calls == [2]float64{} { // it continues a call begun in another caller, or before
		l.Add("No call begins here, what began elsewhere goes on")
		return
	}
	l.Text("calls a ").Text(of).Text("\t").With(format.AppendValue(l.Buf, r.Calls[0], ""))
	l.Text(" → ").With(format.AppendValue(l.Buf, r.Calls[1], "")).End()
}

// verdicts explain the verdicts.
var verdicts = [...]string{
	compare.Noise: "within noise", compare.Slower: "slower in B", compare.Faster: "faster in B",
	compare.New: "new: in B alone", compare.Gone: "gone: in A alone",
	compare.Mixed:     "mixed: most frames changed one way, the mean the other",
	compare.Identical: "identical on both sides",
}

// AppendSingle appends how two single frames differ, and what explains it: "B is 55.0 ms longer: Draw:Compile
// shader on Draw, +55.9 ms, explains all of it".
func AppendSingle(dst []byte, r *compare.Result) []byte {
	a, b := float64(r.Frames.Sides[0].Longest), float64(r.Frames.Sides[1].Longest)
	delta := b - a
	switch {
	case r.AsLong(a, b):
		return append(dst, "Both frames are equally long"...)
	case delta > 0:
		dst = append(AppendMs(append(dst, "B is "...), delta), " ms longer"...)
	default:
		dst = append(AppendMs(append(dst, "B is "...), -delta), " ms shorter"...)
	}
	if r.Explains < 0 {
		return append(dst, "; no collector explains half of it"...)
	}
	row := &r.Collectors[r.Explains]
	dst = append(append(dst, ": "...), escape.Name(row.Title())...)
	dst = append(append(dst, " on "...), escape.Name(r.Threads[row.Thread].Title)...)
	dst = append(AppendDelta(append(dst, ", "...), row.Self.Delta()), format.Pick(r.Waited, " ms waited, is ",
		" ms, explains ")...)
	const all = 0.95
	if share := row.Self.Delta() / delta; share < all {
		return append(format.AppendPercent(dst, share), " of it"...)
	}
	return append(dst, "all of it"...)
}

// DeltaColor is that of a difference: slower or new, faster or gone, or the rest. For exact figures, more and
// less are colored.
func DeltaColor(env *panel.Env, f *compare.Figure) draw.Color {
	if f.Exact() && f.Delta() != 0 {
		return draw.Color(format.Pick(f.Delta() > 0, env.Theme.Slower, env.Theme.Faster))
	}
	switch f.Verdict {
	case compare.Slower, compare.New:
		return draw.Color(env.Theme.Slower)
	case compare.Faster, compare.Gone:
		return draw.Color(env.Theme.Faster)
	case compare.Mixed:
		return draw.Color(env.Theme.Over)
	}
	return draw.Color(env.Theme.TextDim)
}

// Sizes of the head that shows ranges A and B, at scale 1.
const (
	sideRowPx   = 20
	sideBadgePx = 16
	sideGapPx   = 20 // between both, in one row
)

// sideLetters are the names of the sides.
var sideLetters = [...]string{view.SideA: "A", view.SideB: "B"}

// SideLetter returns the name of a side.
func SideLetter(side int) string { return sideLetters[side] }

// SidesHead is the head of a panel that compares: it shows the ranges and sessions of A and B, beside
// each other, or below each other if that does not fit. The zero value is ready.
type SidesHead struct {
	rect  draw.Rect
	marks [2]view.Mark
	is    [2]bool
	rows  int
	// Note describes all figures of the panel; it stands at the right if it fits.
	Note string
}

// Place gives the head the upper edge of a panel, and returns the rest: all of it without a
// comparison.
func (h *SidesHead) Place(env *panel.Env, rect draw.Rect) (rest draw.Rect) {
	need, half := float32(0), (rect.W()-env.Px(12))/2
	h.rows = 1
	for side := range h.marks {
		h.marks[side], h.is[side] = env.Comparing.Marked(side)
		if need = h.need(env, side); need > half {
			h.rows = 2
		}
	}
	h.rect, rest = rect, rect
	if !env.Comparing.Any() {
		h.rect.Y1 = rect.Y0
		return rest
	}
	h.rect.Y1 = min(rect.Y0+env.Px(4)+float32(h.rows)*env.Px(sideRowPx), rect.Y1)
	rest.Y0 = h.rect.Y1
	return rest
}

// need is how wide a side is.
func (h *SidesHead) need(env *panel.Env, side int) float32 {
	m := &h.marks[side]
	w := env.Px(sideBadgePx+6+8+sideGapPx) + env.Atlas.Measure(draw.Medium, m.Name)
	return w + env.Atlas.Measure(draw.Regular, h.what(side))
}

// what describes the range of a side.
func (h *SidesHead) what(side int) string {
	if !h.is[side] {
		return "not marked yet (Shift+" + sideLetters[side] + ")"
	}
	return h.marks[side].What
}

// Height is how high the head is, as of the last Place.
func (h *SidesHead) Height() float32 { return h.rect.H() }

// Draw writes it.
func (h *SidesHead) Draw(env *panel.Env, l *draw.List) {
	if h.rect.Empty() {
		return
	}
	row := draw.Rect{X0: h.rect.X0 + env.Px(9), Y0: h.rect.Y0 + env.Px(2), X1: h.rect.X1 - env.Px(4)}
	row.Y1 = row.Y0 + env.Px(sideRowPx)
	for side := range h.marks {
		r := row
		if h.rows == 1 && side == view.SideA {
			r.X1 = panel.Snap((row.X0 + row.X1) / 2)
		} else if h.rows == 1 {
			r.X0 = panel.Snap((row.X0 + row.X1) / 2)
		}
		end := drawSide(env, l, r, side, &h.marks[side], h.what(side))
		if need := env.Atlas.Measure(draw.Small, h.Note); need > 0 && side == 2-h.rows && end+env.Px(sideGapPx)+need <= r.X1 {
			note := r
			note.X1 -= env.Px(6)
			l.TextIn(draw.Small, note, draw.Right, h.Note, draw.Color(env.Theme.Text2))
		}
		if h.rows == 2 {
			row.Y0, row.Y1 = row.Y1, row.Y1+env.Px(sideRowPx)
		}
	}
}

// DrawSide writes the range and session of a side into a row, and behind that a note if it fits.
func DrawSide(env *panel.Env, l *draw.List, row draw.Rect, side int, note string) {
	m, _ := env.Comparing.Marked(side)
	row.X0, row.X1 = row.X0+env.Px(9), row.X1-env.Px(4)
	end := drawSide(env, l, row, side, &m, m.What)
	if w := env.Atlas.Measure(draw.Small, note); end+env.Px(sideGapPx)+w <= row.X1-env.Px(6) {
		row.X1 -= env.Px(6)
		l.TextIn(draw.Small, row, draw.Right, note, draw.Color(env.Theme.Text2))
	}
}

// drawSide writes a side: its letter, its session, and which stretch of that. It returns where that
// ends.
func drawSide(env *panel.Env, l *draw.List, r draw.Rect, side int, m *view.Mark, what string) (end float32) {
	th := env.Theme
	SideBadge(env, l, draw.Rect{X0: r.X0, Y0: r.Y0 + env.Px(2), X1: r.X0 + env.Px(sideBadgePx),
		Y1: r.Y0 + env.Px(2+sideBadgePx)}, side)
	r.X0 += env.Px(sideBadgePx + 6)
	whatW := env.Atlas.Measure(draw.Regular, what) + env.Px(2)
	if m.Name != "" {
		at := r
		at.X1 = max(r.X0, min(r.X1, r.X1-whatW-env.Px(8))) // the session's name is shortened first
		l.NameIn(draw.Medium, at, draw.Left, m.Name, draw.Color(th.Text))
		r.X0 += min(env.Atlas.Measure(draw.Medium, m.Name), at.W()) + env.Px(8)
	}
	l.TextIn(draw.Regular, r, draw.Left, what, draw.Color(th.Text2))
	return r.X0 + whatW
}

// SideBadge draws the letter of a side in its colors: A grey, B in the accent color.
func SideBadge(env *panel.Env, l *draw.List, r draw.Rect, side int) {
	th := env.Theme
	fill, text := th.Button, th.Text
	if side == view.SideB {
		fill, text = th.AccentGround, th.Accent
	}
	l.Rect(r, draw.Color(fill))
	l.TextIn(draw.Medium, r, draw.Center, sideLetters[side], draw.Color(text))
}

// MeasureSums are the weights of samples without times: of the shown threads, in all and of a
// method.
type MeasureSums struct {
	Measure spans.Measure   // the one that charts show
	Tracks  []model.TrackID // the threads
	Rows    []MeasureSum
	Callers []spans.Caller // of the method, in Measure

	shown MeasureChoice
	trees [spans.NumMeasures]spans.TreeUser
	asked sumsOf // the inputs of the trees
	waits bool
	made  uint64
}

// sumsOf is the inputs of sums.
type sumsOf struct {
	session          *store.Session
	revision, tracks uint64
	t0, t1           int64
}

// MeasureSum is the weight of samples in one measure: in all, and of the method.
type MeasureSum struct {
	Measure         spans.Measure
	Of, Total, Self int64
}

// Sum gets the numbers from the model; c is NoCollector for no method. It returns false while they are
// not ready: call it again. revision changes when they are to be made anew.
func (x *MeasureSums) Sum(v *view.View, c model.CollectorID, t0, t1 int64, revision uint64) bool {
	table, tracks := v.Session().Spans(), v.Look().VisibleTracks()
	measure := x.shown.Of(v, tracks)
	of := sumsOf{v.Session(), revision, TrackHash(tracks), t0, t1}
	if x.asked.session != of.session {
		x.Rows, x.Callers, x.waits = x.Rows[:0], x.Callers[:0], false
	}
	if x.asked != of && !x.waits {
		x.asked, x.waits, x.Tracks = of, true, append(x.Tracks[:0], tracks...)
		for m := range x.trees {
			if slices.Contains(x.shown.List, spans.Measure(m)) {
				x.trees[m].Ask(table, spans.Measure(m), tracks, t0, t1)
			} else {
				x.trees[m].Drop()
			}
		}
	}
	for m := range x.trees {
		if x.trees[m].Step(); x.trees[m].Waits() {
			return false
		}
	}
	if x.waits = false; x.asked != of {
		return false
	}
	x.made++
	x.Measure, x.Rows, x.Callers = measure, x.Rows[:0], x.Callers[:0]
	for _, m := range x.shown.List {
		tree := x.trees[m].Tree()
		in, _ := tree.Took(c)
		x.Rows = append(x.Rows, MeasureSum{Measure: m, Of: tree.Total, Total: in.Total, Self: in.Self})
	}
	if tree := x.Tree(); tree != nil && c != model.NoCollector {
		x.Callers = tree.Callers(c, x.Callers)
	}
	return true
}

// Made returns how often the numbers were made.
func (x *MeasureSums) Made() uint64 { return x.made }

// Tree returns the tree of Measure, nil while there is none.
func (x *MeasureSums) Tree() *spans.SharedTree { return x.trees[x.Measure].Tree() }

// SampledWords describe the precision of the hottest method's share.
func SampledWords(s *store.Session, hot *spans.Hottest) string {
	b := []byte("sampled")
	x := s.Info().Sampling
	if every := max(x.MedianNs, x.AskedNs); every > 0 {
		b = format.AppendDuration(append(b, " every "...), every)
	}
	b = format.AppendPercent(append(b, ": ± "...), hot.Within())
	b = format.AppendCount(append(b, " (95 %). "...), hot.Of)
	b = format.AppendPlural(append(b, " of "...), hot.Samples, "sample is of code", "samples are of code")
	return string(append(b, ", the others wait, or read or write"...))
}

// StepWords describe the part of the samples that goes through a method on the way to the hottest one:
// its share and amount, and the same as a sentence.
func StepWords(
	s *store.Session, m spans.Measure, hot *spans.Hottest, at *spans.Step,
) (words, told string, share float64) {
	share = float64(at.Samples) / float64(max(hot.Of, 1))
	b := AppendMeasured(append(format.AppendPercent(nil, share), ", "...), s, m, at.Samples)
	words = string(b)
	b = AppendMeasured(append([]byte(s.Collector(at.Collector).Title()), " is on the stack in "...), s, m, at.Samples)
	return words, string(AppendMeasured(append(b, ", of "...), s, m, hot.Of)), share
}

// OwnWords describe the figure of the hottest method, or that of a chosen one.
func OwnWords(s *store.Session, m spans.Measure, chosen model.CollectorID) string {
	what := MeasureName(s, m)
	if m == spans.MeasureSamples {
		what = "samples"
	}
	if chosen == model.NoCollector {
		return "Most of " + what + " by itself"
	}
	return "Own " + what + " of " + s.Collector(chosen).Name
}
