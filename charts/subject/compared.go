package subject

import (
	"bytes"
	"math"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/escape"
	"framescope/model/compare"
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
	delta := float64(r.Frames.Sides[1].Longest - r.Frames.Sides[0].Longest)
	switch {
	case delta == 0:
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
	dst = append(append(dst, ": "...), escape.Name(row.Name())...)
	dst = append(append(dst, " on "...), escape.Name(r.Threads[row.Thread].Title)...)
	dst = append(AppendDelta(append(dst, ", "...), row.Self.Delta()), " ms, explains "...)
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
