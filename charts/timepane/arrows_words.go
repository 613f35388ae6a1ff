package timepane

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/escape"

	"framescope/model/spans"
	"framescope/model/store"
)

// AppendEnd appends the place of an arrow's end: "Worker · job".
func AppendEnd(dst []byte, s *store.Session, e *End) []byte {
	if t := s.Track(e.Track); t != nil {
		dst = append(dst, format.ClipName(t.Title())...)
	}
	if c := s.Collector(e.Bar.Collector); e.Known && c != nil {
		dst = append(append(dst, " · "...), format.ClipName(c.Name)...)
	}
	return dst
}

// ArrowWord is the word before the source of an arrow of a span, or with out before its target.
func ArrowWord(out bool) string {
	return format.Pick(out, "to ", "from ")
}

// AppendName appends the name of the span at the other end of an arrow: "cull".
func AppendName(dst []byte, s *store.Session, other *End) []byte {
	if c := s.Collector(other.Bar.Collector); other.Known && c != nil {
		return append(dst, escape.Name(c.Name)...)
	}
	return append(dst, "no span that is known"...)
}

// AppendPlace appends its thread, and the name of the flow: " on Worker 1 · job".
func AppendPlace(dst []byte, s *store.Session, a *spans.Arrow, other *End) []byte {
	if t := s.Track(other.Track); t != nil {
		dst = append(append(dst, " on "...), escape.Name(t.Title())...)
	}
	return append(append(dst, " · "...), escape.Name(s.Flows().Name(a.Name))...)
}

// AppendDelay appends how long before the end of an arrow it began, or with out how long after its begin
// it ends: "1.2 ms before". An inexact clock may have it the other way round.
func AppendDelay(dst []byte, a *spans.Arrow, out bool) []byte {
	ns, word := a.Delay(), " before"
	if (ns < 0) != out {
		word = " after"
	}
	if ns == 0 {
		return append(dst, "at once"...)
	}
	return append(format.AppendDuration(dst, max(ns, -ns)), word...)
}

// AppendCounts appends how many flows a span has: "2 to it, 1 from it".
func AppendCounts(dst []byte, o *OfSpan) []byte {
	if n := len(o.In); n > 0 {
		dst = append(format.AppendCount(dst, int64(n)), " to it"...)
	}
	if n := len(o.Out); n > 0 {
		if len(o.In) > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(format.AppendCount(dst, int64(n)), " from it"...)
	}
	if o.More {
		dst = append(dst, " or more"...)
	}
	return dst
}

// Tip adds the number of flows of a span to a tooltip, if it has some.
func (o *OfSpan) Tip(tip *panel.TipLines, s *store.Session, r spans.Ref) {
	if b, ok := s.Spans().ByRef(r); !ok || !s.Flows().Any() {
		return
	} else if o.Ask(s, &b); o.Count() > 0 {
		tip.Text("flows\t")
		tip.Buf = AppendCounts(tip.Buf, o)
		tip.End()
	}
}

// Follow goes to an end of an arrow: selects the span there and brings it into view, also on a thread that
// is hidden; where there is none, it goes to the time.
func Follow(v *view.View, e *End) {
	if v.Look().TrackHidden(e.Track) {
		v.Look().SetTrackHidden(e.Track, false)
	}
	if e.Known {
		v.SelectSpan(e.Bar)
		return
	}
	v.SetTrack(e.Track)
	v.ClearThing()
	v.SetPlayhead(e.Time)
}
