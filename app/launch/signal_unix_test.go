//go:build unix

package launch

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"framescope/internal/testkit"
)

// endOnSignal makes the program that stands in for one of GStreamer end with status 17 when it gets
// SIGUSR1.
func endOnSignal() {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGUSR1)
	go func() {
		<-got
		os.Exit(17)
	}()
}

func TestSignalsArePassedOn(t *testing.T) {
	p, _, _ := fakeProgram(t, "0", filepath.Join(t.TempDir(), "never"))
	v := view(t, p)
	v.until(t, "the first lines", func() bool { _, s := v.entry(0); return strings.Count(linesOf(s), "\n") == 3 })
	var err error
	v.until(t, "its end", func() bool {
		syscall.Kill(os.Getpid(), syscall.SIGUSR1) // which does nothing to a Go program that does not ask for it
		select {
		case err = <-v.ended:
			return true
		default:
			return false
		}
	})
	testkit.That(t, err == nil && p.Status() == 17, "status %d, %v", p.Status(), err)
}

// A program that a signal ended has the status that a shell gives it.
func TestStatus(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell to make programs end in every way")
	}
	for script, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -KILL $$": 137, "kill -TERM $$": 143} {
		cmd := exec.Command("sh", "-c", script)
		cmd.Run()
		testkit.Equal(t, statusOf(cmd.ProcessState), want, "%s", script)
	}
	testkit.That(t, statusOf(nil) != 0, "one that never ran")
}
