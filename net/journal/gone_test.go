package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// A session whose folder is deleted is noticed though nothing more comes, and what was in it is
// missing in its sums.
func TestDeletedWhileNothingComes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	root := OpenRoot(dir, RootOptions{})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{Flush: time.Microsecond, Retry: 5 * time.Millisecond})
	s := &source{w: w, defs: map[string]string{}}
	for range 10 {
		s.data()
	}
	testkit.OK(t, w.Flush())
	testkit.OK(t, os.RemoveAll(w.Path()))
	testkit.WaitUntil(t, "somebody to notice", func() bool { return w.Stats().Trouble != nil })
	if st := w.Stats(); !errors.Is(st.Trouble, ErrGone) || st.Deleted != 10 || st.Trouble.Record != 10 {
		t.Errorf("%+v", st)
	}
	finish(t, w)
	info, err := ReadInfo(w.Path())
	testkit.That(t, err == nil && info.Records == 0 && info.Refused == 0 && info.Deleted == 10 && !info.Ended.IsZero(),
		"%+v, %v", info, err)
	got, next := ledger(t, disk.System, w.Path())
	testkit.That(t, next == 10 && len(got.holes) == 1, "%d records are accounted for: %+v", next, got)
	if st := w.Stats(); st.Trouble != nil {
		t.Errorf("it still has %v", st.Trouble)
	}
}

// A session of which a file is damaged, missing or no file is listed, with which one and why; it
// never makes room by itself, and is deleted when it is told to be.
func TestDamagedSessionsAreListed(t *testing.T) {
	first := func(path string) string { return filepath.Join(filepath.Dir(path), "00000001"+segmentExt) }
	for name, damage := range map[string]func(path string) error{
		sessionFile:             func(p string) error { return os.WriteFile(p, []byte("{"), 0o600) },
		sessionFile + " ":       os.Remove,
		sessionFile + "  ":      func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
		userFile:                func(p string) error { return os.WriteFile(p, []byte("no JSON"), 0o600) },
		"00000001" + segmentExt: func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
		"segments":              func(p string) error { return os.Remove(first(p)) },
		sessionFile + "    ":    func(p string) error { return os.Truncate(first(p), 20) },
		"00000002" + segmentExt: func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			root := OpenRoot(t.TempDir(), RootOptions{Limit: 1 << 20})
			defer root.Close()
			dir := ended(t, root, 1, 4096)
			file := name
			for file[len(file)-1] == ' ' {
				file = file[:len(file)-1]
			}
			if len(name)-len(file) == 4 { // nothing can be read of it
				os.Remove(filepath.Join(dir, file))
			}
			testkit.OK(t, damage(filepath.Join(dir, file)))
			list := root.List()
			if len(list) != 1 || !strings.HasPrefix(list[0].Damage, file) || list[0].ID == "" || list[0].Running {
				t.Fatalf("%+v", list)
			}
			if name == "segments" {
				if _, err := Open(dir); !Is(dir) || err == nil || !strings.HasSuffix(err.Error(), ": "+list[0].Damage) {
					t.Errorf("%v, opened: %v, the list says %q", Is(dir), err, list[0].Damage)
				}
			}
			if file == "00000001"+segmentExt {
				if _, err := Open(dir); !Is(dir) || err == nil || !strings.Contains(err.Error(), file+" is not a file") {
					t.Errorf("%v, opened: %v", Is(dir), err)
				}
			}
			leaving, _ := root.Leaving(1)
			testkit.That(t, len(leaving) <= 0, "it makes room: %+v", leaving)
			old := time.Now().Add(-time.Hour)
			os.Chtimes(filepath.Join(dir, "00000001"+segmentExt), old, old)
			if err := root.Delete(dir); err != nil || len(root.List()) > 0 {
				t.Errorf("not deleted: %v", err)
			}
		})
	}
}

// A session that did not end in order is as long as what is in it, whatever the clock says.
func TestLengthIsOfTheLastRecord(t *testing.T) {
	now := time.Now()
	var clock atomic.Int64 // ns after now
	root := OpenRoot(t.TempDir(), RootOptions{})
	w := root.Create(Meta{Source: "test"}, Options{
		Now: func() time.Time { return now.Add(time.Duration(clock.Load())) }, Flush: time.Microsecond,
	})
	for i := range 50 {
		clock.Store(int64(i) * 1e9)
		w.Data(make([]byte, 3000))
	}
	testkit.OK(t, w.Flush())
	later := now.Add(time.Hour)
	seg := filepath.Join(w.Path(), "00000001"+segmentExt)
	testkit.OK(t, os.Chtimes(seg, later, later))
	if info, err := ReadInfo(w.Path()); err != nil || !info.Running || info.Length != 49*time.Second {
		t.Errorf("live: %+v, %v", info, err)
	}
	// What is not whole at the end is no record.
	f := testkit.Must(os.OpenFile(seg, os.O_WRONLY|os.O_APPEND, 0))(t)
	f.Write(appendRecord(nil, KindData, int64(time.Hour), "", make([]byte, 100_000))[:90_000])
	f.Close()
	if info, err := ReadInfo(w.Path()); err != nil || info.Length != 49*time.Second {
		t.Errorf("cut: %+v, %v", info, err)
	}
	w.Close("")
	<-w.Done()
	root.Close()
}

// What is deleted while it is looked at is not there: no session that lacks its name, or the end that
// was not read any more.
func TestDeletedWhileLookedAt(t *testing.T) {
	for _, at := range []string{sessionFile, userFile} {
		eachFS(t, func(t *testing.T, fsys disk.FS, dir string) {
			root := OpenRoot(dir, RootOptions{FS: fsys})
			path := ended(t, root, 1, 5000)
			root.Close()
			testkit.OK(t, changeUser(fsys, path, func(u *user) { u.Name = "the hitch" }))
			if info, err := ReadInfoOn(fsys, path); err != nil || info.Name != "the hitch" {
				t.Fatalf("%+v, %v", info, err)
			}
			vanish := func(name string) { // another program deletes the session
				if name == filepath.Join(path, at) {
					fsys.Rename(path, path+".gone")
				}
			}
			info, err := ReadInfoOn(hooked{FS: fsys, open: vanish}, path)
			testkit.That(t, errors.Is(err, fs.ErrNotExist), "deleted at %s: %+v, %v", at, info, err)
		})
	}
}
