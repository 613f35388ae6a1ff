package subject

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
	"framescope/model/store"
)

// MeasureChoice caches the measures of some tracks, so that panels query them only when they may
// have changed.
type MeasureChoice struct {
	key  measureKey
	List []spans.Measure

	names []string
	named measureKey // the inputs of the names
}

type measureKey struct {
	session        *store.Session
	revision, hash uint64
}

// TrackHash is a number for a list of tracks.
func TrackHash(tracks []model.TrackID) (h uint64) {
	for _, t := range tracks {
		h = h*31 + uint64(t) + 1
	}
	return h
}

// Of returns the measure to show: the view's, or duration where the tracks can't give that.
func (c *MeasureChoice) Of(v *view.View, tracks []model.TrackID) spans.Measure {
	if key := (measureKey{v.Session(), v.Session().Revision(), TrackHash(tracks)}); key != c.key {
		c.key = key
		c.List = v.Session().Spans().Measures(tracks, c.List[:0])
	}
	if slices.Contains(c.List, v.Look().Measure()) {
		return v.Look().Measure()
	}
	if len(c.List) > 0 {
		return c.List[0]
	}
	return spans.MeasureDuration
}

// At returns the place of a measure among those that there are, -1 none.
func (c *MeasureChoice) At(m spans.Measure) int { return slices.Index(c.List, m) }

// Names returns the names of the measures in a choice; valid until the list changes.
func (c *MeasureChoice) Names() []string {
	if len(c.names) == len(c.List) && c.named == c.key {
		return c.names
	}
	c.names, c.named = c.names[:0], c.key
	for _, m := range c.List {
		c.names = append(c.names, MeasureName(c.key.session, m))
	}
	return c.names
}

// MeasureName is the name of a measure of a session in choices.
func MeasureName(s *store.Session, m spans.Measure) string {
	switch w, _ := s.Spans().Weight(m); m {
	case spans.MeasureDuration:
		return "Duration"
	case spans.MeasureCPU:
		return "CPU, estimated"
	case spans.MeasureSamples:
		return "Samples"
	default:
		return w.Name
	}
}

// AppendMeasured appends a figure of a measure of a session: a duration, a number of samples, or
// their weight. CPU time is an estimate, of running or parked threads, and is marked as one.
func AppendMeasured(dst []byte, s *store.Session, m spans.Measure, v int64) []byte {
	switch unit, word := MeasureUnit(s, m); {
	case m == spans.MeasureCPU:
		return format.AppendDuration(append(dst, "≈ "...), v)
	case m == spans.MeasureSamples:
		return format.AppendPlural(dst, v, "sample", "samples")
	case unit.Kind == format.UnitTime:
		return format.AppendDuration(dst, v)
	case unit.Kind == format.UnitBytes:
		return unit.Append(dst, float64(v))
	default:
		return append(append(format.AppendCount(dst, v), ' '), word...)
	}
}

// MeasuredBeside is AppendMeasured beside the name of the measure: it omits the name.
func MeasuredBeside(s *store.Session, m spans.Measure, v int64) string {
	return strings.TrimSuffix(string(AppendMeasured(nil, s, m, v)), " "+MeasureName(s, m))
}

// MeasureUnit returns the unit of a measure, and for a measure without unit the word for the counted
// things.
func MeasureUnit(s *store.Session, m spans.Measure) (u format.Unit, word string) {
	switch w, ok := s.Spans().Weight(m); {
	case ok:
		return format.UnitOfValues(&model.SeriesDef{Unit: w.Unit}), cmp.Or(w.Unit, w.Name)
	case m == spans.MeasureSamples:
		return format.UnitOfValues(&model.SeriesDef{}), "samples"
	}
	return format.UnitOfValues(&model.SeriesDef{Unit: "ns"}), ""
}

// countUnits is the width of one counted thing in units of a flame graph's axis: an axis shows no
// less than 100 of them.
const countUnits = 1_000

// UnitsOf is how many units of the axis one of a unit is wide: of times a nanosecond is one.
func UnitsOf(u format.Unit) float64 {
	return format.Pick(u.Kind == format.UnitPlain, countUnits, 1.0)
}

// EstimateTip explains in the tooltip of a method the precision of its CPU time.
func EstimateTip(l *panel.TipLines, s *store.Session, method model.CollectorID) {
	if s.Collector(method).Waits {
		l.Add("Spread: nothing but waits was sampled between two readings of the thread's clock")
		return
	}
	l.Add("Estimated: growth of the thread's clock between two readings, shared by the samples of code in between")
}

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

// Baseline returns the baseline for bars and rows of the shown session, nil if none is pinned.
func Baseline(env *panel.Env) *compare.Against { return env.Comparing.Baseline(env.View.Session()) }

