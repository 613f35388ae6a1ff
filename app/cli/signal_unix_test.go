//go:build unix

package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"framescope/internal/aside"
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

// A signal ends a command that computes or prints, though it does not look for it, and Ctrl+\ leaves no part of a file.
func TestSignalsWhileNothingLooks(t *testing.T) {
	recording := testkit.Must(filepath.Abs("../../testdata/pstats/nested.pstats"))(t)
	if dir := os.Getenv("FRAMESCOPE_TEST_STUCK"); dir != "" {
		os.Exit(Execute([]string{"report", recording, "--raw"}, blocks(dir), os.Stderr))
	}
	for sig, want := range map[syscall.Signal]int{syscall.SIGTERM: exitError, syscall.SIGQUIT: 2} {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestSignalsWhileNothingLooks$")
		cmd.Env = append(os.Environ(), "FRAMESCOPE_TEST_STUCK="+dir)
		errs := testkit.Must(cmd.StderrPipe())(t)
		testkit.OK(t, cmd.Start())
		for len(testkit.Must(os.ReadDir(dir))(t)) == 0 {
			time.Sleep(time.Millisecond)
		}
		testkit.OK(t, cmd.Process.Signal(sig))
		said, _ := io.ReadAll(errs)
		cmd.Wait()
		testkit.That(t, cmd.ProcessState.ExitCode() == want && len(testkit.Must(os.ReadDir(dir))(t)) == 0, "%v: %v", sig, cmd.ProcessState)
		testkit.That(t, sig != syscall.SIGTERM || strings.Contains(string(said), "nested.pstats: interrupted"), "%s", said)
	}
}

// blocks is a folder, and an output that writes a file there and never comes to its end.
type blocks string

func (b blocks) Write([]byte) (int, error) {
	return 0, aside.Write(filepath.Join(string(b), "out"), func(io.Writer) error { select {} })
}
