// Shared parts of the lanes of panels along time: the processors that a thread ran on, tooltips of
// spans, names of threads, arrows from signals to waits.

package timepane

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

const (
	mostCores = 6  // shown in one column
	coreProbe = 32 // samples of a column that are looked at one by one; beyond, that many moments are
)

// Cores finds the processors that threads ran on, from their RoleProcessor series.
//
// It works in columns of a power of two of ns, two to four pixels wide, at multiples of that: the
// content of a column does not depend on where the picture begins, so nothing flickers while it
// pans. A column with one change of processor is exact; one with more is divided by the share of
// time of each.
type Cores struct {
	bins    []spans.SeriesBin
	samples []model.Sample
	shares  []CoreShare
	runs    []CoreRun
}

// CoreRun is a stretch on one processor, or a column divided among several.
type CoreRun struct {
	Begin, End int64 // of the session
	X0, X1     float32
	Core       int32
	Changes    int64 // of a divided column: samples in it, 0 for a stretch
	from, to   int   // of a divided column: its shares
}

// CoreShare is the share of time of one processor, 0…1.
type CoreShare struct {
	Core  int32
	Share float64
}

// CoreSeries returns the series of the processors that a track ran on, nil without one.
func CoreSeries(s *store.Session, id model.TrackID) *spans.Series {
	for _, x := range s.Series().ByTrack(id) {
		if d := s.Series().ByID(x); d.Def.Role == model.RoleProcessor {
			if d.Len() == 0 {
				return nil
			}
			return d
		}
	}
	return nil
}

// CoreOf returns the number of a processor from a sample's value.
func CoreOf(v float64) int32 { return int32(min(max(v, 0), math.MaxInt32)) }

// Reset forgets all runs.
func (c *Cores) Reset() { c.runs, c.shares = c.runs[:0], c.shares[:0] }

// Runs returns the runs since Reset.
func (c *Cores) Runs() []CoreRun { return c.runs }

// Shares returns the processors of a divided column, ascending.
func (c *Cores) Shares(run *CoreRun) []CoreShare { return c.shares[run.from:run.to] }

// Find adds the runs of a track in the visible range of a pane. d is its series, offsetNs is added
// to its times.
func (c *Cores) Find(p *Pane, env *panel.Env, id model.TrackID, d *spans.Series, offsetNs int64) {
	w := p.PowerOf(2)
	begin, end := env.View.Time().Visible()
	known := knownUntil(env.View.Session(), id)
	if _, last, ok := d.Bounds(); ok { // a thread that only ran has no spans
		known = max(known, last)
	}
	begin, end = begin-offsetNs, min(end-offsetNs, known)
	t0 := format.FloorDiv(begin, w) * w
	n := int((end-t0)/w) + 1
	if end <= t0 || n > 1<<16 { // nothing is known here, or there are no pixels
		return
	}
	c.bins = d.Bins(t0, t0+int64(n)*w, n, c.bins[:0])
	first := len(c.runs)
	for i := range c.bins {
		bin := &c.bins[i]
		last := min(bin.End, end)
		if last <= bin.Begin {
			break
		}
		still := bin.N == 0 || bin.Min == bin.Max && bin.HasBefore && bin.Before == bin.Min
		switch {
		case bin.Gaps == 0 && still:
			if bin.HasBefore {
				c.add(first, CoreRun{Begin: bin.Begin, End: last, Core: CoreOf(bin.Before)})
			}
		case bin.N+bin.Gaps == 1:
			c.samples = d.Samples(bin.Begin, bin.End, 1, c.samples[:0])
			if len(c.samples) == 0 {
				continue
			}
			at := c.samples[0].Time
			if bin.HasBefore && at > bin.Begin {
				c.add(first, CoreRun{Begin: bin.Begin, End: min(at, last), Core: CoreOf(bin.Before)})
			}
			if bin.N == 1 && at < last {
				c.add(first, CoreRun{Begin: at, End: last, Core: CoreOf(bin.First)})
			}
		default:
			from := len(c.shares)
			c.divide(d, bin)
			run := CoreRun{Begin: bin.Begin, End: last, Changes: bin.N + bin.Gaps, from: from, to: len(c.shares)}
			c.runs = append(c.runs, run)
		}
	}
	for i := first; i < len(c.runs); i++ {
		run := &c.runs[i]
		run.Begin, run.End = run.Begin+offsetNs, run.End+offsetNs
		run.X0, run.X1 = p.PxOf(env, run.Begin), p.PxOf(env, run.End)
	}
}

