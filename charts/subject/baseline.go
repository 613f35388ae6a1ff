package subject

import (
	"math"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/compare"
)

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
	theme  assets.ThemeKind
	made   bool
	usual  view.Bar
	slower [toneSteps]view.Bar
	faster [toneSteps]view.Bar
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
