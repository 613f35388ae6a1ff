package report

import (
	"bufio"
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// newEvents returns the writer for the trace events of a session. raw holds the sent events, nil if
// they were not kept.
func newEvents(out *bufio.Writer, s *store.Session, raw *sessionfile.Raw) *Events {
	return &Events{
		Out: out, Session: s, PID: s.Info().PID,
		Name: func(c *model.Collector) string { return sentFullName(s, raw, c) },
	}
}

func writeEvents(out *bufio.Writer, c *scope, raw *sessionfile.Raw) error {
	s := c.s
	w := newEvents(out, s, raw)
	w.PID = max(0, w.PID)
	out.WriteString("[\n")
	for _, id := range c.tracks {
		w.Thread(s.Track(id))
	}
	var err error
	if raw != nil {
		err = c.each(func(track model.TrackID, i int) error {
			t := s.Track(track)
			f := raw.FrameOf(t.Def.Index, int32(t.Frame(i).Number))
			if f == nil {
				return nil
			}
			for _, e := range f.Events {
				w.Event(model.CollectorID(e.Word&^pstats.StopBit), micros(e.Time), e.Word&pstats.StopBit == 0, t.Def.Index)
			}
			return nil
		})
	} else {
		for _, id := range c.tracks {
			writeSpans(w, id, c)
		}
	}
	out.WriteString("\n]\n")
	return err
}

// writeSpans writes a track's spans as begins and ends, for sessions without the sent events.
func writeSpans(w *Events, id model.TrackID, c *scope) {
	t := w.Session.Track(id)
	from, to, ok := t.Bounds()
	if !ok {
		return
	}
	part := c.coveredPart(id)
	from, to = max(from, part.beginNs), min(to, part.endNs)
	type span struct {
		spans.Bar
		lane int
	}
	var all []span
	var bars []spans.Bar
	for lane := range t.Lanes() {
		bars = w.Session.Spans().Visible(id, lane, from, to, 0, bars[:0])
		for i := range bars {
			if part.has(&bars[i]) {
				all = append(all, span{bars[i], lane})
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.lane, b.lane)) })
	var open []span // ascending by end, the next to end last
	closeUntil := func(ns int64) {
		for len(open) > 0 && open[len(open)-1].End <= ns {
			o := open[len(open)-1]
			open = open[:len(open)-1]
			w.Event(o.Collector, o.End/1000, false, t.Def.Index)
		}
	}
	for _, s := range all {
		closeUntil(s.Begin)
		w.Event(s.Collector, s.Begin/1000, true, t.Def.Index)
		at := len(open)
		for at > 0 && open[at-1].End < s.End {
			at--
		}
		open = slices.Insert(open, at, s)
	}
	closeUntil(math.MaxInt64)
}
