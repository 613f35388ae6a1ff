package clips

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/app/demo"
	"framescope/app/headless"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/report"
	"framescope/charts/subject"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/journaltest"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/framescope"
	"framescope/net/journal/disk"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/server"
)

// filled writes so many bytes.
func filled(n int) func(io.Writer) (int64, error) {
	return func(w io.Writer) (int64, error) { _, err := w.Write(make([]byte, n)); return 1, err }
}

func info(frame int64) Info {
	return Info{Program: "game", Cause: "Draw on Main", Frame: frame, At: time.Unix(1e9+frame, 0).UTC()}
}

func listed(t *testing.T, f *Folder) (frames []int64) {
	t.Helper()
	all := testkit.Must(f.List())(t)
	for _, c := range all {
		frames = append(frames, c.Frame)
	}
	return frames
}

// Of clips of a kind the oldest leave first, by number and by bytes, and never one that is open.
func TestLimits(t *testing.T) {
	opened := ""
	f := openOn(journaltest.NewMemory(), "clips", Limits{Clips: 3, Bytes: 1000}, func(path string) bool { return path == opened })
	file := func(frame int64, size int) error {
		c, err := f.file(info(frame), filled(size))
		if frame == 2 {
			opened = c.Path
		}
		return err
	}
	for i := int64(1); i <= 5; i++ {
		testkit.NoErr(t, file(i, 100))
	}
	testkit.Equal(t, fmt.Sprint(listed(t, f)), "[5 4 2]", "listed")
	testkit.NoErr(t, file(6, 850))
	testkit.Equal(t, fmt.Sprint(listed(t, f)), "[6 2]", "listed")
	err := file(7, 2000)
	testkit.That(t, errors.Is(err, ErrNoRoom), "one that is too large: %v", err)
	testkit.Equal(t, fmt.Sprint(listed(t, f)), "[6 2]", "for one that is too large these stay")
	f.SetLimits(Limits{Clips: 1, Bytes: 1000})
	err = file(8, 10)
	testkit.That(t, errors.Is(err, ErrNoRoom), "in the place of one that is open: %v", err)
}

// A noisy program replaces its own clips, and of a cause with many the mildest.
func TestFairShare(t *testing.T) {
	f := openOn(journaltest.NewMemory(), "clips", Limits{Clips: 4, Bytes: 1000}, nil)
	for i, c := range []Info{
		{Program: "quiet", Cause: "Draw", DurationNs: 1}, {Program: "noisy", Cause: "Load", DurationNs: 9},
		{Program: "noisy", Cause: "Spin", DurationNs: 8}, {Program: "noisy", Cause: "Spin", DurationNs: 5},
		{Program: "noisy", Cause: "Spin", DurationNs: 3}, {Program: "noisy", Cause: "Wait", DurationNs: 2},
	} {
		c.Frame, c.At = int64(i), time.Unix(int64(1e9+i), 0)
		testkit.Must(f.file(c, filled(10)))(t)
	}
	testkit.Equal(t, fmt.Sprint(listed(t, f)), "[5 2 1 0]", "listed")
}

// Names say game, cause, frame and time; equal ones are told apart.
func TestNames(t *testing.T) {
	f := openOn(journaltest.NewMemory(), "clips", Limits{Clips: 9, Bytes: 1000}, nil)
	i := info(7)
	i.Program, i.Cause = "../../Solar\x1bChase", "Compile shader on the Draw thread"
	for range 2 {
		testkit.Must(f.file(i, filled(1)))(t)
	}
	all, _ := f.List()
	for k, want := range []string{"", "-2"} {
		at := i.At.Format("-20060102-150405")
		testkit.Equal(t, filepath.ToSlash(all[k].Path), "clips/Solar-Chase-Compile-shader-on-th-frame-7"+at+want+".pstats",
			"it is called")
	}
}

// fullDisk takes so many bytes, and then none.
type fullDisk struct {
	disk.FS
	mu   sync.Mutex
	room int
}

type fullFile struct {
	disk.File
	d    *fullDisk
	name string
}

func (d *fullDisk) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	f, err := d.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &fullFile{f, d, name}, nil
}

func (f *fullFile) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	n := min(len(p), f.d.room)
	f.d.room -= n
	n, err := f.File.WriteAt(p[:n], off)
	if err == nil && n < len(p) {
		err = &fs.PathError{Op: "write", Path: f.name, Err: syscall.ENOSPC}
	}
	return n, err
}

// A full disk costs the clip, wherever in it the disk is full, and leaves nothing of it; the next one is
// filed when there is room.
func TestFullDisk(t *testing.T) {
	for room := 0; room < 700; room += 37 {
		d := &fullDisk{FS: journaltest.NewMemory(), room: room}
		f := openOn(d, "clips", Limits{Clips: 9, Bytes: 1 << 20}, nil)
		_, err := f.file(info(1), filled(500))
		testkit.That(t, (err != nil || room >= 500) && (err == nil || errors.Is(err, syscall.ENOSPC)),
			"with room for %d bytes: %v", room, err)
		entries, _ := d.ReadDir("clips")
		testkit.That(t, err == nil || len(entries) == 0, "with room for %d bytes %d files are left", room, len(entries))
		d.room = 1 << 20
		_, err = f.file(info(2), filled(500))
		testkit.That(t, err == nil, "with room again: %v", err)
	}
}