// Measured is a figure with the usual values of its kind in the baseline.
type Measured struct {
	Usual compare.Usual
	Value float64 // ns, of a call, a frame or a second
	// Known is false if the baseline has no value for it: it lacks the thread, or the figure. New means
	// that it has the thread, but not this.
	Known, New bool
	Share      bool // values are ns of a second: parts of the time
}

// MeasuredBy returns a value with the figure that a baseline has of it: e is nil where the baseline has none
// of its kind, known false where it has no such thread.
func MeasuredBy(e *compare.Entry, known bool, figure func(*compare.Entry) *compare.Usual, v float64) Measured {
	m := Measured{Value: v}
	switch {
	case !known || math.IsNaN(v):
	case e == nil:
		m.Known, m.New = true, true
	default:
		m.Usual = *figure(e)
		m.Known = m.Usual.N > 0
	}
	return m
}

// TotalOf returns the figure of a frame or a second.
func TotalOf(e *compare.Entry) *compare.Usual { return &e.Total }

// CallOf returns the figure of one call.
func CallOf(e *compare.Entry) *compare.Usual { return &e.Call }

// Delta returns the excess over the typical; all of it, if it is new.
func (m *Measured) Delta() float64 { return m.Value - m.Usual.Median }

// Side is 1 where it is more than usual, -1 where it is less, 0 within, or not known.
func (m *Measured) Side() int {
	switch {
	case !m.Known:
		return 0
	case m.New:
		return 1
	}
	_, side := m.Usual.Off(m.Value)
	return side
}

// AppendDelta appends the difference with its sign: a duration, or percent of the time; for new items
// the whole time.
func (m *Measured) AppendDelta(dst []byte) []byte {
	if m.New {
		dst = append(dst, "new "...)
	}
	d := m.Delta()
	switch {
	case d < 0:
		dst = append(dst, "−"...)
	case d > 0:
		dst = append(dst, '+')
	}
	return m.append(dst, math.Abs(d))
}

func (m *Measured) append(dst []byte, v float64) []byte {
	if m.Share {
		return format.AppendPercent(dst, v/1e9)
	}
	return format.AppendDuration(dst, int64(math.Round(v)))
}

// Tip adds it to a tooltip.
func (m *Measured) Tip(l *panel.TipLines) {
	switch {
	case !m.Known:
		l.Add("The baseline has nothing to measure it by")
		return
	case m.New:
		l.Add("new: the baseline has none")
		return
	}
	l.With(m.append(append(l.Buf, "in the baseline\t"...), m.Usual.Median)).End()
	l.With(m.append(append(m.append(append(l.Buf, "usual there\t"...), m.Usual.Low), " – "...), m.Usual.High)).End()
	l.With(append(m.AppendDelta(append(l.Buf, "vs baseline\t"...)), sideWords[m.Side()+1]...)).End()
}

var sideWords = [...]string{", faster", ", as usual", ", slower"}

// Color is that of the difference as text.
func (m *Measured) Color(env *panel.Env) draw.Color {
	switch m.Side() {
	case 1:
		return draw.Color(env.Theme.Slower)
	case -1:
		return draw.Color(env.Theme.Faster)
	}
	return draw.Color(env.Theme.Text2)
}

// toneSteps is the number of strengths of a tint: up to twice the typical time, or none of it.
const toneSteps = 12

// Tones are the colors of bars that are measured by a baseline. The zero value is ready.
type Tones struct {
	theme          assets.ThemeKind
	made           bool
	usual          view.Bar
	slower, faster [toneSteps]view.Bar
}

// Use makes the colors those of a theme.
func (t *Tones) Use(th *assets.Theme) {
	if t.made && t.theme == th.Kind {
		return
	}
	t.made, t.theme = true, th.Kind
	t.usual = view.Bar{Fill: draw.Color(th.Even), Text: draw.Color(th.EvenText)}
	for i := range toneSteps {
		share := 0.4 + 0.6*float64(i)/(toneSteps-1)
		t.slower[i] = toneOf(draw.Mix(draw.Color(th.Slower), t.usual.Fill, uint8(255*(1-share))))
		t.faster[i] = toneOf(draw.Mix(draw.Color(th.Faster), t.usual.Fill, uint8(255*(1-share))))
	}
}

func toneOf(fill draw.Color) view.Bar {
	return view.Bar{Fill: fill, Text: draw.Color(assets.TextOn(fill.R, fill.G, fill.B))}
}

// Of returns the colors of something that was measured: red where it is more than usual, blue where
// less, the stronger the farther off, grey within, and where nothing is known.
func (t *Tones) Of(m *Measured) view.Bar {
	side, at := m.Side(), toneSteps-1
	if side == 0 {
		return t.usual
	}
	if off := math.Abs(m.Delta()); off < m.Usual.Median {
		at = int(off / m.Usual.Median * (toneSteps - 1))
	}
	if side > 0 {
		return t.slower[at]
	}
	return t.faster[at]
}
