package timepane

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"

	"framescope/model/spans"
	"framescope/model/store"
)

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
