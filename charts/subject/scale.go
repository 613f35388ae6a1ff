package subject

import (
	"framescope/charts/comparing"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/compare"
)

// Scale is how the figures of a comparison are written: means in ms, sums in the unit of what they are of.
type Scale struct {
	Of      string // what means are of: frame or second; empty of sums
	Measure string // what sums are of
	Unit    string // ms, KiB or another word; empty for counts
	factor  float64
}

// ScaleOf returns that of the comparison; the zero value without one.
func ScaleOf(s *comparing.State) (x Scale) {
	r := s.Result()
	if r == nil {
		return x
	}
	x.Of, x.Unit, x.factor = comparing.Of(r), "ms", 1
	if r.Sums == nil {
		return x
	}
	if m, ok := s.Marked(comparing.A); ok {
		x.Measure = MeasureName(m.Side.Session, r.Sums.Measures[comparing.A])
	}
	switch x.Unit = r.Sums.Unit; x.Unit {
	case "ns":
		x.Unit = "ms"
	case "B":
		x.Unit, x.factor = "KiB", 1e6/1024.0
	default:
		x.factor = 0
	}
	return x
}

// Append appends a figure without its unit, a dash where it is not known.
func (x *Scale) Append(dst []byte, v float64) []byte {
	if x.factor == 0 && v == v {
		return format.AppendCount(dst, int64(v))
	}
	return AppendMs(dst, v*x.factor)
}

// AppendDelta is Append with a sign in any case.
func (x *Scale) AppendDelta(dst []byte, v float64) []byte {
	if v > 0 {
		dst = append(dst, '+')
	}
	return x.Append(dst, v)
}

// AppendUnit appends the unit with a blank before it, of means also what they are of.
func (x *Scale) AppendUnit(dst []byte, of bool) []byte {
	if x.Unit != "" {
		dst = append(append(dst, ' '), x.Unit...)
	}
	if of && x.Of != "" {
		dst = append(append(dst, " a "...), x.Of...)
	}
	return dst
}

// Note is what all figures of a panel are, such as "ms a frame", or of sums "cpu, sums in ms".
func (x *Scale) Note() string {
	switch {
	case x.Of != "":
		return x.Unit + " a " + x.Of
	case x.Measure == "":
		return ""
	case x.Unit == "":
		return x.Measure + ", sums: nothing is tested"
	}
	return x.Measure + ", sums in " + x.Unit + ": nothing is tested"
}

// Differs reports whether a figure is shown as changed: tested figures by their verdict, sums if they differ.
func (x *Scale) Differs(f *compare.Figure) bool {
	return f.Verdict.Changed() || x.Measure != "" && f.Delta() != 0
}

// SumTool adds the choice of what sides without times are compared by, where there are several.
func SumTool(b *panel.Toolbox, id int, s *comparing.State) {
	list, chosen := s.Sums()
	if len(list) < 2 {
		return
	}
	m, _ := s.Marked(comparing.A)
	var names []string
	for _, x := range list {
		names = append(names, MeasureName(m.Side.Session, x.Measures[comparing.A]))
	}
	b.Choice(id, chosen, names, "", "What the sums are of that are compared")
}

// NothingCompared says why a comparison that is ready has no rows.
func NothingCompared(s *comparing.State) string {
	if list, _ := s.Sums(); s.Timeless() && len(list) == 0 {
		return "Nothing can be compared: what the one has sums of the other has not."
	}
	return "Nothing ran in either of the two."
}
