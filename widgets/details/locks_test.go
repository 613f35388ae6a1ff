package details

import (
	"slices"
	"strings"
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

// The headline of a lock says for how long threads waited for it: where a range is selected in that, else in
// all of the recording, and how long the longest of these waits was.
func TestHeadlineOfALock(t *testing.T) {
	rec, err := load.File(t.Context(), "../../testdata/profilelib/exhausted.prof", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := rec.Session
	r, waited := newWhyRig(s), 0
	begin, end, _ := s.Bounds()
	said := func(want locks.Stats, where string) {
		t.Helper()
		r.tick(&panel.Input{})
		h, words := r.why.head, r.why.chain.rows[0].words
		if h.value != string(format.AppendDuration(nil, want.WaitNs)) || h.what != "waited for, "+where || h.name != s.Collector(want.Lock).Name {
			t.Errorf("%+v, want %+v %s", h, want, where)
		}
		longest := string(format.AppendDuration([]byte(", the longest "), want.LongestWait.End-want.LongestWait.Begin))
		if want.Waits == 0 && words != "No thread waited for it there." || want.Waits > 0 && !strings.Contains(words, longest) {
			t.Errorf("%q of %+v", words, want)
		}
		waited += int(want.Waits)
	}
	for _, x := range s.Locks().Stats(begin, end+1, nil) {
		r.env.View.ClearSelection()
		r.env.View.SelectCollector(x.Lock)
		said(x, "in all of the recording")
		r.env.View.SelectRange(begin, (begin+end)/2)
		here := locks.Stats{Lock: x.Lock}
		for _, y := range s.Locks().Stats(begin, (begin+end)/2, nil) {
			if y.Lock == x.Lock {
				here = y
			}
		}
		said(here, "in the selected range")
	}
	if waited == 0 {
		t.Error("no lock was waited for")
	}
}
