package arrows

import (
	"framescope/charts/format"
	"framescope/model/flows"
	"framescope/model/store"
)

// AppendEnd says where an arrow begins or ends: "Worker · job".
func AppendEnd(dst []byte, s *store.Session, e *End) []byte {
	if t := s.Track(e.Track); t != nil {
		dst = append(dst, format.ClipName(t.Title())...)
	}
	if c := s.Collector(e.Bar.Collector); e.Known && c != nil {
		dst = append(append(dst, " · "...), format.ClipName(c.Name)...)
	}
	return dst
}

// AppendDelay says how long before the end of an arrow it began, or with out how long after its begin it
// ends: "1.2 ms before". A clock that is not exact may have it the other way round.
func AppendDelay(dst []byte, a *flows.Arrow, out bool) []byte {
	ns, word := a.Delay(), " before"
	if (ns < 0) != out {
		word = " after"
	}
	if ns == 0 {
		return append(dst, "at once"...)
	}
	return append(format.AppendDuration(dst, max(ns, -ns)), word...)
}
