// Package subject has the looks and names of the things of a session, the same in every panel:
// names, colors, lines of tooltips, measures, budgets, loads. It draws nothing.
package subject

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// FrameTip adds the lines on the length of a frame.
func FrameTip(tip *panel.TipLines, f frames.Frame, budgetNs int64) {
	d := f.End - f.Begin
	tip.Text("duration\t").Duration(d).End()
	if d > 0 {
		tip.Text("rate\t").Rate(d).End()
	}
	tip.If(OverBudget(d, budgetNs)).Text("over budget by\t").Duration(d - budgetNs).End()
	tip.Text("at\t").Clock(f.Begin).End()
}

// StopTip adds the lines about time in which the program stood still.
func StopTip(tip *panel.TipLines, s frames.Stop) {
	tip.Text("stopped\t").Duration(s.End - s.Begin).End()
	tip.Text("at\t").Clock(s.Begin).End()
	tip.Add("The program stood still: no figure counts it.")
}

// StopOf returns the stop that a frame is; ok is false where it is none.
func StopOf(t *store.Track, i int) (s frames.Stop, ok bool) {
	if !t.Stopped(i) {
		return s, false
	}
	f := t.Frame(i)
	return frames.Stop{Begin: f.Begin, End: f.End, Frame: i, Number: f.Number}, true
}

// OpenTip adds the lines about a frame that had not ended at the end of the data.
func OpenTip(tip *panel.TipLines, t *store.Track, o frames.Open) {
	tip.Text("Frame ").Count(o.Number).Text(" of ").Text(t.Title()).Text(" (open)").End()
	tip.Text("at least\t").Duration(o.End - o.Begin).End()
	tip.Text("at\t").Clock(o.Begin).End()
	tip.Add("Its end was not received, so no figure counts it.")
}

// GapTip adds the lines about missing frames.
func GapTip(tip *panel.TipLines, g frames.Gap) {
	tip.Plural(g.Count(), "frame missing", "frames missing").End()
	if g.Count() == 1 {
		tip.Text("number\t").Count(g.FirstNumber).End()
	} else {
		tip.Text("numbers\t").Count(g.FirstNumber).Text(" – ").Count(g.LastNumber).End()
	}
	tip.If(g.End > g.Begin).Text("time without data\t").Duration(g.End - g.Begin).End()
	tip.Add(gapWords)
}

// GapsTip adds the lines about several gaps; g spans from the first to the last: frames between
// them were received.
func GapsTip(tip *panel.TipLines, g frames.Gap, gaps int, missing, withoutNs int64) {
	tip.Plural(missing, "frame missing", "frames missing").Text(" in ").Count(int64(gaps)).Text(" gaps").End()
	tip.Text("between\t").Count(g.FirstNumber).Text(" – ").Count(g.LastNumber).End()
	tip.Text("time without data\t").Duration(withoutNs).End()
	tip.Add(gapWords)
}

// MissingWord returns in a word or two the fate of the missing frames of a session, with a space
// before it, if it is known and the same for all of them.
func MissingWord(s *store.Session) string {
	switch l := s.Ledger(); {
	case l.Missing == 0:
	case l.Way == l.Missing && l.Outside == 0:
		return " lost on the way"
	case l.HeldBack == l.Missing && !l.OnTheWay && !l.SystemUnknown:
		return " held back"
	case l.System == l.Missing && l.Outside == 0:
		return " dropped by the system"
	case l.Unrecorded == l.Missing && l.Outside == 0:
		return " not recorded"
	}
	return " missing"
}

// gapWords explain missing frames.
const gapWords = "Held back by the program, or lost on the way."

// LeftTip adds the lines about frames that left memory.
func LeftTip(env *panel.Env, tip *panel.TipLines, n int64) {
	tip.With(AppendLeft(tip.Buf, n)).End()
	tip.Add("The memory limit was reached; the oldest frames leave first.")
	tip.Add(LeftAdvice(env))
}

// LeftAdvice explains where data that left memory is.
func LeftAdvice(env *panel.Env) string {
	if env.Kept {
		return "It is on disk: a right click offers to open it."
	}
	return "A recording on disk keeps everything."
}

// AppendLeft appends how many frames left memory.
func AppendLeft(dst []byte, n int64) []byte {
	return format.AppendPlural(dst, n, "older frame left memory", "older frames left memory")
}

// AppendMissingFrames appends "frame 12 408 was not received" or "frames 12 408 – 12 415 were not
// received".
func AppendMissingFrames(dst []byte, first, last int64) []byte {
	if first == last {
		dst = format.AppendCount(append(dst, "frame "...), first)
		return append(dst, " was not received"...)
	}
	dst = format.AppendCount(append(dst, "frames "...), first)
	dst = format.AppendCount(append(dst, " – "...), last)
	return append(dst, " were not received"...)
}

// MessageLine returns a text up to its first line break, and whether there was more.
func MessageLine(s string) (line string, more bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' || s[i] == '\r' {
			return s[:i], i+1 < len(s)
		}
	}
	return s, false
}

// BreakLine parts a text behind its first line, which has tipTextRunes runes at most.
func BreakLine(s string) (line, rest string) {
	n, space := 0, -1
	for i, r := range s {
		switch {
		case r == '\n':
			return s[:i], s[i+1:]
		case n == tipTextRunes:
			if space > 0 {
				return s[:space], s[space+1:]
			}
			return s[:i], s[i:]
		case r == ' ' && n > tipTextRunes/2:
			space = i
		}
		n++
	}
	return s, ""
}

