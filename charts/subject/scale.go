package subject

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// Scale is the format of the figures of a comparison: means in ms, sums in the unit of their measure.
type Scale struct {
	Of      string // unit of means: frame or second; empty for sums
	Measure string // measure of sums
	Unit    string // ms, KiB or another word; empty for counts
	single  bool   // each side is a single frame
	factor  float64
}

// ScaleOf returns that of the comparison; the zero value without one.
func ScaleOf(s *view.Comparing) (x Scale) {
	r := s.Result()
	if r == nil {
		return x
	}
	x.Of, x.Unit, x.factor, x.single = view.Of(r), "ms", 1, r.Single()
	if r.Sums == nil {
		return x
	}
	if m, ok := s.Marked(view.SideA); ok {
		x.Measure = MeasureName(m.Side.Session, r.Sums.Measures[view.SideA])
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

// AppendUnit appends the unit with a blank before it, for means also the frame or second.
func (x *Scale) AppendUnit(dst []byte, of bool) []byte {
	if x.Unit != "" {
		dst = append(append(dst, ' '), x.Unit...)
	}
	if of && x.Of != "" {
		dst = append(append(dst, " a "...), x.Of...)
	}
	return dst
}

// Note describes all figures of a panel, such as "ms a frame", or for sums "cpu, sums in ms".
func (x *Scale) Note() string {
	switch {
	case x.single:
		return x.Unit + ", one frame each: nothing is tested"
	case x.Of != "":
		return x.Unit + " a " + x.Of
	case x.Measure == "":
		return ""
	case x.Unit == "":
		return x.Measure + ", sums: nothing is tested"
	}
	return x.Measure + ", sums in " + x.Unit + ": nothing is tested"
}

// SumTool adds the choice of the measure for sides without times, if there are several.
func SumTool(b *panel.Toolbox, id int, s *view.Comparing) {
	list, chosen := s.Sums()
	if len(list) < 2 {
		return
	}
	m, _ := s.Marked(view.SideA)
	var names []string
	for _, x := range list {
		names = append(names, MeasureName(m.Side.Session, x.Measures[view.SideA]))
	}
	b.Choice(id, chosen, names, "", "The measure of the compared sums")
}

// NothingCompared explains why a ready comparison has no rows.
func NothingCompared(s *view.Comparing) string {
	if list, _ := s.Sums(); s.Timeless() && len(list) == 0 {
		return "Nothing to compare: the sides have no measure in common."
	}
	return "Nothing ran on either side."
}
