package store

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"framescope/internal/testkit"
	"framescope/model"
)

// TestRemovedSessionsAreGone: whatever a session did before it was removed, nothing of the store
// holds it any more, though there was always room and nothing had to leave.
func TestRemovedSessionsAreGone(t *testing.T) {
	st := New(1 << 30)
	defer st.Close()
	var removed []weak.Pointer[Session]
	for n := range 40 {
		s := st.NewSession()
		s.Apply(model.TrackDef{ID: 0, Name: "Main", Kind: model.TrackThread})
		b := model.Batch{Track: 0}
		for number := range int64(200) {
			begin := number * 1e6
			b.Reset()
			b.HasFrame, b.Number, b.Begin, b.End = true, number, begin, begin+9e5
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: begin + 5e5, Path: model.PathRoot})
			s.Append(&b)
			if n%4 == 1 && number == 100 {
				st.EnforceLimit(time.Time{})
			}
		}
		if n%4 != 2 {
			s.Apply(model.End{Reason: "over"})
		}
		if n%4 == 3 {
			st.EnforceLimit(time.Time{})
		}
		removed = append(removed, weak.Make(s))
		st.Remove(s)
	}
	stays := st.NewSession()
	st.EnforceLimit(time.Time{})
	runtime.GC()
	held := 0
	for _, p := range removed {
		if p.Value() != nil {
			held++
		}
	}
	testkit.That(t, held <= 0, "%d of %d removed sessions are still held", held, len(removed))
	testkit.That(t, len(st.Sessions()) == 1 && st.Sessions()[0] == stays, "the other session is not there")
}
