package store

import (
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// A walk over a session in any steps gives the same bars as questions that nothing is kept of.
func TestKeptBarsAreTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		make := randomSessions(rt, false)
		s, plain := make()
		twin, _ := make()
		p := plain[0]
		var got, want []spans.Bar
		lanes := s.Track(0).Lanes()
		if lanes == 0 || len(p.frames) == 0 {
			return
		}
		minNs := int64(1)
		t0, t1 := someTime(rt, p, "t0"), someTime(rt, p, "t1")
		t0, t1 = min(t0, t1), max(t0, t1)
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch rapid.IntRange(0, 14).Draw(rt, "step") {
			case 0:
				minNs = rapid.SampledFrom([]int64{0, 1, 100, 5000, 50_000, 1 << 30}).Draw(rt, "least")
			case 1:
				t0, t1 = someTime(rt, p, "t0"), someTime(rt, p, "t1")
				t0, t1 = min(t0, t1), max(t0, t1)
			case 2:
				if n := s.Track(0).NumFrames(); n > 0 { // the last frame anew, without spans
					f := s.Track(0).Frame(n - 1)
					for _, s := range []*Session{s, twin} {
						s.Append(&model.Batch{HasFrame: true, Number: f.Number, Begin: f.Begin, End: f.End, Rewind: true})
					}
				}
			case 10, 11, 12, 13: // more frames, of spans of any length, that go on and end again
				for range rapid.SampledFrom([]int{1, 1, 1, 10}).Draw(rt, "frames") {
					b := moreSpans(rt, s)
					s.Append(b)
					twin.Append(b)
				}
				if _, end, ok := s.Bounds(); ok && rapid.Bool().Draw(rt, "follow") {
					t0, t1 = end-(t1-t0), end
				}
			case 3:
				d := (t1 - t0) / 5
				t0, t1 = t0+d, t1-d
			case 4:
				d := (t1 - t0) / 5
				t0, t1 = t0-d, t1+d
			default:
				d := (t1 - t0 + 1) * rapid.Int64Range(-9, 9).Draw(rt, "pan") / 20
				t0, t1 = t0+d, t1+d
			}
			lane := rapid.IntRange(0, lanes-1).Draw(rt, "lane") % 2
			got = s.Spans().Visible(0, lane, t0, t1, minNs, got[:0])
			twin.spans.DropAnswers()
			want = twin.Spans().Visible(0, lane, t0, t1, minNs, want[:0])
			testkit.MustEqualSlices(rt, got, want, "[%d, %d] at %d ns", t0, t1, minNs)
		}
	})
}

// moreSpans is a frame behind the last one, of spans in the first lanes.
func moreSpans(rt *rapid.T, s *Session) *model.Batch {
	b := &model.Batch{HasFrame: true}
	if n := s.Track(0).NumFrames(); n > 0 {
		f := s.Track(0).Frame(n - 1)
		b.Number, b.Begin = f.Number+1, f.End
	}
	at := b.Begin
	holes, lengths := []int64{0, 1, 40, 3000}, []int64{0, 1, 70, 900, 60_000}
	dense := rapid.IntRange(1, 4).Draw(rt, "dense") // many spans in the time of one bar, or few
	for range rapid.IntRange(0, 20).Draw(rt, "spans") {
		at += rapid.SampledFrom(holes[:dense]).Draw(rt, "hole")
		end := at + rapid.SampledFrom(lengths[:dense+1]).Draw(rt, "length")
		sp := model.Span{Lane: uint16(rapid.IntRange(0, 1).Draw(rt, "lane")), Begin: at, End: end, Path: 1}
		if rapid.IntRange(0, 3).Draw(rt, "goes on") == 0 {
			sp.Flags = model.SpanContinues
		}
		b.Spans = append(b.Spans, sp)
		b.End = max(b.End, end)
		if sp.Lane == 0 {
			at = end
		}
	}
	b.End = max(b.End, b.Begin)
	return b
}
