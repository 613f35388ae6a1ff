package sessions

import (
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
)

// A game that connects a thousand times, and a program that only says hello a thousand times, leave
// a bounded list behind; the newest is shown.
func TestSessionsOfGoneGamesAreBounded(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	tick := func() {
		g.tick()
	}
	connect := func(frames int) {
		f := g.ss.hub.NewFeed(feed.Options{Live: true})
		for n := range frames {
			b := f.Begin()
			b.HasFrame, b.Number, b.Begin, b.End = true, int64(n), int64(n)*1e6, int64(n+1)*1e6
			f.Publish(b)
		}
		f.Define(model.End{Reason: "gone"})
		tick()
	}
	for range 1000 {
		connect(2)
		connect(0)
		if !slices.Contains(g.ss.store.Sessions(), g.ss.active) {
			t.Fatal("the session that is shown was taken away")
		}
	}
	all := g.ss.store.Sessions()
	if want := 1 + maxEnded + maxEmpty; len(all) > want {
		t.Fatalf("%d sessions are kept, at most %d are wanted", len(all), want)
	}
	testkit.Equal(t, g.ss.active, all[len(all)-1], "the newest game is not the one that is shown")
	if n := len(g.ss.hub.Entries()); n != len(all) {
		t.Errorf("%d feeds for %d sessions", n, len(all))
	}
	if n := len(g.ss.views); n != len(all) {
		t.Errorf("%d views for %d sessions", n, len(all))
	}
}

// Sessions with hardly anything in them do not take the place of one with much, however many come
// after it.
func TestLongSessionsStayLongest(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	for i := range 3 * maxEnded {
		f := g.ss.hub.NewFeed(feed.Options{Live: true})
		f.Define(model.Info{Program: "short"})
		frames := 2
		if i == 5 {
			f.Define(model.Info{Program: "long"})
			frames = 100
		}
		for n := range frames {
			b := f.Begin()
			b.HasFrame, b.Number, b.Begin, b.End = true, int64(n), int64(n)*1e6, int64(n+1)*1e6
			b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End})
			f.Publish(b)
		}
		f.Define(model.End{Reason: "gone"})
		g.tick()
	}
	if n := len(g.ss.store.Sessions()); n > maxEnded+1 {
		t.Errorf("%d sessions are kept", n)
	}
	for _, s := range g.ss.store.Sessions() {
		if s.Info().Program == "long" {
			return
		}
	}
	t.Error("the long session was taken away")
}

// A session that has left memory is not one that brought nothing.
func TestSessionsThatLeftMemoryStay(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	play := func(program string, frames int) {
		f := g.ss.hub.NewFeed(feed.Options{Live: true})
		f.Define(model.Info{Program: program})
		for n := range frames {
			b := f.Begin()
			b.HasFrame, b.Number, b.Begin, b.End = true, int64(n), int64(n)*1e6, int64(n+1)*1e6
			b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End})
			f.Publish(b)
		}
		f.Define(model.End{Reason: "gone"})
		g.tick()
	}
	play("long", 100)
	long := g.ss.store.Sessions()[0]
	g.ss.store.MemoryLimit = 1
	play("next", 2)
	if _, _, some := long.Bounds(); some {
		t.Fatal("nothing left memory")
	}
	g.ss.store.MemoryLimit = 256 << 20
	for range 3 * maxEnded {
		play("short", 2)
	}
	if !slices.Contains(g.ss.store.Sessions(), long) {
		t.Error("the long session was taken away")
	}
}
