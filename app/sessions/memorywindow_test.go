package sessions

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// What came just before the window stands is the sessions' and no part of what the program takes
// with nothing loaded, though the sessions are asked once a second only.
func TestWhatComesFirstIsTheSessions(t *testing.T) {
	m := newMemoryWindow(store.New(0), feed.NewHub())
	m.SetLimit(64 << 20)
	defer m.Stop()
	f := m.hub.NewFeed(feed.Options{})
	m.hub.Poll(m.store, time.Second)
	m.count()
	f.Define(model.TrackDef{ID: 0, Name: "main"})
	f.Define(model.CollectorDef{ID: 1, Name: "work"})
	f.Define(model.PathDef{ID: 1, Collector: 1})
	b := f.Begin()
	for i := range int64(50_000) {
		b.Spans = append(b.Spans, model.Span{Begin: 10 * i, End: 10*i + 5, Path: 1})
	}
	testkit.MustThat(t, f.Publish(b), "the feed is closed")
	for m.hub.Stats().Waiting > 0 {
		m.hub.Poll(m.store, time.Second)
	}
	held := m.hub.Entries()[0].Session.Memory().Total()
	m.ticks, m.counted = standsAfter-1, time.Now().Add(time.Hour)
	m.Tick()
	testkit.That(t, m.keeper != nil && held >= 100_000 && m.use.Live == held,
		"the sessions hold %d bytes, %d when the program was measured", held, m.use.Live)
}
