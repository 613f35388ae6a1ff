package details

import (
	"testing"

	"framescope/app/load"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/locks"
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
