package app

import (
	"strconv"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
)

// liveItem is the chip that reports whether the shown data is live. When there is no open address, a
// click tries again to listen.
func (b *Toolbar) liveItem() item {
	some, st := !b.shown.View.None(), &b.shown.Status
	it := item{
		id: "live", kind: itemChip, label: b.liveLabel(), tip: "Live, or a part of the past",
		enabled: some,
	}
	short, behind := strings.CutSuffix(it.label, behindLive)
	if behind {
		it.tip = it.label + "\n" + it.tip
	}
	if behind || some && st.Live {
		it.short, it.dropAt = short, 12
		it.room, it.shortRoom = pausedWords+"00.0 s"+behindLive, pausedWords+"00.0 s"
	}
	if some && !st.Live && !st.Loading && st.Problem == "" { // there is nothing newer to follow
		it.tip = "The session has ended"
		if reason, _ := b.shown.View.Session().Ended(); reason != "" {
			it.tip += ": " + reason
		}
		if b.shown.View.Session().Info().File {
			it.tip = "Recorded session (not live)"
		}
	}
	if !some && st.Listening.Problem != "" {
		it.command, it.tip, it.enabled = "listen", st.Listening.Problem+". A click tries again.", true
	}
	if st.Silence.Overdue {
		b.buf = st.Silence.Append(b.buf[:0])
		if st.Silence.UsualNs > 0 {
			b.buf = append(b.buf, ", usually something comes within "...)
			b.buf = format.AppendDuration(b.buf, st.Silence.UsualNs)
		}
		it.tip = string(append(b.buf, "\nIs the program stopped, in a debugger, or gone?"...))
	}
	return it
}

// behindLive is left out where there is no room for it.
const behindLive = " behind live"

// pausedWords begin the label of a view that does not follow.
const pausedWords = "Paused  "

func (b *Toolbar) liveLabel() string {
	v, st := b.shown.View, &b.shown.Status
	out := b.buf[:0]
	switch {
	case v.None() && st.Listening.Problem != "":
		out = append(out, "Not listening"...)
	case v.None() && !st.Awaits:
		out = append(out, "No session"...)
	case v.None():
		out = append(out, "Waiting"...)
	case st.Problem != "" && !v.Session().Some():
		out = append(out, "Not opened"...)
	case st.Loading:
		out = append(out, "Loading"...)
	case !st.Live:
		switch {
		case v.Session().BrokeOff():
			out = append(out, "Broke off"...)
		case v.Session().Info().File:
			out = append(out, "File"...)
		default:
			out = append(out, "Ended"...)
		}
	case v.Live() && st.Silence.Nothing && st.AtEnd != "":
		out = append(append(out, "● Receiving: "...), st.AtEnd...)
	case v.Live() && st.Silence.Nothing:
		out = st.Silence.Append(append(out, "● Connected, "...))
	case v.Live() && st.Silence.Ns > 0:
		out = st.Silence.Append(append(out, "● Live, "...))
	case v.Live() && !v.Session().Some():
		out = append(out, "● Waiting"...)
	case v.Live():
		out = append(out, "● Live"...)
		if !b.Still {
			out = strconv.AppendFloat(append(out, "  "...), b.lag.Of(b.Env, st.Lag).Seconds(), 'f', 2, 64)
			out = append(out, " s"...)
		}
	default:
		lag := float64(v.LagNs()) / 1e9
		out = append(out, pausedWords...)
		digits := format.Pick(lag >= 100, 0, 1)
		out = strconv.AppendFloat(out, lag, 'f', digits, 64)
		out = append(append(out, " s"...), behindLive...)
	}
	b.buf = out
	return string(out)
}

// baselineLabels name the baseline of bars and rows, and how to read them.
func (b *Toolbar) baselineLabels(m *view.Mark, ready bool) (label, tip string) {
	k, rev := &b.base, b.Env.Comparing.BaselineRevision()
	if v := b.shown.View; k.revision == rev && k.session == v.Session() && k.label != "" {
		return k.label, k.tip
	}
	k.revision, k.session = rev, b.shown.View.Session()
	k.label = "vs baseline " + m.Short() + "  ×"
	state := "red: slower than usual · blue: faster · grey: within the usual nine in ten"
	if !ready {
		state = "finding the usual length …"
	}
	k.tip = "Measured by " + m.What + " of " + m.Name + "\n" + state + "\n" + b.measuredWords() + "\nclick to remove it"
	return k.label, k.tip
}

// measuredWords say which figures of the shown session are measured.
func (b *Toolbar) measuredWords() string {
	if b.shown.View.None() {
		return "nothing to measure here"
	}
	s := b.shown.View.Session()
	switch c, by := s.Contents(), b.Env.Comparing.Baseline(s); {
	case by != nil && by.ByTime() == s.HasFrames():
		return "only one side has frames: only calls are compared"
	case c.Frames:
		return "calls in the timeline by calls of their path, the rest by the time per frame"
	case s.Spans().Sampled(b.shown.View.LeadTrack()):
		return "samples: flame graph and lists by share of time; single runs are not compared"
	}
	return "spans by others of their path, the flame graph by share of time"
}

