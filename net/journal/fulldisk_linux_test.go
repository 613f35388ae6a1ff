package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// smallDisk mounts a file system of 700 kB, of which a file of 400 KB takes the most.
func smallDisk(t *testing.T) (dir, filler string) {
	dir = t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=700k"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() { testkit.NoErr(t, syscall.Unmount(dir, 0)) })
	filler = filepath.Join(dir, "filler")
	testkit.OK(t, os.WriteFile(filler, make([]byte, 400<<10), 0o600))
	return dir, filler
}

// unreserved is the file system of a system that can't reserve room.
type unreserved struct{ disk.FS }

type unreservedFile struct{ disk.File }

func (u unreserved) OpenFile(name string, flag int, perm os.FileMode) (disk.File, error) {
	f, err := u.FS.OpenFile(name, flag, perm)
	if err == nil {
		f = unreservedFile{f}
	}
	return f, err
}

func (unreservedFile) Reserve(int64, int64) error { return nil }

// TestFullDisk fills a real disk with a session, and ends it with room again or without: each record is on
// disk once or counted as lost, nothing is left behind the end, and the session has ended.
func TestFullDisk(t *testing.T) {
	for _, size := range []int{0, 5000, 1000, 40_000}[:testkit.Rounds(2, 4)] {
		for _, oneFile := range []bool{false, true} {
			for _, stays := range []bool{false, true} {
				for _, fsys := range []disk.FS{disk.System, unreserved{disk.System}} {
					t.Run(fmt.Sprintf("definitions of %d bytes, one file %v, stays full %v, %T", size, oneFile, stays, fsys), func(t *testing.T) {
						fillDisk(t, fsys, size, oneFile, stays)
					})
				}
			}
		}
	}
}

func fillDisk(t *testing.T, fsys disk.FS, size int, oneFile, stays bool) {
	dir, filler := smallDisk(t)
	o := Options{QueueBytes: 100_000, Flush: time.Microsecond, Retry: time.Millisecond, SegmentBytes: 64 << 10}
	root := OpenRoot(filepath.Join(dir, "sessions"), RootOptions{FS: fsys})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, o)
	if oneFile {
		w = CreateFileOn(fsys, filepath.Join(dir, "run"), Meta{Source: "test"}, o)
	}
	n := 0
	data := func() {
		if size > 0 {
			w.Define("k", make([]byte, size))
		}
		w.Data(number(n))
		n++
	}
	full := func() bool { return errors.Is(w.Flush(), syscall.ENOSPC) }
	for !full() {
		data()
	}
	for w.Stats().Refused < 10 {
		data()
	}
	if !stays {
		testkit.OK(t, os.Remove(filler))
		testkit.WaitUntil(t, "writing to go on", func() bool { return w.Flush() == nil }, func() any { return w.Stats().Trouble })
		for range 3 {
			data()
		}
	}
	w.Close("done")
	err := w.Wait(20 * time.Second)
	testkit.That(t, (err != nil) == stays, "the end: %v", err)
	got, next := ledger(t, fsys, w.Path())
	st := w.Stats()
	refused := 0
	for _, h := range got.holes {
		refused += int(h.Records)
	}
	_, without := fsys.(unreserved)
	if without && stays && got.end == nil { // there was no room for it
		n, st.Refused = next, int64(refused)
	}
	if next != n || len(got.data)+refused != n || int64(len(got.data)) != st.Records || int64(refused) != st.Refused || !st.Ended {
		t.Errorf("%d came, %d are there, %d in holes, %d accounted for; %+v", n, len(got.data), refused, next, st)
	}
	testkit.That(t, len(got.damage) <= 0 && (got.end != nil || without && stays),
		"damage %v, end %v", got.damage, got.end)
	if got.end == nil {
		return
	}
	if info, err := ReadInfo(w.Path()); err != nil || info.Running || !oneFile && info.Ended.IsZero() {
		t.Errorf("%+v, %v", info, err)
	}
}