// What a program leaves that is killed while it files clips is whole clips, and what else there is is
// swept by the next one.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("FRAMESCOPE_FILES_CLIPS"); dir != "" {
		f := OpenFolder(dir, Limits{Clips: 5, Bytes: 1 << 30}, nil)
		fmt.Println("begins")
		for i := int64(0); ; i++ {
			if _, err := f.file(info(i), filled(1<<20)); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	if testing.Short() {
		t.Skip("starts programs")
	}
	for range 3 {
		dir := filepath.Join(t.TempDir(), "clips")
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
		cmd.Env = append(os.Environ(), "FRAMESCOPE_FILES_CLIPS="+dir)
		testkit.NoErr(t, cmd.Start())
		f := OpenFolder(dir, Limits{Clips: 5, Bytes: 1 << 30}, nil)
		for n := 0; n < 3; time.Sleep(time.Millisecond) {
			all, _ := f.List()
			n = len(all)
		}
		cmd.Process.Kill()
		cmd.Wait()
		all, err := f.List()
		testkit.MustThat(t, err == nil && len(all) >= 3, "%d clips: %v", len(all), err)
		for _, c := range all {
			testkit.That(t, c.Bytes == 1<<20 && c.Program == "game", "not whole: %+v", c)
		}
		old := time.Now().Add(-2 * abandoned)
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			os.Chtimes(filepath.Join(dir, e.Name()), old, old)
		}
		testkit.Must(f.file(info(1e6), filled(1<<20)))(t)
		entries, _ = os.ReadDir(dir)
		all, _ = f.List()
		for _, e := range entries {
			testkit.That(t, !strings.HasSuffix(e.Name(), partExt), "%s is left", e.Name())
		}
		testkit.Equal(t, len(entries), 2*len(all), "files of %d clips", len(all))
	}
}

// Nothing in a folder is believed: not what is known of a clip, nor that it is a file.
func TestStrangeFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.pstats": "", "a.json": "{", "b.pstats": "x", "b.json": strings.Repeat("[", maxInfo+10), "c.json": "{}", "d.txt": "",
	} {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	os.Mkdir(filepath.Join(dir, "e.pstats"), 0o700)
	all, err := OpenFolder(dir, Limits{Clips: 5, Bytes: 100}, nil).List()
	testkit.That(t, err == nil && len(all) == 2 && all[0].Cause != "" && all[0].Frame == -1, "%v, %v", all, err)
}

// TestSessionFiles saves recordings of all kinds to session files: what report --stats --json says of the
// file is what it says of the recording, byte by byte, as are its bookmarks.
func TestSessionFiles(t *testing.T) {
	testkit.OneGoroutine(t)
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
			testkit.That(t, (cut != nil) == (unread != nil) && (cut != nil) == (of != nil), "%v when saved, %v when read, %v when opened", unread, cut, of)
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
	if err == nil && rec.Cut != "" {
		err = errors.New(rec.Cut)
	}
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
	testkit.Must(x.Save(t.Context(), to, false))(t)
	s := open(t, to)
	_, _, some := s.Bounds()
	testkit.That(t, !some && s.Info().Program != "", "%+v", s.Info())
}

// played plays the demo's game to a listening program that files clips, and returns them with the game.
func played(t *testing.T, frames int, o Around, folder *Folder) (*headless.Client, []Filed) {
	t.Helper()
	lib := library.Open(library.Options{Dir: t.TempDir(), Limit: 64 << 20})
	defer lib.Close(time.Minute)
	live := testkit.Must(headless.ListenLive(t.Context(), headless.LiveOptions{
		Addr: "127.0.0.1:0",
		Record: func(info server.SessionInfo) *library.Recorder {
			return lib.Record(decode.Meta(info.Hello, info.Peer.String()), nil)
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
	var w *SessionWatch
	for tick := int64(1); w == nil || !w.Over(); tick++ {
		testkit.NoErr(t, live.Poll(nil))
		for _, c := range live.Clients() {
			if w == nil {
				w = NewSessionWatch(c.Session, c.Recorder)
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
		testkit.NoDiff(t, gocmp.Diff(figures(t, s, r, nil), figures(t, clip, r, nil)),
			"%s: the clip says something else than the session (-session +clip)", f.Clip.Cause)
		listed, err := folder.List()
		testkit.That(t, err == nil && slices.ContainsFunc(listed, func(c Clip) bool { return gocmp.Equal(c, f.Clip) }),
			"%s is not listed as it was filed: %v", f.Clip.Path, err)
	}
}
