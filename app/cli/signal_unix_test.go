//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"framescope/net/follow"
)

// A report of something that does not end by itself ends when it is asked to, tells what came until
// then, and leaves nothing behind.
func TestAskedToEnd(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) { askedToEnd(t, sig) })
	}
}

func askedToEnd(t *testing.T, sig syscall.Signal) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := follow.MakeFIFO(fifo); err != nil {
		t.Skip(err)
	}
	data, err := os.ReadFile("../../testdata/pstats/nested.pstats")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var errs waitingWriter
	code := make(chan int, 1)
	go func() { code <- Execute([]string{"report", fifo, "--range", "3"}, &out, &errs) }()
	w, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	// A pipe holds 1 MiB at most, so when more than that could be written behind the recording, all of
	// it was taken. It is of a kind that the report leaves out.
	if _, err := w.Write(make([]byte, 4<<20)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), sig); err != nil {
		t.Fatal(err)
	}
	select {
	case c := <-code:
		if c != exitOK {
			t.Errorf("exit code %d", c)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
	errs.wait(t, "framescope: interrupted; this is what came until then\n")
	if !strings.Contains(out.String(), "Thread Main frame 3, ") {
		t.Errorf("printed %q", out.String())
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