// sideLabels name A and B: in short, only with their letters, and in a tooltip with their sessions.
func (b *Toolbar) sideLabels() (label, short, tip string) {
	c, k := b.Env.Comparing, &b.sides
	if rev := c.Revision(); k.of != c || k.revision != rev {
		k.of, k.revision, k.label, k.tip = c, rev, "", "Comparison"
		for side, letter := range [...]string{view.SideA: "A ", view.SideB: "B "} {
			m, ok := c.Marked(side)
			what := m.Short()
			if other, both := c.Marked(1 - side); ok && both && other.When == m.When { // of two sessions
				what = m.Name
			}
			if !ok {
				what, m.What, m.Name = "not marked", "not marked yet", "Shift+"+letter[:1]
			}
			if side > 0 {
				k.label += "  "
			}
			k.label += letter + b.Env.Atlas.CutMiddle(draw.Medium, what, b.Env.Px(sideMost))
			k.tip += "\n" + letter[:1] + "\t" + m.What + " · " + m.Name
		}
	}
	return k.label, "A  B", k.tip
}

// chosenLabels describe the selection in time.
var chosenLabels = view.PerUnit[func(*Toolbar, *view.View) string]{
	Frames: (*Toolbar).frameLabel, Spans: (*Toolbar).rangeLabel,
}

// Chosen describes the selection in time.
func (b *Toolbar) Chosen(v *view.View) string { return chosenLabels.Of(v)(b, v) }

// nameMost is the greatest width of a frame's name with its thread, at scale 1: it leaves room for
// more.
const nameMost = 190

// sideMost is the greatest width of the name of A and of B.
const sideMost = 110

// frameLabel names the selected frames, and says how long they took.
func (b *Toolbar) frameLabel(v *view.View) string {
	if v.LeadA() < 0 && v.HasRange() { // a time without a received frame
		return b.rangeLabel(v)
	}
	if v.None() || v.LeadA() < 0 {
		return ""
	}
	t := v.Session().Track(v.LeadTrack())
	if t == nil || v.LeadB() >= t.NumFrames() {
		return ""
	}
	a, z := t.Frame(v.LeadA()), t.Frame(v.LeadB())
	out := b.buf[:0]
	if v.LeadA() == v.LeadB() {
		out = subject.AppendFrameName(out, v.Session(), v.LeadTrack(), a.Number)
		if name := b.Env.Atlas.CutMiddle(draw.Medium, panel.ScratchText(out), b.Env.Px(nameMost)); len(name) != len(out) {
			out = append(out[:0], name...)
		}
		out = format.AppendDuration(append(out, "   "...), a.End-a.Begin)
		out = format.AppendRate(append(out, "   "...), a.End-a.Begin)
	} else {
		n := int64(v.LeadB() - v.LeadA() + 1)
		out = append(format.AppendCount(out, n), " frames   "...)
		out = format.AppendDuration(out, z.End-a.Begin)
		out = format.AppendDuration(append(out, "   mean "...), t.SumOfFrames(v.LeadA(), v.LeadB())/n)
	}
	b.buf = out
	return string(out)
}

// rangeLabel is frameLabel where there are no frames: the selected range, else the time of the
// playhead.
func (b *Toolbar) rangeLabel(v *view.View) string {
	if v.Session().Info().Sampling.Timeless {
		return ""
	}
	out := b.buf[:0]
	if v.RangeB() > v.RangeA() {
		out = append(format.AppendDuration(out, v.RangeB()-v.RangeA()), " selected   "...)
		step := format.ClockStep(v.RangeA(), v.RangeB())
		out = format.AppendClock(out, v.RangeA(), step)
		out = format.AppendClock(append(out, " – "...), v.RangeB(), step)
	} else {
		out = format.AppendClock(append(out, "at "...), v.Playhead(), 1e6)
	}
	b.buf = out
	return string(out)
}

// missingLabels say how many frames are missing, at length and in short; nothing where there are none.
func (b *Toolbar) missingLabels(ledger *model.Ledger) (label, short string) {
	if !ledger.Framed {
		return "", ""
	}
	m := ledger.Lost()
	b.buf = append(format.AppendCount(b.buf[:0], m), " missing"...)
	if short = string(b.buf); m == 0 {
		return "none missing", short
	}
	out := append(format.AppendCount(b.buf[:0], m), " of "...)
	b.buf = append(format.AppendCount(out, ledger.Sent), " missing"...)
	return string(b.buf), short
}

func (b *Toolbar) zoomLabel(v *view.View) string {
	if !v.Time().Valid() || v.Session().Info().Sampling.Timeless {
		return ""
	}
	begin, end := v.Steer().Target()
	b.buf = append(format.AppendDuration(b.buf[:0], int64(end-begin)), " / screen"...)
	return string(b.buf)
}
