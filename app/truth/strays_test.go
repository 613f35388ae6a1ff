package truth

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
)

// Frames of games that stop what they never started, as Panda3D 1.10 does: no time is below zero, all
// own times of a frame add up to it, and timeline, flame graph, tables, tooltips and reports agree.
func TestStopsWithoutStarts(t *testing.T) {
	seen, nth, strays := map[string]int{}, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := &pstatstest.Sink{Session: store.NewSession()}
		d := decode.New(s, decode.Options{})
		defs := []pstats.CollectorDef{{Name: "Frame"}}
		for i := range 5 {
			defs = append(defs, pstats.CollectorDef{Index: int16(i + 1), Parent: int16(max(0, i-2)), Name: fmt.Sprintf("C%d", i)})
		}
		d.Collectors(defs)
		d.Threads(0, []string{"Main"})
		now, number := float32(1), uint32(1)
		for range rapid.IntRange(1, 12).Draw(t, "frames") {
			f := &pstats.Frame{Number: number, Events: []pstats.Event{{Time: now}}}
			step := rapid.SampledFrom([]uint32{1, 1, 1, 3}).Draw(t, "step")
			number += step
			var open, stray []uint16 // as they were started; stopped only
			for range rapid.IntRange(0, 10).Draw(t, "events") {
				now += rapid.SampledFrom([]float32{0.25, 1}).Draw(t, "dt")
				c, n := uint16(rapid.IntRange(1, 5).Draw(t, "collector")), len(open)
				switch rapid.IntRange(0, 2).Draw(t, "event") {
				case 0:
					open = append(open, c)
					f.Events = append(f.Events, pstats.Event{Word: c, Time: now})
				case 1:
					if n > 0 {
						f.Events = append(f.Events, pstats.Event{Word: open[n-1] | pstats.StopBit, Time: now})
						open = open[:n-1]
					}
				default:
					if !slices.Contains(open, c) && !slices.Contains(stray, c) {
						stray = append(stray, c)
						strays++
						f.Events = append(f.Events, pstats.Event{Word: c | pstats.StopBit, Time: now})
					}
				}
			}
			for _, c := range slices.Backward(open) {
				f.Events = append(f.Events, pstats.Event{Word: c | pstats.StopBit, Time: now})
			}
			now++
			f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: now})
			d.Frame(f, 0)
		}
		d.Close("")
		x := subjectOf("strays", s.Session)
		for i := range s.Session.Track(0).NumFrames() {
			f, sum := s.Session.Track(0).Frame(i), int64(0)
			for _, a := range s.Session.Frames().Self(0, i, nil) {
				if sum += a.Ns; a.Ns < 0 {
					t.Fatalf("frame %d: %+v", f.Number, a)
				}
			}
			if sum != f.End-f.Begin {
				t.Fatalf("frame %d took %d ns, and all that ran in it %d", f.Number, f.End-f.Begin, sum)
			}
		}
		parts := x.parts()
		p := &parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")]
		nth++
		p.compareReport(t)
		p.compareTables(t, seen)
		p.compareTips(t, rapid.IntRange(0, 94).Draw(t, "where it is pointed at"), seen) // see sweep
		p.checkInvariants(t)
	})
	if nth > 20 && (strays < 20 || len(seen) < 30) {
		t.Errorf("only %d stops without a start, %d kinds of numbers compared", strays, len(seen))
	}
}
