package decode

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// otherRows holds the timeline of threads that are on their client's clock against the official
// one. It returns how many bars have the same times, row and openness there, how many only have
// another row, where that is one of the two things that are done otherwise:
//
//   - The official timeline gives another row to a span that is shown since an earlier frame, when
//     one turns up that has no start, or when a row above it becomes free. Here rows that were shown
//     stay.
//   - The official search for a row leaves out the one right above, even when the caller is in it,
//     and so puts a callee above its caller. Here it stays below.
//
// and says of one that differs for no such reason; empty if there is none. Real clients do these, too:
// whether a row is free may depend on two readings of the clock being the same.
func otherRows(s *store.Session, raw *sessionfile.Raw) (same, rows int, what string) {
	type bar struct {
		thread, collector  int
		begin, end         int64
		openBegin, openEnd bool
	}
	type place struct {
		bar
		row int
	}
	otherClock, left, excused := map[int]bool{}, map[place]int{}, map[bar]int{}
	for id := range model.TrackID(s.NumTracks()) {
		otherClock[s.Track(id).Def.Index] = s.Track(id).Def.ShiftNs != 0
	}
	official, did := timeline(raw)
	for _, b := range official {
		if otherClock[b.Thread] {
			continue
		}
		x := bar{b.Thread, b.Collector, ns(b.Begin), ns(b.End), b.OpenBegin, b.OpenEnd}
		if left[place{x, b.Row}]++; did.moved[threadFrame{b.Thread, b.frame}] {
			excused[x]++
		}
	}
	var lane []spans.Bar
	var ours []bar // that are in no such row there
	for _, tr := range feedtest.Tracks(s) {
		id := tr.Def.ID
		for row := range tr.Lanes() {
			if otherClock[tr.Def.Index] {
				break
			}
			lane = s.Spans().Visible(id, row, math.MinInt64/2, math.MaxInt64/2, 0, lane[:0])
			for _, b := range lane {
				x := bar{
					tr.Def.Index, int(b.Collector), b.Begin, b.End,
					b.Flags&model.SpanOpenBegin != 0, b.Flags&model.SpanOpenEnd != 0,
				}
				if at := (place{x, row}); left[at] > 0 {
					left[at]--
					same++
					continue
				}
				ours = append(ours, x)
				if excused[x] == 0 {
					what = fmt.Sprintf("the official timeline has no bar %+v in row %d", x, row)
				}
			}
		}
	}
	unmatched := map[bar]int{}
	for at, n := range left {
		if unmatched[at.bar] += n; n > 0 && excused[at.bar] == 0 {
			what = fmt.Sprintf("only the official timeline has the bar %+v in row %d", at.bar, at.row)
		}
	}
	for _, x := range ours {
		if unmatched[x]--; unmatched[x] < 0 {
			what = fmt.Sprintf("the official timeline has no bar %+v", x)
		}
	}
	for x, n := range unmatched {
		if n > 0 {
			what = fmt.Sprintf("only the official timeline has the bar %+v", x)
		}
	}
	return same, len(ours), what
}

// TestRowsOfAnything does so for frames of any events, in which spans overlap, cross frames, and
// are stopped without a start. Where a collector that runs within itself comes to another row,
// another of its runs may be the one that ends, so there not only rows may differ.
func TestRowsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, raw := &pstatstest.Sink{Session: store.NewSession()}, sessionfile.NewRaw()
		d := New(s, Options{})
		now, number := float32(1), uint32(1)
		for range rapid.IntRange(1, 5).Draw(t, "frames") {
			f := &pstats.Frame{Number: number, Events: []pstats.Event{{Time: now}}}
			number += uint32(rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "step"))
			for range rapid.IntRange(0, 12).Draw(t, "events") {
				now += rapid.SampledFrom([]float32{0, 0.25, 1}).Draw(t, "dt")
				e := rapid.IntRange(0, 9).Draw(t, "event")
				f.Events = append(f.Events, pstats.Event{Word: uint16(1+e%5) | uint16(e/5)<<15, Time: now})
			}
			now++
			f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: now})
			d.Frame(f, 0)
			raw.Frame(f, 0)
		}
		d.Close("")
		_, did := timeline(raw)
		if _, rows, what := otherRows(s.Session, raw); len(did.moved) == 0 && (what != "" || rows > 0) {
			t.Fatal(rows, what)
		}
	})
}
