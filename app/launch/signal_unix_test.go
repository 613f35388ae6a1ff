//go:build unix

package launch

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A signal is passed on, and a program that a signal ended has the status that a shell gives it.
func TestSignalsArePassedOn(t *testing.T) {
	p, _, _ := fakeProgram(t, "0", filepath.Join(t.TempDir(), "never"))
	got := make(chan os.Signal, 100)
	signal.Notify(got, syscall.SIGTERM) // this program must survive one that comes too early
	defer signal.Stop(got)
	v := view(t, p)
	v.until(t, "the first lines", func() bool { _, s := v.entry(0); return strings.Count(linesOf(s), "\n") == 3 })
	var err error
	v.until(t, "its end", func() bool {
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		select {
		case err = <-v.ended:
			return true
		default:
			return false
		}
	})
	if want := 128 + int(syscall.SIGTERM); err != nil || p.Status() != want {
		t.Errorf("status %d, want %d; %v", p.Status(), want, err)
	}
}
