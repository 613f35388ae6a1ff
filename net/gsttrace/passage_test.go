package gsttrace

import (
	"testing"

	"framescope/model"
	"framescope/model/spans"
)

// Of every buffer it is known who had it and how long: times add up to what it took, without a gap,
// in the order of the pipeline. Where a muxer makes one buffer of several, it is known up to there.
func TestPassages(t *testing.T) {
	for capture, whole := range map[string]bool{"latency-tee-queues": true, "medium-av": true, "all-audio-chain": true, "latency-two-sources": true} {
		s := load(t, capture)
		var p spans.Passage
		ways, complete := 0, 0
		for id := range model.TrackID(s.NumTracks()) {
			if s.Track(id).Def.Kind != model.TrackStream {
				continue
			}
			for lane := range s.Track(id).Lanes() {
				for ref := (spans.Ref{Track: id, Lane: uint16(lane)}); ; ref.Index++ {
					b, ok := s.Spans().ByRef(ref)
					if !ok {
						break
					}
					ways++
					if !s.Spans().Passage(ref, &p) || p.Way != b || p.Number < 1 || p.Number > p.Of {
						t.Fatalf("%s: %+v", capture, p)
					}
					at := b.Begin
					for i := range p.Stops {
						if p.Stops[i].Begin != at || p.Stops[i].End <= at {
							t.Fatalf("%s: a gap at %d: %+v", capture, at, p.Stops)
						}
						at = p.Stops[i].End
					}
					if p.Whole != (at == b.End) {
						t.Fatalf("%s: whole %v, ends at %d of %d", capture, p.Whole, at, b.End)
					}
					if p.Whole {
						complete++
					}
				}
			}
		}
		t.Logf("%s: %d of %d", capture, complete, ways)
		if ways == 0 || whole && complete != ways {
			t.Errorf("%s: %d of %d ways are known", capture, complete, ways)
		}
	}
}

// From a span in a queue one comes to the buffer that it is of, and from there to those beside it.
func TestPassageOfStop(t *testing.T) {
	s := load(t, "latency-tee-queues")
	var p spans.Passage
	q2 := trackNamed(t, s, "q2").Def.ID
	b, ok := s.Spans().At(q2, 0, 1_000_000_000, 30e6)
	if !ok || !s.Spans().Passage(b.Ref, &p) || !p.Whole {
		t.Fatalf("%+v", p)
	}
	var names []string
	for i := range p.Stops {
		names = append(names, s.Track(p.Stops[i].Ref.Track).Title())
	}
	want := []string{"capsfilter0", "t", "q2", "videoscale0", "capsfilter1", "videoconvert1"}
	if len(names) != len(want) {
		t.Fatalf("%q", names)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("%q, want %q", names, want)
		}
	}
	next, ok := s.Spans().Beside(p.Way, 1)
	back, _ := s.Spans().Beside(next, -1)
	if !ok || next.Begin <= p.Way.Begin || back != p.Way {
		t.Errorf("beside %+v: %+v, and back %+v", p.Way, next, back)
	}
}
