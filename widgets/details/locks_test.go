package details

import (
	"slices"
	"testing"

	"framescope/app/load"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/why"
)

// TestDetailsOfALock chooses each lock of a recording: the panel is about it, with the numbers of
// the table of locks.
func TestDetailsOfALock(t *testing.T) {
	rec, err := load.File(t.Context(), "../../testdata/profilelib/exhausted.prof", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := rec.Session
	theme := assets.Dark()
	env := &panel.Env{View: view.New(s), Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	env.View.Tick(1, false)
	begin, end, _ := s.Bounds()
	table := s.Locks().Stats(begin, end+1, nil)
	if len(table) == 0 {
		t.Fatal("no locks")
	}
	p := &Panel{}
	rect := draw.Rect{X1: 250, Y1: 400}
	for _, want := range table {
		env.View.SelectCollector(want.Lock)
		env.View.ClearSelection()
		env.View.SelectCollector(want.Lock)
		p.Update(env, rect, &panel.Input{})
		whole := p.List().Quads()
		if p.Title(env) != s.Collector(want.Lock).Name || p.Mode(env) != "lock" || p.lock.all != want {
			t.Errorf("%q (%s): %+v, want %+v", p.Title(env), p.Mode(env), p.lock.all, want)
		}
		env.View.SelectRange(begin, (begin+end)/2)
		p.Update(env, rect, &panel.Input{})
		here := s.Locks().Stats(begin, (begin+end)/2, nil)
		found := locks.Stats{Lock: want.Lock}
		for _, x := range here {
			if x.Lock == want.Lock {
				found = x
			}
		}
		if p.lock.here != found || p.List().Quads() <= whole {
			t.Errorf("%s in the first half: %+v, want %+v; %d quads, %d without a range", p.Title(env), p.lock.here, found, p.List().Quads(), whole)
		}
	}
}

// A chosen wait says who held the lock meanwhile and for how long, as the longest waits of a session are
// explained.
func TestWaitSaysWhoHeldTheLock(t *testing.T) {
	rec, err := load.File(t.Context(), "../../testdata/profilelib/exhausted.prof", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := rec.Session
	theme := assets.Dark()
	env := &panel.Env{View: view.New(s), Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	env.View.Tick(1, false)
	begin, end, _ := s.Bounds()
	p, seen := &Panel{}, 0
	for _, w := range why.NewEngine(s).Waits(model.NoTrack, begin, end, 20) {
		env.View.ClearSelection()
		env.View.Select(view.Use(w.Use))
		p.Update(env, draw.Rect{X1: 250, Y1: 600}, &panel.Input{})
		var want, got []string
		for _, step := range append(slices.Clip(w.Chain[1:min(len(w.Chain), 2)]), w.Others...) {
			want = append(want, s.Track(step.Track).Title()+" · "+string(format.AppendDuration(nil, step.Ns)))
		}
		for _, f := range p.Facts(env, nil) {
			if f.Measure == "held by" && f.Header == "this use" {
				got = append(got, f.Text)
			}
		}
		if !slices.Equal(got, want[:min(len(want), mostHolders)]) {
			t.Errorf("a wait of %d ns is held by %q, not %q", w.Ns(), got, want)
		}
		seen += len(got)
	}
	if seen == 0 {
		t.Error("nobody held a lock that was waited for")
	}
}
