package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"

	"framescope/app/demo"
	"framescope/app/library"
	"framescope/app/report"
	"framescope/internal/testkit"
)

// waitingWriter keeps what is written and lets tests wait for a text.
type waitingWriter struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *waitingWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *waitingWriter) wait(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	text := func() any {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.text.String()
	}
	var m []string
	testkit.WaitUntil(t, pattern, func() bool {
		m = re.FindStringSubmatch(text().(string))
		return m != nil
	}, text)
	return m[len(m)-1]
}

// playTo runs a live report while a game plays so many frames, and returns what it printed.
func playTo(t *testing.T, o report.Options, frames int) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	var errs waitingWriter
	s := &streams{&Streams{Out: NewOutput(&out), Err: &errs, Memory: "1GiB"}}
	done := make(chan error, 1)
	go func() { done <- s.reportLive(ctx, &out, &reportFlags{Options: o, listen: "127.0.0.1:0"}) }()
	addr := errs.wait(t, `Listening for connections on (\S+)\.\n`)
	if err := demo.Run(ctx, addr, demo.Options{Frames: frames, Fast: true, Seed: 5}); err != nil {
		t.Fatal(err)
	}
	errs.wait(t, "Now connected to Solar Chase on host demo\n")
	errs.wait(t, "Lost connection to Solar Chase on host demo: ")
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	errs.wait(t, "Exiting.\n")
	return out.String()
}

func TestLiveFrames(t *testing.T) {
	const frames = 100
	got := playTo(t, report.Options{}, frames)
	if n := strings.Count(got, "Thread Main frame "); n < frames-2 || n > frames {
		t.Errorf("%d frames of the main thread, want about %d", n, frames)
	}
	for _, want := range []string{"Thread GPU frame 50, ", "Thread Loader frame 0, ", "\n    Physics = ", "\n  Enemies = "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(got, "raw data:") {
		t.Error("raw data that nobody asked for")
	}
	if got := playTo(t, report.Options{Raw: true}, 10); !strings.Contains(got, "raw data:\n") || !strings.Contains(got, " start App:Tasks\n") {
		t.Error("no raw data")
	}
}

func TestLiveEvents(t *testing.T) {
	var events []struct {
		Name, Ph string
		Tid, Pid int
		Ts       int64
		Args     struct{ Name string }
	}
	if err := json.Unmarshal([]byte(playTo(t, report.Options{JSON: true}, 50)), &events); err != nil {
		t.Fatal(err)
	}
	threads, begins, ends := map[string]bool{}, 0, 0
	for _, e := range events {
		switch e.Ph {
		case "M":
			threads[e.Args.Name] = true
		case "B":
			begins++
		case "E":
			ends++
		}
		if e.Pid <= 0 {
			t.Fatalf("process %d", e.Pid)
		}
	}
	if !threads["Main"] || !threads["GPU"] || begins < 5000 || begins-ends > 10 {
		t.Errorf("threads %v, %d begins, %d ends", threads, begins, ends)
	}
}

func TestLiveStatistics(t *testing.T) {
	if got := playTo(t, report.Options{Stats: true}, 60); !strings.Contains(got, "Solar Chase on demo") || !strings.Contains(got, "App:Physics:Solve") {
		t.Errorf("%s", got)
	}
	var all []any
	if err := json.Unmarshal([]byte(playTo(t, report.Options{Stats: true, JSON: true}, 20)), &all); err != nil || len(all) != 1 {
		t.Errorf("%d sessions, %v", len(all), err)
	}
}

// TestLiveReportsKeepSessions: what a report without a window receives is on disk as what the
// window receives is.
func TestLiveReportsKeepSessions(t *testing.T) {
	t.Cleanup(xdg.Reload) // when the variable is what it was
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	playTo(t, report.Options{Stats: true}, 30)
	all := library.Open(library.Options{Dir: library.DefaultDir()}).Sessions()
	if len(all) != 1 || all[0].State != library.Ended || all[0].Frames() < 30 || all[0].Name != "Solar Chase" {
		t.Errorf("kept: %+v", all)
	}
}

// TestLiveRecordingThatFailed: what --record asks for and did not get is the error of the end.
func TestLiveRecordingThatFailed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "records")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var out, errs waitingWriter
	code := make(chan int, 1)
	file := filepath.Join(dir, "run.pstats")
	args := []string{"report", "--live", "--listen", "127.0.0.1:0", "--seconds", "1", "--record", file}
	go func() { code <- Execute(args, &out, &errs) }()
	addr := errs.wait(t, `Listening for connections on (\S+)\.\n`)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := demo.Run(t.Context(), addr, demo.Options{Frames: 10, Fast: true}); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != exitError {
		t.Errorf("exit code %d", c)
	}
	errs.wait(t, `Nothing was recorded to .*run\.pstats: .*; the session is whole in `)
	errs.wait(t, `framescope: not recorded as it should be: .*run\.pstats\n`)
}
