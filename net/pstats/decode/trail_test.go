package decode

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/net/pstats"
	"framescope/net/pstats/gen"
)

// TestFramesFollowTheTrail counts the events of a game's frames that the walk has to look at one by one:
// where each frame does what the one before did, or less of it, few are left. In small frames these are
// the stops of what then runs.
func TestFramesFollowTheTrail(t *testing.T) {
	for each, most := range map[int]int{11: 40, 100: 10, 0: 10} { // spans in a frame, percent of its events
		s := testkit.Must(gen.New(gen.Options{Spans: 100_000, Tracks: 4, Depth: 10, Seed: 1, FrameSpans: each}))(t)
		d := New(&benchSink{}, Options{})
		d.Threads(0, s.ThreadNames())
		events, walked := 0, 0
		s.Stream(func(f *pstats.Frame) bool {
			d.Frame(f, 0)
			events += len(f.Events)
			walked += len(f.Events) - d.threads[f.Thread].trail.left
			return true
		})
		if 100*walked > most*events {
			t.Errorf("frames of %d spans: %d of %d events were walked", each, walked, events)
		}
	}
}

// TestTrailsThatLeadNowhere: a thread whose frames have nothing in common lays its trail anew ever more
// seldom, and as often as before once they have.
func TestTrailsThatLeadNowhere(t *testing.T) {
	p := newPasses()
	laid, from := 0, -1
	frame := func(number int64, first uint16) {
		at := float32(number)
		events := []pstats.Event{
			{Word: 0, Time: at}, {Word: first, Time: at}, {Word: first | pstats.StopBit, Time: at + .5}, {Word: pstats.StopBit, Time: at + .5},
		}
		had := append([]uint16{}, p.trail.words...)
		if _, fast := p.run(number, events, true); !fast {
			t.Fatalf("frame %d went the long way", number)
		}
		from = p.trail.left
		if len(had) == 0 || len(p.trail.words) > 1 && had[1] != p.trail.words[1] {
			laid++
		}
	}
	for n := range int64(200) {
		frame(n, uint16(1+n))
	}
	if laid < 5 || laid > 15 {
		t.Errorf("of 200 frames that have nothing in common %d laid a trail", laid)
	}
	for n := int64(200); n < 240; n++ {
		frame(n, 7)
	}
	if from != 4 {
		t.Errorf("40 frames later %d of 4 events are followed", from)
	}
}
