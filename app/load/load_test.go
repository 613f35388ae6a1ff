package load

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
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
