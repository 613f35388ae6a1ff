package clips

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/app/demo"
	"framescope/app/headless"
	"framescope/app/load"
	"framescope/app/report"
	"framescope/charts/subject"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/feed"
	"framescope/net/framescope"
	"framescope/net/pstats"
	"framescope/net/pstats/server"
)

// TestSessionFiles saves recordings of all kinds to session files: what report --stats --json says of the
// file is what it says of the recording, byte by byte, as are its bookmarks.
func TestSessionFiles(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	paths := recordings.Few(recordings.All(t, reg))
	if testkit.Long {
		paths = append(paths, recordings.Shared(t, reg)...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			to := filepath.Join(t.TempDir(), filepath.Base(path)+framescope.Extension)
			x := Session{
				Path: path, Name: "recording", Sources: reg,
				Marks: []place.Mark{{Number: 1, Place: place.Place{Kind: place.Frames}}},
			}
			unread, err := x.Save(t.Context(), to, false)
			if err != nil { // nothing of it can be read
				_, also := load.File(t.Context(), path, load.Options{})
				testkit.That(t, also != nil, "%v", err)
				return
			}
			want, cut := described(t, path)
			got, of := described(t, to)
			testkit.MustNoDiff(t, gocmp.Diff(want, got), "the file says something else (-recording +file)")
			testkit.That(t, (cut != nil) == (unread != nil) && of == nil, "%v when saved, %v when read, %v when opened", unread, cut, of)
			text, err := framescope.ReadAttached(to, framescope.Bookmarks)
			testkit.That(t, err == nil && bytes.Contains(text, []byte("number = 1")), "bookmarks: %q, %v", text, err)
			_, err = x.Save(t.Context(), to, false)
			testkit.Fails(t, err, "is there already")
		})
	}
}

// described is the report on a recording, under one name, and the error of reading it.
func described(t *testing.T, path string) (string, error) {
	t.Helper()
	rec, err := load.File(t.Context(), path, load.Options{Name: "recording"})
	testkit.MustThat(t, rec != nil, "%v", err)
	var out bytes.Buffer
	testkit.NoErr(t, report.Write(&out, rec.Session, report.Options{Stats: true, JSON: true}))
	return out.String(), err
}

// Where nothing can be read, of no format or of an unknown version of one, there is no file.
func TestNothingToSave(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	garbage := filepath.Join(t.TempDir(), "garbage.txt")
	testkit.OK(t, os.WriteFile(garbage, []byte("garbage\n"), 0o600))
	for _, path := range []string{garbage, filepath.Join(recordings.Root(t), "testdata", "spall", "broken-version2.spall")} {
		to := filepath.Join(t.TempDir(), "x.framescope")
		_, err := (&Session{Path: path, Sources: reg}).Save(t.Context(), to, false)
		_, missing := os.Stat(to)
		testkit.That(t, err != nil && errors.Is(missing, fs.ErrNotExist), "%s: %v, %v", path, err, missing)
	}
}

// A part without data is a session without data.
func TestNothing(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	path := recordings.File(t, recordings.PStats, "recursion.pstats")
	to := filepath.Join(t.TempDir(), "nothing.framescope")
	x := Session{Path: path, Sources: reg, Part: framescope.Part{Stretch: model.Stretch{Begin: -9, End: -8}}}
	_, err := x.Save(t.Context(), to, false)
	testkit.NoErr(t, err)
	s := open(t, to)
	_, _, some := s.Bounds()
	testkit.That(t, !some && s.Info().Program != "", "%+v", s.Info())
}

// played plays the demo's game to a listening program that files clips, and returns them with the game.
func played(t *testing.T, frames int, o Around, folder *Folder) (*headless.Client, []Filed) {
	t.Helper()
	live := testkit.Must(headless.ListenLive(t.Context(), headless.LiveOptions{
		Addr: "127.0.0.1:0",
		Also: func(_ server.SessionInfo, held *feed.Held) pstats.Handler {
			r := NewRing(held)
			r.Reach(o.Before, o.After)
			return r
		},
	}))(t)
	defer live.Close()
	over := make(chan error, 1)
	go func() { over <- demo.Run(t.Context(), live.Addr(), demo.Options{Seed: 1, Frames: frames, Fast: true}) }()
	var mu sync.Mutex
	var filed []Filed
	filer := NewFiler(folder, func(f Filed) {
		mu.Lock()
		defer mu.Unlock()
		filed = append(filed, f)
	})
	var w *Watch
	for tick := int64(1); w == nil || !w.Over(); tick++ {
		testkit.NoErr(t, live.Poll(nil))
		for _, c := range live.Clients() {
			if w == nil {
				w = NewWatch(c.Session, c.Also.(*Ring))
			}
			w.Look(o, tick*1e9, tick%2 == 0, func(_ *store.Session, x Wanted) { filer.File(x) })
		}
		if filer.Wait(time.Minute); t.Context().Err() != nil {
			t.Fatal(context.Cause(t.Context()))
		}
		time.Sleep(time.Millisecond)
	}
	testkit.NoErr(t, <-over)
	filer.Wait(time.Minute)
	return live.Clients()[0], filed
}

// A game that runs leaves a clip of the first hitch of each of its causes, which holds just what came
// around it: figure by figure what the whole session says of that time.
func TestClipsOfTheDemo(t *testing.T) {
	folder := OpenFolder(t.TempDir(), Limits{Clips: DefaultClips, Bytes: DefaultBytes}, nil)
	around := Around{Before: 2 * time.Second, After: time.Second}
	c, filed := played(t, 1500, around, folder)
	s := c.Session
	engine := why.NewEngine(s)
	for engine.Prepare(s.MainTrack(), 1<<20) {
	}
	first := map[string]why.Hitch{} // by cause
	for _, g := range engine.Groups(s.MainTrack(), nil) {
		g.How = g.Hitches[0].Root.How
		first[string(subject.AppendCauseName(nil, s, &g, true))] = g.Hitches[0]
	}
	for _, want := range []string{"Compile shader on Draw", "Mark on Main", "Disk in Autosave on Main", "Upload on Loader"} {
		testkit.That(t, slices.ContainsFunc(filed, func(f Filed) bool { return strings.Contains(f.Clip.Cause, want) }),
			"no clip of a hitch by %q", want)
	}
	_, ok := first["GC on Main"]
	testkit.That(t, !ok, "a part of what is new is told in some hitches, all of it in others")
	testkit.Equal(t, len(filed), len(first), "%d clips of %d causes", len(filed), len(first))
	for _, f := range filed {
		h, ok := first[f.Clip.Cause]
		if f.Err != nil || !ok || f.Clip.Frame != h.Number {
			t.Errorf("a clip of frame %d, %s: %v; the session's is %+v", f.Clip.Frame, f.Clip.Cause, f.Err, h)
			continue
		}
		clip := open(t, f.Clip.Path)
		r := place.TimeRange{
			Times: true, HasA: true, HasB: true, A: max(h.BeginNs-int64(around.Before), 0), B: h.BeginNs + h.DurationNs + int64(around.After),
		}
		testkit.NoDiff(t, gocmp.Diff(figures(t, s, r), figures(t, clip, place.TimeRange{})),
			"%s: the clip says something else than the session (-session +clip)", f.Clip.Cause)
		listed, err := folder.List()
		testkit.That(t, err == nil && slices.ContainsFunc(listed, func(c Clip) bool { return gocmp.Equal(c, f.Clip) }),
			"%s is not listed as it was filed: %v", f.Clip.Path, err)
	}
}
