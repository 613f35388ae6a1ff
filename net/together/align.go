package together

import (
	"time"

	"framescope/model"
	"framescope/net/feed"
)

// Evidence is what tells how the clock of a session relates to others.
type Evidence struct {
	Info       model.Info
	Begin, End int64 // of the data, ns
	// Marks are the times of messages by their texts: the same text in two sessions is the same moment. Of a text
	// that came more than once nothing is known.
	Marks map[string]int64
}

// Spreads of clocks.
const (
	machinesNs = 100_000_000 // by how much the times of day of two machines differ
	leastMarks = 2           // the same texts that are no coincidence
	sameBootNs = 2_000_000_000
)

// Align finds the shift of b onto the clock of a, the first of these that there is: moments that the user named, a
// clock of their machine that both recordings name, the time of day, messages of the same text.
func Align(a, b *Evidence, named []Mark) Shift {
	oneMachine := a.Info.Host != "" && a.Info.Host == b.Info.Host
	fit := func(marks []Mark, by string) Shift {
		s := Fit(marks, b.Begin, b.End, oneMachine)
		s.By = by
		return s
	}
	if len(named) > 0 {
		return fit(named, "the moments that were named")
	}
	day, byDay := byDay(a, b)
	if s, ok := bySteadyClock(a, b); ok && (!byDay || distance(s.OffsetNs, day.OffsetNs) <= sameBootNs+day.SpreadNs) {
		return s
	}
	marks := common(a, b)
	if len(marks) >= leastMarks {
		if s := fit(marks, "messages of the same texts"); !byDay || s.SpreadNs < day.SpreadNs {
			return s
		}
	}
	if byDay {
		return day
	}
	why := "the recordings do not say how their clocks relate, so both are drawn from the same begin; sessions on " +
		"disk and " +
		".framescope files know when their data arrived, or name moments with --same"
	if a.Info.Sampling.Timeless || b.Info.Sampling.Timeless {
		why = "a recording without times has no clock"
	}
	return Shift{OffsetNs: a.Begin - b.Begin, SpreadNs: Unknown, By: why}
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// steps is how exactly single times of the two are known.
func steps(a, b *Evidence) int64 { return a.Info.Clock.Step(a.End) + b.Info.Clock.Step(b.End) }

// bySteadyClock aligns by a clock that counts from the start of the machine.
func bySteadyClock(a, b *Evidence) (s Shift, ok bool) {
	if a.Info.Host != b.Info.Host && a.Info.Host != "" && b.Info.Host != "" {
		return s, false
	}
	for _, c := range [...]struct {
		name string
		a, b int64
	}{
		{"the monotonic clock of their machine", a.Info.Monotonic, b.Info.Monotonic},
		{"the boot clock of their machine", a.Info.Boottime, b.Info.Boottime},
	} {
		if c.a != 0 && c.b != 0 {
			return Shift{OffsetNs: c.b - c.a, SpreadNs: max(steps(a, b), int64(time.Microsecond)), By: c.name}, true
		}
	}
	return s, false
}

// byDay aligns by the time of day.
func byDay(a, b *Evidence) (s Shift, ok bool) {
	x, y := a.Info.ZeroAt, b.Info.ZeroAt
	if x.UnixNs == 0 || y.UnixNs == 0 || (x.By == model.ByLocal) != (y.By == model.ByLocal) {
		return s, false
	}
	s = Shift{OffsetNs: y.UnixNs - x.UnixNs, By: "the time of day"}
	s.SpreadNs = max(steps(a, b)+x.StepNs+y.StepNs, int64(10*time.Microsecond))
	if x.By == model.ByArrival || y.By == model.ByArrival {
		s.By = "the time of day at which data arrived"
	} else if a.Info.Host != b.Info.Host {
		s.SpreadNs, s.By = s.SpreadNs+machinesNs, s.By+" of two machines, assuming that their clocks agree that well"
	}
	return s, true
}

// common are the moments that messages of both name.
func common(a, b *Evidence) (marks []Mark) {
	for text, at := range b.Marks {
		if on, ok := a.Marks[text]; ok && on != many && at != many {
			marks = append(marks, Mark{A: on, B: at})
		}
	}
	return marks
}

// many stands for the times of a text that came more than once.
const many = model.TimeUnknown

// mostTexts bounds the texts that are remembered of a session.
const mostTexts = 100_000

// Collector is a sink that keeps nothing but evidence.
type Collector struct {
	// OnProgress is called with the bytes that are read; nil: never.
	OnProgress func(done, total int64)
	// Places are the damaged places.
	Places feed.Places

	feed.Nowhere
	found Evidence
	some  bool
}

// Define implements feed.Sink.
func (c *Collector) Define(d model.Change) {
	if info, ok := d.(model.Info); ok {
		c.found.Info = info
	}
	c.Places.Note(d)
}

// Publish implements feed.Sink.
func (c *Collector) Publish(b *model.Batch) bool {
	begin, end, some := b.Bounds()
	if some && !c.some {
		c.some, c.found.Begin, c.found.End = true, begin, end
	} else if some {
		c.found.Begin, c.found.End = min(c.found.Begin, begin), max(c.found.End, end)
	}
	for i := range b.Messages {
		c.found.Note(b.Messages[i].Text, b.Messages[i].Time)
	}
	return true
}

// Progress implements feed.Sink.
func (c *Collector) Progress(done, total int64) {
	if c.OnProgress != nil {
		c.OnProgress(done, total)
	}
}

// Found returns what was found.
func (c *Collector) Found() *Evidence { return &c.found }

// Note takes a message.
func (e *Evidence) Note(text string, at int64) {
	if _, again := e.Marks[text]; again {
		at = many
	} else if len(e.Marks) >= mostTexts {
		return
	}
	model.Put(&e.Marks, text, at)
}
