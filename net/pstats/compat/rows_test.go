package compat

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// otherRows holds the timeline of threads that are on their client's clock against the official
// one. It returns how many bars have the same times, row and openness there, and says of one that
// has not; empty if there is none.
func otherRows(s *store.Session, raw *sessionfile.Raw) (same int, what string) {
	type bar struct {
		thread, row, collector int
		begin, end             int64
		openBegin, openEnd     bool
	}
	moved, left := map[int]bool{}, map[bar]int{}
	for id := range model.TrackID(s.NumTracks()) {
		moved[s.Track(id).Def.Index] = s.Track(id).Def.ShiftNs != 0
	}
	for _, b := range Timeline(raw) {
		if !moved[b.Thread] {
			left[bar{b.Thread, b.Row, b.Collector, ns(b.Begin), ns(b.End), b.OpenBegin, b.OpenEnd}]++
		}
	}
	var lane []spans.Bar
	for id := range model.TrackID(s.NumTracks()) {
		tr := s.Track(id)
		for row := range tr.Lanes() {
			if moved[tr.Def.Index] {
				break
			}
			lane = s.Spans().Visible(id, row, math.MinInt64/2, math.MaxInt64/2, 0, lane[:0])
			for _, b := range lane {
				key := bar{
					tr.Def.Index, row, int(b.Collector), b.Begin, b.End,
					b.Flags&model.SpanOpenBegin != 0, b.Flags&model.SpanOpenEnd != 0,
				}
				if left[key]--; left[key] >= 0 {
					same++
				} else {
					what = fmt.Sprintf("the official timeline has no bar %+v", key)
				}
			}
		}
	}
	for key, n := range left {
		if n > 0 {
			what = fmt.Sprintf("only the official timeline has the bar %+v", key)
		}
	}
	return same, what
}

// TestRowsOfAnything does so for frames of any events, in which spans overlap, cross frames, and
// are stopped without a start. What differs is excused by exactly these:
//
//   - crossedMoved: the official timeline gives another row to a span that is shown since an earlier
//     frame, when one turns up that has no start, or when a row above it becomes free. Here rows that
//     were shown stay.
//   - aboveCaller: the official search for a row leaves out the one right above, even when the
//     caller is in it, and so puts a callee above its caller. Here it stays below.
func TestRowsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, raw := &pstatstest.Sink{Session: store.NewSession()}, sessionfile.NewRaw()
		d := decode.New(s, decode.Options{})
		now, number := float32(1), uint32(1)
		for range rapid.IntRange(1, 5).Draw(t, "frames") {
			f := &wire.Frame{Number: number, Events: []wire.Event{{Time: now}}}
			number += uint32(rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "step"))
			for range rapid.IntRange(0, 12).Draw(t, "events") {
				now += rapid.SampledFrom([]float32{0, 0.25, 1}).Draw(t, "dt")
				e := rapid.IntRange(0, 9).Draw(t, "event")
				f.Events = append(f.Events, wire.Event{Word: uint16(1+e%5) | uint16(e/5)<<15, Time: now})
			}
			now++
			f.Events = append(f.Events, wire.Event{Word: wire.StopBit, Time: now})
			d.Frame(f, 0)
			raw.Frame(f, 0)
		}
		d.Close("")
		_, did := timeline(raw)
		if _, what := otherRows(s.Session, raw); what != "" && did.crossedMoved+did.aboveCaller == 0 {
			t.Fatal(what)
		}
	})
}