const (
	tipTextRunes = 84 // of a line of a message in a tooltip
	tipTextLines = 10
)

// messageText adds the text of a message to a tooltip, broken into lines of readable length, at
// spaces if possible. A very long text ends with "…".
func messageText(t *panel.TipLines, s string) {
	for lines := 0; ; lines++ {
		if lines == tipTextLines {
			t.Add("…")
			return
		}
		line, rest := BreakLine(s)
		t.Add(line)
		if s = rest; s == "" {
			return
		}
	}
}

// MessageTip describes a message.
func MessageTip(t *panel.TipLines, title string, m *model.Message) {
	messageText(t, m.Text)
	t.Text("level\t").Text(SeverityName(m.Severity)).End()
	if m.Category != "" {
		t.Text("category\t").Text(m.Category).End()
	}
	if m.Object != "" {
		t.Text("object\t").Text(m.Object).End()
	}
	t.Text("thread\t").Text(title).End()
	t.Text("time\t").Clock(m.Time).End()
}

// TipArgs is the greatest number of arguments of a call in a tooltip.
const TipArgs = 4

// ArgWords returns a key and a value as panels show them, in one line each.
func ArgWords(a *model.Arg) (key, value string) {
	return escape.Name(a.Key), ArgValue(a.Value)
}

// ArgValue returns a value as panels show it, in one line.
func ArgValue(v model.ArgValue) string {
	text := v.String()
	if v.Kind != model.ArgText && text[0] == '-' {
		return "−" + text[1:]
	}
	return escape.Name(text)
}

// SourceTip adds where in the source code something is, if that is known.
func SourceTip(tip *panel.TipLines, p model.Place) {
	if p != (model.Place{}) {
		tip.Text("source\t")
		tip.With(p.AppendWhere(tip.Buf)).End()
	}
}

// ArgsTip adds the first arguments of a span to a tooltip, and how many there are more. list is scratch
// memory, which is returned.
func ArgsTip(tip *panel.TipLines, s *store.Session, r spans.Ref, list []model.Arg) []model.Arg {
	if !s.Args().Any() {
		return list
	}
	list = s.Args().Of(r.Track, int(r.Lane), r.Index, list[:0])
	for i := range list[:min(len(list), TipArgs)] {
		key, value := ArgWords(&list[i])
		tip.Text(key).Text(" =\t").Text(value).End()
	}
	if more := len(list) - TipArgs; more > 0 {
		tip.Plural(int64(more), "argument more", "arguments more").End()
	}
	return list
}

// SourceKind is the state of a flame graph's content.
type SourceKind uint8

const (
	SourceEmpty   SourceKind = iota // nothing was received yet
	SourceShown                     // one frame or several
	SourceMissing                   // the chosen instant lies in a gap
)

// GestureHint describes in a line the main mouse gestures and keys for a session.
func GestureHint(v *view.View) string {
	if v.Session().Info().Sampling.Timeless {
		return "a click selects, a double click focuses, the wheel zooms into the flame graph, F1 shows all keys"
	}
	return gestureHints.Of(v)
}

var gestureHints = view.PerUnit[string]{
	Frames: "wheel zooms at the mouse, drag pans, ← → step through frames, F1 shows all keys",
	Spans: "wheel zooms at the mouse, drag pans, a drag in the overview selects, ← → step over spans, " +
		"F1 shows all keys",
}

// UnitOf returns the unit of a counter: its own, or the nearest ancestor's ("inherit").
func UnitOf(s *store.Session, id model.CollectorID) string {
	if id <= 0 {
		return ""
	}
	return s.Collector(id).UnitHere
}

// CallWords are the names of the spans of a session: calls, or runs for sampled stacks, since
// sampling cannot separate one call from the next.
type CallWords struct {
	One, Many string
	Who       string // the thing that is called, or runs: a collector, or a method
	BottomUp  string // the effect of turning a call tree bottom up
	Longest   string // the title of a list of the longest
	// Warning explains runs; empty for calls.
	Warning string
}

var callWords = [...]CallWords{
	{
		One: "call", Many: "calls", Who: "collector", BottomUp: "Every collector with its callers below it",
		Longest: "Slowest calls",
	},
	{
		One: "run", Many: "runs", Who: "method", BottomUp: "Every method with its callers below it",
		Longest: "Longest runs",
		Warning: "Sampled: a run may be of one call or of many",
	},
}

// CallWordsOf returns the words for spans that are runs, or calls.
func CallWordsOf(runs bool) *CallWords {
	if runs {
		return &callWords[1]
	}
	return &callWords[0]
}

// CallWordsIn returns the words for the spans of a session.
func CallWordsIn(s *store.Session) *CallWords { return CallWordsOf(s.Spans().AnySampled()) }

// AllThreads is the name of all shown threads.
func AllThreads(v *view.View) string {
	switch l := v.Look(); {
	case !l.HidesTracks():
		return "all threads"
	case l.NumHidden(view.HiddenByHand) == 0:
		return "threads that are not idle"
	}
	return "visible threads"
}

// Whole is the name of all of a session that figures can cover: none covers data that left memory.
func Whole(s *store.Session) string {
	if n, _ := s.Losses(); n[model.LossEvicted] > 0 {
		return "all in memory"
	}
	return "whole session"
}
