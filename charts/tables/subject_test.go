package tables

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

func TestFrameColor(t *testing.T) {
	th := assets.Dark()
	for ns, want := range map[int64]assets.Color{
		16_000_000: th.FrameBar, 16_700_000: th.FrameBar, 17_000_000: th.FrameBar, 17_500_000: th.Over, 33_000_000: th.Over, 34_000_000: th.Bad,
	} {
		got := subject.FrameColor(&th, ns, view.DefaultBudgetNs)
		testkit.That(t, assets.Color(got) == want, "%d ns: %v, want %v", ns, got, want)
	}
	got := subject.FrameColor(&th, 1e9, 0)
	testkit.That(t, assets.Color(got) == th.FrameBar, "without a budget: %v", got)
}

// What is of the threads that are shown says which are not: those that are idle, or others.
func TestWhichThreads(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for id, endNs := range []int64{1_000_000_000, 900_000_000, 10} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: string(rune('A' + id))})
		s.Append(&model.Batch{Track: model.TrackID(id), Spans: []model.Span{{Begin: 0, End: endNs, Path: 1}}})
	}
	v := view.New(s)
	for _, x := range []struct {
		do   func(l *view.Look)
		want string
	}{
		{func(*view.Look) {}, "all threads"},
		{func(l *view.Look) { l.HideIdle(true) }, "threads that are not idle"},
		{func(l *view.Look) { l.SetTrackHidden(1, true) }, "visible threads"},
		{func(l *view.Look) { l.ShowTracks(view.HiddenByHand); l.HideIdle(false) }, "all threads"},
	} {
		x.do(v.Look())
		testkit.That(t, subject.AllThreads(v) == x.want, "%q; want %q", subject.AllThreads(v), x.want)
	}
}

// Figures of all of a session are not called those of the whole session where its begin has left
// memory.
func TestWholeSession(t *testing.T) {
	s := store.NewSession()
	testkit.Equal(t, subject.Whole(s), "whole session", "all of it is called")
	s.Apply(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: 3})
	testkit.Equal(t, subject.Whole(s), "all in memory", "what is left of it is called")
}

// Collectors that are called alike are named with as much of what they lie in as tells them apart,
// others by their name alone.
func TestNamesApart(t *testing.T) {
	s := store.NewSession()
	for id, d := range []struct {
		name   string
		parent model.CollectorID
	}{
		{"Frame", model.NoCollector}, {"Cull", 0}, {"Draw", 0}, {"Scene", 1}, {"Scene", 2}, {"Flip", 2},
		{"Shadow", 0}, {"Draw", 6}, {"Scene", 7}, {"Scene", 0}, {"dScene", 2},
	} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: d.name, Parent: d.parent})
	}
	for id, want := range map[model.CollectorID]string{
		1: "Cull", 2: "Draw", 3: "Cull:Scene", 4: "Draw:Scene", 5: "Flip", 7: "Shadow:Draw", 8: "Shadow:Draw:Scene",
		9: "Scene", 10: "dScene",
	} {
		got := subject.NameApart(s, id)
		testkit.That(t, got == want, "%d is called %q, not %q", id, got, want)
	}
}

// Marks of causes stand out from the ground in every theme, whatever colours the collectors have, have the
// hue and about as much of it as these, and ways of being slow have shapes of their own.
func TestCausesAreToldApart(t *testing.T) {
	s := chartstest.NewSession(t)
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		env := chartstest.NewEnv(s, 1)
		env.Theme = &th
		for c := range s.Collectors().Len() {
			fill := assets.LChOf(assets.Color(env.Palette().Fill(model.CollectorID(c))))
			_, color := subject.CauseMark(env, model.CollectorID(c), why.Longer)
			mark := assets.LChOf(assets.Color(color))
			if off := assets.HueDistance(mark.Hue, fill.Hue); fill.C > 0.02 && (off > 5 || mark.C < 0.8*fill.C) {
				t.Errorf("%s: the mark of collector %d is %.3f, what it is filled with %.3f", name, c, mark, fill)
			}
			for what, ground := range map[string]assets.Color{"well": th.Well, "panel": th.Panel} {
				if got := assets.Contrast(assets.Color(color), ground); got < 4.5 {
					t.Errorf("%s: the mark of collector %d has a contrast of %.2f on a %s", name, c, got, what)
				}
			}
		}
	}
	env, shapes := chartstest.NewEnv(s, 1), map[string]bool{}
	for _, how := range []why.How{why.New, why.MoreCalls, why.Longer, why.Unknown} {
		shape, _ := subject.CauseMark(env, 1, how)
		shapes[shape] = true
	}
	testkit.That(t, len(shapes) == 4, "four ways have the shapes %v", shapes)
}

// TestThreadRangeHasTheEnd: while all of a session is in view, its newest sample counts, as it does
// in trees and reports of the whole.
func TestThreadRangeHasTheEnd(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	env := chartstest.NewEnv(s, 1)
	begin, end, _ := s.Bounds()
	for _, window := range [][2]int64{{begin, end}, {begin, end + 1}, {begin - 1e9, end + 1e9}} {
		env.View.Steer().PlaceTime(window[0], window[1])
		t0, t1 := subject.ThreadRange(env.View)
		testkit.That(t, t0 == begin && t1 == end+1,
			"of %v in view: [%d, %d), want [%d, %d)", window, t0, t1, begin, end+1)
		for id := range model.TrackID(s.NumTracks()) {
			n, ok := subject.Samples(s, id, t0, t1)
			for _, k := range s.Series().ByTrack(id) {
				if x := s.Series().ByID(k); ok && x.Def.Role == model.RoleStack && n != x.Len() {
					t.Errorf("%s: %d samples of %d", s.Track(id).Title(), n, x.Len())
				}
			}
		}
	}
	env.View.Steer().PlaceTime(begin, end-1e9)
	_, t1 := subject.ThreadRange(env.View)
	testkit.That(t, t1 == end-1e9, "what is not in view counts: up to %d of %d", t1, end)
}
