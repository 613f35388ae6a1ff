package load

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/frametimes"
	"framescope/net/puffin"
)

const nested = "../../testdata/pstats/nested.pstats"

func TestFile(t *testing.T) {
	var done, total int64
	rec, err := File(t.Context(), nested, Options{Events: true, Progress: func(d, of int64) { done, total = d, of }})
	testkit.NoErr(t, err)
	track := rec.Session.Track(0)
	if track.NumFrames() != 200 || len(rec.Events.Numbers(0)) != 200 {
		t.Errorf("%d frames, %d with events", track.NumFrames(), len(rec.Events.Numbers(0)))
	}
	_, ended := rec.Session.Ended()
	testkit.That(t, ended, "the session has not ended")
	if st, _ := os.Stat(nested); done != st.Size() || total != st.Size() {
		t.Errorf("progress %d of %d, the file has %d bytes", done, total, st.Size())
	}
	rec, err = File(t.Context(), nested, Options{})
	testkit.That(t, err == nil && rec.Events == nil, "events that nobody asked for, %v", err)
}

func TestCutFileGivesWhatIsBeforeTheCut(t *testing.T) {
	data, err := os.ReadFile(nested)
	testkit.NoErr(t, err)
	path := filepath.Join(t.TempDir(), "cut.pstats")
	testkit.NoErr(t, os.WriteFile(path, data[:len(data)*3/4], 0o666))
	rec, err := File(t.Context(), path, Options{Events: true})
	testkit.That(t, err != nil && strings.Contains(err.Error(), "cut.pstats"), "error %v", err)
	testkit.MustThat(t, rec != nil, "nothing")
	if n := rec.Session.Track(0).NumFrames(); n < 50 || n >= 200 || n != len(rec.Events.Numbers(0)) {
		t.Errorf("%d frames, %d with events", n, len(rec.Events.Numbers(0)))
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	testkit.NoErr(t, os.WriteFile(text, []byte("hello"), 0o666))
	for path, want := range map[string]string{filepath.Join(dir, "none"): "none", dir: "folder", text: "not a recording"} {
		rec, err := File(t.Context(), path, Options{})
		testkit.That(t, rec == nil && err != nil && strings.Contains(err.Error(), want), "%s: %v %v", path, rec, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := File(ctx, nested, Options{})
	testkit.That(t, errors.Is(err, context.Canceled), "cancelled: %v", err)
}

// Every recording of the tree is taken by the source of its kind, and by no other before it.
func TestRecordingsOfPuffin(t *testing.T) {
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
	others := 0
	err = filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".md") {
			return err
		}
		src, err := reg.Recognise(path)
		if err != nil {
			return nil // a file beside a recording, or one that is damaged
		}
		_, is := src.(puffin.Source)
		if ours := strings.Contains(path, "puffin"); ours != is {
			t.Errorf("%s is opened as %s", path, src.Name())
		} else if !ours {
			others++
		}
		return nil
	})
	testkit.That(t, err == nil && others >= 20, "%v; only %d other recordings", err, others)
}

// TestUnused names the flags that mean nothing for a kind of recording, and no others.
func TestUnused(t *testing.T) {
	all := Sources{Label: "thread", Time: "1", FrameTime: "2"}
	for file, want := range map[string][]string{
		"chrometrace/engine-object.json.gz":        {"--label", "--time", "--frame-time"},
		"pprof/game-cpu.pprof":                     {"--time", "--frame-time"},
		"frametimes/byhand-capframex-comments.csv": {"--label"},
		"speedscope/game-evented.speedscope.json":  {"--label", "--time", "--frame-time"},
		"perfetto/frametimeline.pftrace.gz":        {"--label", "--time", "--frame-time"},
	} {
		o := all
		if file == "frametimes/byhand-capframex-comments.csv" {
			o.Time, o.FrameTime = "TimeInSeconds", "MsBetweenPresents"
		}
		rec, err := File(t.Context(), filepath.Join("../../testdata", file), Options{Sources: o})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if !slices.Equal(rec.Unused, want) {
			t.Errorf("%s: %q, want %q", file, rec.Unused, want)
		}
	}
}

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
