package launch

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/follow"
)

// TestMain lets the test program stand in for a GStreamer program: FAKE_PROGRAM says what it does.
func TestMain(m *testing.M) {
	if what := os.Getenv("FAKE_PROGRAM"); what != "" {
		os.Exit(fake(what))
	}
	flag.Set("test.parallel", "8") // for those that mostly wait
	os.Exit(m.Run())
}

// fake writes lines to its trace, one of which only when the file named go is there, and ends with
// a status.
func fake(what string) int {
	if what == "silent" {
		return 3
	}
	trace, err := os.OpenFile(os.Getenv("GST_DEBUG_FILE"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	endOnSignal()
	fmt.Fprintf(trace, "tiny\n%s\n%s\n", os.Getenv("GST_TRACERS"), os.Getenv("GST_DEBUG"))
	for what != "impatient" {
		if _, err := os.Stat(os.Args[1]); err == nil {
			break
		}
		time.Sleep(2 * time.Millisecond) // a program in a process of its own, which nobody tells
	}
	in, _ := io.ReadAll(os.Stdin)
	for i := range 3000 {
		fmt.Fprintf(trace, "line %d of many\n", i)
	}
	fmt.Fprintln(trace, "the last")
	fmt.Printf("out: %s", in)
	fmt.Fprint(os.Stderr, "err")
	trace.Close()
	status, _ := strconv.Atoi(what)
	return status
}

func fakeProgram(t *testing.T, what string, args ...string) (p *Program, out, errs *bytes.Buffer) {
	t.Helper()
	self := testkit.Must(os.Executable())(t)
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &Program{
		Args: append([]string{self}, args...), Source: tiny{}, Environ: append(os.Environ(), "FAKE_PROGRAM="+what, "GST_DEBUG=mine:4"),
		Stdin: strings.NewReader("typed"), Stdout: out, Stderr: errs,
	}, out, errs
}

func TestProgram(t *testing.T) {
	for _, noFIFO := range []bool{false, true} {
		t.Run(map[bool]string{false: "FIFO", true: "file"}[noFIFO], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			goOn := filepath.Join(dir, "go")
			p, out, errs := fakeProgram(t, "42", goOn)
			p.noFIFO, p.Leaks = noFIFO, true
			exited := -1
			p.Exited = func(status int) { exited = status }
			v := view(t, p)
			// What it wrote is there while it runs.
			first := "tiny\n" + DefaultTracers + ";leaks(check-refs=true)\nmine:4,leaks:7,GST_TRACER:7\n"
			v.lines(t, 0, first)
			r, s := v.entry(0)
			state, _ := r.State()
			testkit.That(t, state == follow.Following && !r.Wait, "%v, waits %v", state, r.Wait)
			write(t, goOn, "")
			testkit.NoErr(t, v.result(t))
			v.over(t, 0)
			got := linesOf(s)
			if !strings.HasPrefix(got, first+"line 0 of many\n") || !strings.HasSuffix(got, "line 2999 of many\nthe last\n") || strings.Count(got, "\n") != 3004 {
				t.Errorf("%d lines", strings.Count(got, "\n"))
			}
			if data, ended := kept(r); data != got || !ended || p.Bytes() != int64(len(got)) {
				t.Errorf("kept %d bytes of %d, ended %v, counted %d", len(data), len(got), ended, p.Bytes())
			}
			testkit.That(t, p.Status() == 42 && exited == 42 && out.String() == "out: typed" && errs.String() == "err",
				"status %d, %d; %q, %q", p.Status(), exited, out, errs)
			testkit.That(t, s.Info().Program == filepath.Base(p.Args[0]) && r.Name == p.Title(),
				"%q, %q", s.Info().Program, r.Name)
		})
	}
}

// A session that is closed does not stop the program: its trace is read on and dropped.
func TestProgramWhoseSessionIsClosed(t *testing.T) {
	t.Parallel()
	goOn := filepath.Join(t.TempDir(), "go")
	p, out, _ := fakeProgram(t, "5", goOn)
	v := view(t, p)
	v.until(t, "the first lines", func() bool { _, s := v.entry(0); return strings.Count(linesOf(s), "\n") == 3 })
	v.hub.Entries()[0].Feed.Cancel()
	write(t, goOn, "")
	testkit.NoErr(t, v.result(t))
	testkit.That(t, p.Status() == 5 && out.String() == "out: typed", "status %d, %q", p.Status(), out)
}

func TestProgramIsEnded(t *testing.T) {
	t.Parallel()
	p, _, _ := fakeProgram(t, "0", filepath.Join(t.TempDir(), "never"))
	v := view(t, p)
	v.until(t, "the first lines", func() bool { _, s := v.entry(0); return strings.Count(linesOf(s), "\n") == 3 })
	v.stop()
	testkit.NoErr(t, v.result(t))
	got := p.Status()
	testkit.That(t, got != 0, "it ended by itself")
	v.over(t, 0)
}

func TestProgramWithoutATrace(t *testing.T) {
	t.Parallel()
	p, _, _ := fakeProgram(t, "silent")
	_, err := Collect(t.Context(), p, nil)
	testkit.That(t, errors.Is(err, ErrNoTrace) && p.Status() == 3, "%v, status %d", err, p.Status())
	p = &Program{Args: []string{"no-such-program-anywhere"}, Source: tiny{}}
	err = p.Find()
	testkit.That(t, err != nil, "found")
	_, err = Collect(t.Context(), p, nil)
	testkit.That(t, err != nil && p.Status() == 127, "%v, status %d", err, p.Status())
}

func TestProgramThatIsCollected(t *testing.T) {
	t.Parallel()
	p, _, _ := fakeProgram(t, "impatient")
	p.Wait = true
	c, err := Collect(t.Context(), p, nil)
	testkit.That(t, err == nil && len(c.Sessions) == 1 && strings.HasSuffix(linesOf(c.Sessions[0]), "\nthe last\n"),
		"%+v %v", c, err)
}

func TestEnvironment(t *testing.T) {
	p := &Program{Args: []string{"x"}, Tracers: "leaks;rusage", Debug: "*:3", Leaks: true, Environ: []string{"A=1", "GST_DEBUG=2", "GST_DEBUG_COLOR_MODE=on", "GST_TRACERS=old"}}
	want := []string{"A=1", "GST_TRACERS=leaks;rusage", "GST_DEBUG=*:3,leaks:7,GST_TRACER:7", "GST_DEBUG_NO_COLOR=1", "GST_DEBUG_FILE=f"}
	testkit.EqualSlices(t, p.environment("f"), want, "environment")
	p = &Program{Args: []string{"x"}, Environ: []string{}}
	want = []string{"GST_TRACERS=" + DefaultTracers, "GST_DEBUG=GST_TRACER:7", "GST_DEBUG_NO_COLOR=1", "GST_DEBUG_FILE=f"}
	testkit.EqualSlices(t, p.environment("f"), want, "environment")
}
