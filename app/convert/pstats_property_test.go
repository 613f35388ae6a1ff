package convert_test

import (
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model/place"
)

// Random sessions come back: each thread with its frames and figures of these, the main one as the first.
func TestPstatsRandomComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "again.pstats")
	rapid.Check(t, func(t *rapid.T) {
		p, err := convert.Of(converttest.Random(t, false), place.TimeRange{}, nil)
		if err != nil || convert.PStatsFormat.Check(p) != nil {
			return // nothing goes by frames
		}
		file := testkit.Must(os.Create(path))(t)
		defer file.Close()
		testkit.OK(t, convert.PStatsFormat.Write(t.Context(), p, file))
		rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
		got := rec.Session
		if want := p.Session.Track(p.Session.MainTrack()).Title(); got.Track(got.MainTrack()).Title() != want {
			t.Errorf("the main thread is %s, not %s", got.Track(got.MainTrack()).Title(), want)
		}
		for _, id := range p.Tracks {
			if first, end := p.Frames(id); first < end {
				b := testkit.Must(place.FindTrack(got, p.Session.Track(id).Title()))(t)
				compareFrames(t, p, id, got, b)
			}
		}
	})
}
