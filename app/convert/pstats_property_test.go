package convert_test

import (
	"testing"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/internal/testkit"
	"framescope/model/place"
)

// Random sessions come back: each thread with its frames and figures of these, the main one as the first.
func TestPstatsRandomComesBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		p, err := convert.Of(converttest.Random(t, false), place.TimeRange{}, nil)
		if err != nil || convert.PStatsFormat.Check(p) != nil {
			return // nothing goes by frames
		}
		got := through(t, dir, &convert.PStatsFormat, p)
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
