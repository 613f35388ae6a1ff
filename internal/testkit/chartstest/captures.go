package chartstest

import (
	"context"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/store"
	"framescope/net/feed"
)

// Load fills a session with a recorded file; the test is skipped when the recording is not there.
func Load(t testing.TB, source feed.Source, kind recordings.Kind, name string) *store.Session {
	t.Helper()
	return Open(t, source, recordings.File(t, kind, name))
}

// Open fills a session with a file.
func Open(t testing.TB, source feed.Source, path string) *store.Session {
	t.Helper()
	k := &feedtest.Into{Session: store.NewSession()}
	if err := source.OpenFile(context.Background(), path, k); err != nil {
		t.Fatal(err)
	}
	return k.Session
}

// ThreadCalled returns the track of a name.
func ThreadCalled(t testing.TB, s *store.Session, name string) model.TrackID {
	t.Helper()
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id).Title() == name {
			return id
		}
	}
	t.Fatalf("no thread %q", name)
	return model.NoTrack
}

// Found returns what an expression finds in a session.
func Found(t testing.TB, s *store.Session, expr string) *find.Hits {
	t.Helper()
	e, err := find.Parse(expr)
	if err != nil {
		t.Fatal(err)
	}
	hits := new(find.Hits)
	hits.Search(s, e)
	for !hits.Done() {
		hits.Step(1<<40, 0)
	}
	return hits
}
