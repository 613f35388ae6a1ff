package load

import (
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/frametimes"
)

// Tables of frame times are opened as such, and no other recording is.
func TestRecordingsOfTables(t *testing.T) {
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
	root := recordings.Root(t)
	n := map[bool]int{}
	for _, pattern := range []string{"testdata/*/*", "../shared/captures/*/*"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		testkit.NoErr(t, err)
		for _, path := range paths {
			src, err := reg.Recognise(path)
			if err != nil {
				continue // a file beside a recording, a folder, or one that is damaged
			}
			_, is := src.(frametimes.Source)
			ours := strings.Contains(path, "frametimes") && strings.Contains(path, ".csv")
			testkit.That(t, ours == is || besides(path), "%s is opened as %s", path, src.Name())
			n[is]++
		}
	}
	testkit.That(t, n[true] >= 10 && n[false] >= 50, "%d tables, %d others", n[true], n[false])
}

// besides tells whether a file is none of those that are opened, but a table of what is in one.
func besides(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv")
}

// TestColumnsByName asks for frames by the columns of a table.
func TestColumnsByName(t *testing.T) {
	const path = "../../testdata/frametimes/byhand-presentmon-v2-two-apps.csv"
	rec, err := File(t.Context(), path, Options{Sources: Sources{FrameTime: "DisplayedTime"}})
	testkit.NoErr(t, err)
	tr := rec.Session.Track(rec.Session.MainTrack())
	testkit.Equal(t, tr.NumFrames(), 60, "frames by the time that they were on the screen")
	_, err = File(t.Context(), path, Options{Sources: Sources{Time: "nothing"}})
	if err == nil || !strings.Contains(err.Error(), `no column "nothing"; the columns are: Application, ProcessID`) {
		t.Error(err)
	}
	rec, err = File(t.Context(), path, Options{Sources: Sources{Frames: "none"}})
	testkit.That(t, err == nil && !rec.Session.HasFrames() && rec.Session.Series().Len() != 0,
		"%v %v", "frames that nobody wants", err)
}
