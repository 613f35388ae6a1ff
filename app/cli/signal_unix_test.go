//go:build unix

package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
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
	data := testkit.Must(os.ReadFile("../../testdata/pstats/nested.pstats"))(t)
	var out bytes.Buffer
	var errs waitingWriter
	code := make(chan int, 1)
	go func() { code <- Execute([]string{"report", fifo, "--range", "3"}, &out, &errs) }()
	w := testkit.Must(os.OpenFile(fifo, os.O_WRONLY, 0))(t)
	defer w.Close()
	testkit.Must(w.Write(data))(t)
	// A pipe holds 1 MiB at most, so when more than that could be written behind the recording, all of
	// it was taken. It is of a kind that the report leaves out.
	testkit.Must(w.Write(make([]byte, 4<<20)))(t)
	testkit.OK(t, syscall.Kill(os.Getpid(), sig))
	select {
	case c := <-code:
		testkit.That(t, c == exitOK, "exit code %d", c)
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
	errs.wait(t, "framescope: interrupted; this is what came until then\n")
	testkit.That(t, strings.Contains(out.String(), "Thread Main frame 3, "), "printed %q", out.String())
	left, err := os.ReadDir(temp)
	testkit.That(t, err == nil && len(left) == 0, "left behind: %v, %v", left, err)
}

// A FIFO that nobody reads from is an error at once, and one that somebody reads from gets all of it.
func TestWriteToFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	text := strings.Repeat("0123456789", 50_000) // more than a FIFO holds
	write := func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	testkit.Fails(t, toSpecial(path, write), "no program reads from this FIFO")
	r, err := os.OpenFile(path, os.O_RDWR, 0) // never at its end
	testkit.OK(t, err)
	defer r.Close()
	done := make(chan error, 1)
	go func() { done <- toSpecial(path, write) }()
	got := make([]byte, len(text))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != text {
		t.Errorf("with a reader: %v", err)
	}
	testkit.OK(t, <-done)
}
