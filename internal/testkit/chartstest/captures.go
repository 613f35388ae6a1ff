package chartstest

import (
	"context"
	"path/filepath"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/gsttrace"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
)

// load fills a session with a recorded file; the test is skipped when the recording is not there.
func load(t testing.TB, source feed.Source, kind recordings.Kind, name string) *store.Session {
	t.Helper()
	return open(t, source, recordings.File(t, kind, name))
}

// open fills a session with a file.
func open(t testing.TB, source feed.Source, path string) *store.Session {
	t.Helper()
	k := &feedtest.Into{Session: store.NewSession()}
	if err := source.OpenFile(context.Background(), path, k); err != nil {
		t.Fatal(err)
	}
	return k.Session
}

// LoadCapture opens a recorded session file; the test is skipped when it is not there.
func LoadCapture(t testing.TB, name string) *store.Session {
	t.Helper()
	return load(t, decode.Source{}, recordings.PStats, name+".pstats")
}

// LoadFlare opens a recorded session of the JVM sampler.
func LoadFlare(t testing.TB, name string) *store.Session {
	t.Helper()
	m, err := filepath.Glob(filepath.Join(flaretest.Capture(t, name), "127*"))
	if err != nil || len(m) == 0 {
		t.Fatalf("no recording %s: %v", name, err)
	}
	return open(t, flare.Source{}, m[0])
}

// LoadProfile opens a recorded profile stream; the test is skipped when it is not there.
func LoadProfile(t testing.TB, name string) *store.Session {
	t.Helper()
	return load(t, profilelib.Source{}, recordings.ProfileLib, name)
}

// LoadTrace opens a recorded trace log; the test is skipped when it is not there.
func LoadTrace(t testing.TB, name string) *store.Session {
	t.Helper()
	return load(t, gsttrace.Source{}, recordings.GStreamer, name)
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
