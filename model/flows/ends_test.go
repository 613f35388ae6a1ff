package flows_test

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/flows"
	"framescope/model/store"
)

// nested is a thread with calls that begin and end together, one beside them in a row of its own, and
// a track of tasks that overlap.
func nested() *store.Session {
	s := store.NewSession()
	for c := range model.CollectorID(5) {
		s.Apply(model.CollectorDef{ID: c, Name: string(rune('a' + c))})
		s.Apply(model.PathDef{ID: model.PathID(c + 1), Collector: c})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "thread"})
	s.Apply(model.TrackDef{ID: 1, Name: "tasks", Kind: model.TrackAsync})
	s.Apply(model.FlowDef{Name: "job"})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{
		{Begin: 0, End: 50, Path: 1, Lane: 0}, {Begin: 0, End: 20, Path: 2, Lane: 1}, {Begin: 40, End: 50, Path: 3, Lane: 1},
		{Begin: 50, End: 80, Path: 4, Lane: 0}, {Begin: 60, End: 90, Path: 5, Lane: 2},
	}})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{
		{Begin: 0, End: 90, Path: 1, Lane: 0}, {Begin: 10, End: 60, Path: 2, Lane: 2}, {Begin: 20, End: 60, Path: 3, Lane: 1},
	}})
	return s
}

func TestEnds(t *testing.T) {
	s := nested()
	for _, x := range []struct {
		track model.TrackID
		lane  uint16
		at    int64
		want  string // "": no span
	}{
		{0, model.NoLane, 0, "b"}, {0, 0, 0, "a"}, {0, model.NoLane, 20, "a"}, {0, model.NoLane, 30, "a"},
		{0, model.NoLane, 40, "c"}, {0, model.NoLane, 50, "d"}, // not what ends there
		{0, model.NoLane, 85, "e"}, {0, model.NoLane, 90, "e"}, {0, model.NoLane, 91, ""}, {0, 1, 45, "c"}, {0, 1, 60, "e"},
		{1, model.NoLane, 5, "a"}, {1, model.NoLane, 15, "b"}, {1, model.NoLane, 30, "c"}, {1, model.NoLane, 20, "c"}, {1, model.NoLane, 70, "a"},
		{2, model.NoLane, 5, ""},
	} {
		a := flows.Arrow{Flow: model.Flow{To: x.at, ToLane: x.lane}, ToTrack: x.track}
		b, ok := a.End(s.Spans())
		if got := s.Collector(b.Collector); ok != (x.want != "") || ok && got.Name != x.want {
			t.Errorf("track %d lane %d at %d: %v %q, want %q", x.track, x.lane, x.at, ok, got.Name, x.want)
		}
	}
}

// A span has the arrows that are bound to it, and not those of what it calls.
func TestOfSpan(t *testing.T) {
	s := nested()
	flow := func(f model.Flow) model.Flow {
		f.FromLane, f.ToLane = model.NoLane, model.NoLane
		return f
	}
	s.Append(&model.Batch{Track: 1, Flows: []model.Flow{
		flow(model.Flow{From: 10, To: 15}), flow(model.Flow{From: 30, To: 40}), flow(model.Flow{From: 95, To: 96}),
	}})
	s.Append(&model.Batch{Track: 0, Flows: []model.Flow{flow(model.Flow{From: 5, To: 35, FromTrack: 1}), flow(model.Flow{From: 5, To: 45, FromTrack: 1})}})
	a, _ := s.Spans().At(0, 0, 10, 0)
	in, out, more := s.Flows().OfSpan(s.Spans(), &a, nil, nil)
	testkit.That(t, len(in) == 1 && in[0].To == 35 && len(out) == 1 && out[0].From == 30 && !more,
		"in %v, out %v, more %v", in, out, more)
	sums := s.Flows().Sums(s.Spans(), 0, 100)
	if len(sums) != 1 || sums[0].N != 5 || sums[0].Worst.Delay() != 40 || sums[0].NoBegin != 1 || sums[0].NoEnd != 1 || sums[0].Mean != (5+10+1+30+40)/5. {
		t.Errorf("%+v", sums)
	}
	sums = s.Flows().Sums(s.Spans(), 0, 40)
	testkit.That(t, len(sums) == 1 && sums[0].N == 2, "that end before 40: %+v", sums)
}
