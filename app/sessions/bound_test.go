package sessions

import (
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
)

// gone lets a game of a name connect, send frames and go.
func gone(g *viewer, program string, frames int) {
	f := g.ss.hub.NewFeed(feed.Options{Live: true})
	if program != "" {
		f.Define(model.Info{Program: program})
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

// A game that connects a thousand times, and a program that only says hello a thousand times, leave
// a bounded list behind; the newest is shown.
func TestSessionsOfGoneGamesAreBounded(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	for range 1000 {
		gone(g, "", 2)
		gone(g, "", 0)
		testkit.MustThat(t, slices.Contains(g.ss.store.Sessions(), g.ss.active),
			"the session that is shown was taken away")
	}
	all := g.ss.store.Sessions()
	want := 1 + maxEnded + maxEmpty
	testkit.MustThat(t, len(all) <= want, "%d sessions are kept, at most %d are wanted", len(all), want)
	testkit.Equal(t, g.ss.active, all[len(all)-1], "the newest game is not the one that is shown")
	n := len(g.ss.hub.Entries())
	testkit.That(t, n == len(all), "%d feeds for %d sessions", n, len(all))
	n = len(g.ss.views)
	testkit.That(t, n == len(all), "%d views for %d sessions", n, len(all))
}

// Sessions with hardly anything in them do not take the place of one with much, however many come
// after it.
func TestLongSessionsStayLongest(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	for i := range 3 * maxEnded {
		if i == 5 {
			gone(g, "long", 100)
		} else {
			gone(g, "short", 2)
		}
	}
	n := len(g.ss.store.Sessions())
	testkit.That(t, n <= maxEnded+1, "%d sessions are kept", n)
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
	gone(g, "long", 100)
	long := g.ss.store.Sessions()[0]
	g.ss.store.MemoryLimit = 1
	gone(g, "next", 2)
	_, _, some := long.Bounds()
	testkit.MustThat(t, !some, "nothing left memory")
	g.ss.store.MemoryLimit = 256 << 20
	for range 3 * maxEnded {
		gone(g, "short", 2)
	}
	testkit.That(t, slices.Contains(g.ss.store.Sessions(), long), "the long session was taken away")
}
