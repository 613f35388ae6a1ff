package journal

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// However many viewers begin at once, and look for what crashes have left, none takes a live
// session for interrupted.
func TestLiveAmongManyRoots(t *testing.T) {
	dir := t.TempDir()
	stop := make(chan struct{})
	var sweeping, beginning sync.WaitGroup
	for range 2 {
		sweeping.Go(func() {
			for r := OpenRoot(dir, RootOptions{}); ; r.sweep() {
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	const viewers = 100
	roots, writers := make([]*Root, viewers), make([]*Writer, viewers)
	for i := range viewers {
		beginning.Go(func() {
			roots[i] = OpenRoot(dir, RootOptions{})
			writers[i] = roots[i].Create(Meta{Source: "test"}, Options{Flush: time.Microsecond})
			writers[i].Data([]byte("x"))
			writers[i].Flush()
		})
	}
	beginning.Wait()
	close(stop)
	sweeping.Wait()
	other := OpenRoot(dir, RootOptions{})
	for _, info := range other.List() {
		if !info.Running {
			t.Errorf("%s is taken for interrupted", info.Path)
		}
	}
	for i, w := range writers {
		finish(t, w)
		roots[i].Close()
	}
	if list := other.List(); len(list) != viewers {
		t.Errorf("%d sessions", len(list))
	}
}

// A lock that another program deletes is taken again, and said where it is now.
func TestLockIsTakenAgain(t *testing.T) {
	dir := t.TempDir()
	root := OpenRoot(dir, RootOptions{})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{Flush: time.Microsecond, Retry: 2 * time.Millisecond})
	defer finish(t, w)
	w.Data([]byte("x"))
	testkit.OK(t, w.Flush())
	testkit.OK(t, os.RemoveAll(filepath.Join(dir, locksDir)))
	other := OpenRoot(dir, RootOptions{})
	testkit.WaitUntil(t, "a session that is not taken for interrupted", func() bool { return other.List()[0].Running })
}