// add adds a stretch, or lengthens the last one of the track; its runs begin at first.
func (c *Cores) add(first int, run CoreRun) {
	if n := len(c.runs); n > first {
		if last := &c.runs[n-1]; last.Changes == 0 && last.Core == run.Core && last.End == run.Begin {
			last.End = run.End
			return
		}
	}
	c.runs = append(c.runs, run)
}

// knownUntil returns the end of the validity of a track's last value, on its own clock: the end of
// its data, or, while it and the session go on, the session's end.
func knownUntil(s *store.Session, id model.TrackID) int64 {
	tr := s.Track(id)
	_, end, ok := tr.Bounds()
	if _, ended := s.Ended(); ok && !ended && tr.Alive && !tr.Def.OwnClock && !s.Info().File {
		if _, now, ok := s.Bounds(); ok {
			end = max(end, now)
		}
	}
	return end
}

// divide adds the share that each processor has of a bin. Where there are too many samples to look
// at each, evenly spaced moments stand for them.
func (c *Cores) divide(d *spans.Series, bin *spans.SeriesBin) {
	from, width := len(c.shares), bin.End-bin.Begin
	if bin.N+bin.Gaps > coreProbe {
		for i := range int64(coreProbe) {
			if s, ok := d.At(bin.Begin + width*(2*i+1)/(2*coreProbe)); ok {
				c.share(from, s.Value, 1.0/coreProbe)
			}
		}
		return
	}
	at, v := bin.Begin, math.NaN()
	if bin.HasBefore {
		v = bin.Before
	}
	c.samples = d.Samples(bin.Begin, bin.End, 0, c.samples[:0])
	for i := range c.samples {
		s := &c.samples[i]
		c.share(from, v, float64(s.Time-at)/float64(width))
		at, v = s.Time, s.Value
	}
	c.share(from, v, float64(bin.End-at)/float64(width))
}

// share adds a share to that of a processor in c.shares[from:], kept ascending; it ignores NaN.
// After mostCores different ones, further values go to the last of them.
func (c *Cores) share(from int, value, share float64) {
	if math.IsNaN(value) {
		return
	}
	core, i := CoreOf(value), from
	for i < len(c.shares) && c.shares[i].Core < core {
		i++
	}
	switch {
	case i < len(c.shares) && c.shares[i].Core == core:
		c.shares[i].Share += share
	case len(c.shares)-from == mostCores:
		c.shares[len(c.shares)-1].Share += share
	default:
		c.shares = append(c.shares, CoreShare{})
		copy(c.shares[i+1:], c.shares[i:])
		c.shares[i] = CoreShare{core, share}
	}
}

// Merged returns the color of merged short spans: as strong as the share of time that they fill,
// but never invisible.
func Merged[F float32 | float64](env *panel.Env, fill draw.Color, share F) draw.Color {
	return draw.Mix(draw.Color(env.Theme.Panel), fill, MergedShare(share))
}

// MergedShare returns the share of its own color, of 255, that Merged leaves to a bar.
func MergedShare[F float32 | float64](share F) uint8 {
	switch { // by hand: min and max handle NaN
	case share >= 1:
		return 255
	case share > 0:
		return uint8(int32(84 + 171*share))
	}
	return 84
}

// ThreadLabel writes the name of a thread into the gutter, with its color before it.
func ThreadLabel(p *Pane, env *panel.Env, y0, y1 float32, track model.TrackID) {
	side := env.Px(7)
	x, y := p.Gutter().X0+env.Px(18), y0+float32(int((y1-y0-side)/2))
	fill, _ := subject.ThreadColor(env, track)
	p.List().Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, fill)
	name := p.Beside(y0, y1, env.Px(31), env.Px(5))
	title := env.View.Session().Track(track).Title()
	p.Name(RowNames, draw.Small, name, title, draw.Color(env.Theme.Text2))
}

// SpanTips describes spans. The zero value is ready.
type SpanTips struct {
	flame spans.Tree
	args  []model.Arg
	flows OfSpan
}

