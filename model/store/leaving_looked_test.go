package store

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
)

// What has ended and is looked at stays as it is while a session goes on and takes all that there
// is room for, unless it takes more than half of the limit itself.
func TestWhatIsLookedAtStays(t *testing.T) {
	st := New(8 << 20)
	defer st.Close()
	fill := func(s *Session, from, frames int) {
		for n := from; n < from+frames; n++ {
			at := int64(n) * 1000
			b := &model.Batch{Track: 0, HasFrame: true, Number: int64(n), Begin: at, End: at + 1000}
			for k := range int64(20) {
				b.Spans = append(b.Spans, model.Span{Begin: at + k*50, End: at + k*50 + 40, Path: 1})
			}
			s.Append(b)
			if n%100 == 0 {
				st.EnforceLimit(time.Time{})
			}
		}
	}
	begin := func() *Session {
		s := st.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "App"})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		return s
	}
	shown, live := begin(), begin()
	fill(shown, 0, 10_000)
	shown.Hold(true)
	shown.Apply(model.End{})
	fill(live, 0, 60_000)
	if n := shown.Track(0).NumFrames(); n != 10_000 || live.Track(0).Evicted() == 0 {
		t.Errorf("%d frames of 10,000 are left of what is looked at; %d of the live one left",
			n, live.Track(0).Evicted())
	}
	shown.Hold(false)
	fill(live, 60_000, 30_000)
	testkit.Equal(t, shown.Track(0).NumFrames(), 0, "frames are left of what nobody looks at")
	large := begin()
	large.Hold(true)
	fill(large, 0, 40_000)
	large.Apply(model.End{})
	fill(live, 90_000, 30_000)
	a, b := large.Memory().Total(), live.Memory().Total()
	testkit.That(t, a <= 5<<20 && b >= 2<<20, "what is looked at takes %d bytes, what goes on %d, of 8 MiB", a, b)
}