// Span describes one span of a track. Its times are those of the session: offsetNs was added.
func (t *SpanTips) Span(env *panel.Env, tip *panel.TipLines, id model.TrackID, bar *spans.Bar, offsetNs int64) {
	s := env.View.Session()
	c, tr := s.Collector(bar.Collector), s.Track(id)
	fi := tr.FrameOf(bar.Ref, bar.Begin-offsetNs)
	if c.IsFrameRoot() && fi >= 0 {
		tip.Text("Frame ").Count(tr.Frame(fi).Number).End()
	} else {
		tip.Text(c.Title()).End()
	}
	tip.Text(tr.Def.Kind.String()).Text("\t").Text(format.ClipName(tr.Title())).End()
	subject.SourceTip(tip, c.Place)
	dur := bar.End - bar.Begin
	open := bar.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0
	DurationTip(tip, dur, open)
	// Either end is off by up to half a step; add it if that is more than a hundredth.
	if step := s.Info().Clock.Step(bar.End); step > 1 && step*100 >= dur {
		tip.Text(" ± ").Duration(step)
	}
	tip.End()
	defer func() {
		t.flows.Tip(tip, s, bar.Ref)
		t.args = subject.ArgsTip(tip, s, bar.Ref, t.args)
	}()
	if !tr.Def.Kind.Calls() {
		tip.Text("begins\t").Clock(bar.Begin).End()
		OpenTip(tip, bar.Flags&model.SpanOpenBegin != 0, bar.Flags&model.SpanOpenEnd != 0)
		return
	}
	if self, calls := t.self(s, bar, offsetNs); self >= 0 && calls > 0 && self < dur {
		tip.Text("self\t").Duration(self).End()
	}
	if fi >= 0 {
		f := tr.Frame(fi)
		if !c.IsFrameRoot() {
			tip.Text("frame\t").Count(f.Number).End()
			if fd := f.End - f.Begin; fd > 0 && !open {
				tip.Text("of the frame\t").Percent(float64(dur) / float64(fd)).End()
			}
		}
		tip.Text("begins\t").Text("+").Duration(max(bar.Begin-offsetNs-f.Begin, 0)).End()
	} else {
		tip.Text("begins\t").Clock(bar.Begin).End()
	}
	OpenTip(tip, bar.Flags&model.SpanOpenBegin != 0, bar.Flags&model.SpanOpenEnd != 0)
	tip.If(offsetNs != 0).Add("Placed approximately: the track has its own clock.")
}

// self returns the time of a span that no span inside it covers, and the number of spans of its
// call path in its range; -1 where it is not known.
func (t *SpanTips) self(s *store.Session, bar *spans.Bar, offsetNs int64) (selfNs, calls int64) {
	s.Spans().SpanTree(bar.Ref, bar.Begin-offsetNs, bar.End-offsetNs, &t.flame)
	for i := range t.flame.Nodes {
		if n := &t.flame.Nodes[i]; n.Path == bar.Path {
			return n.Self, n.Count
		}
	}
	return -1, 0
}

// DurationTip begins the line on how long something took, or at least did where an end of it is
// open.
func DurationTip(tip *panel.TipLines, ns int64, open bool) {
	tip.Text(format.Pick(open, "at least\t", "duration\t")).Duration(ns)
}

// OpenTip names the lost ends of something.
func OpenTip(tip *panel.TipLines, openBegin, openEnd bool) {
	switch {
	case openBegin && openEnd:
		tip.Add("Neither its begin nor its end was received.")
	case openBegin:
		tip.Add("It began before the recording.")
	case openEnd:
		tip.Add("It had not ended when the data end.")
	}
}

// MergedTip describes merged spans: each is shorter than minNs.
func MergedTip(env *panel.Env, tip *panel.TipLines, bar *spans.Bar, minNs int64) {
	s := env.View.Session()
	tip.Plural(int64(bar.Count), "span", "spans").Text(" too short to draw").End()
	tip.Text("mostly\t").Text(s.Collector(bar.Collector).Title()).End()
	tip.Text("within\t").Duration(bar.End - bar.Begin).End()
	tip.If(bar.End > bar.Begin).Text("covered\t").Percent(float64(bar.Busy)).End()
	if step := s.Info().Clock.Step(bar.End); step > 1 && step >= minNs {
		tip.Text("The clock's step here is ").Duration(step).Text(": nothing finer is known.").End()
	}
}
