package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
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
	s := &Streams{Out: NewOutput(&out), Err: &errs, Memory: "1GiB"}
	done := make(chan error, 1)
	go func() { done <- s.reportLive(ctx, &out, &reportFlags{Options: o, listen: "127.0.0.1:0"}) }()
	addr := errs.wait(t, `Listening for connections on (\S+)\.\n`)
	testkit.OK(t, demo.Run(ctx, addr, demo.Options{Frames: frames, Fast: true, Seed: 5}))
	errs.wait(t, "Now connected to Solar Chase on host demo\n")
	errs.wait(t, "Lost connection to Solar Chase on host demo: ")
	cancel()
	testkit.OK(t, <-done)
	errs.wait(t, "Exiting.\n")
	return out.String()
}

func TestLiveFrames(t *testing.T) {
	const frames = 100
	got := playTo(t, report.Options{}, frames)
	n := strings.Count(got, "Thread Main frame ")
	testkit.That(t, n >= frames-2 && n <= frames, "%d frames of the main thread, want about %d", n, frames)
	for _, want := range []string{"Thread GPU frame 50, ", "Thread Loader frame 0, ", "\n    Physics = ", "\n  Enemies = "} {
		testkit.That(t, strings.Contains(got, want), "no %q", want)
	}
	testkit.That(t, !strings.Contains(got, "raw data:"), "raw data that nobody asked for")
	testkit.Contains(t, playTo(t, report.Options{Raw: true}, 10), "raw data:\n", " start App:Tasks\n")
}

func TestLiveStatistics(t *testing.T) {
	got := playTo(t, report.Options{Stats: true}, 60)
	testkit.That(t, strings.Contains(got, "Solar Chase on demo") && strings.Contains(got, "App:Physics:Solve"), "%s", got)
	var all []any
	err := json.Unmarshal([]byte(playTo(t, report.Options{Stats: true, JSON: true}, 20)), &all)
	testkit.That(t, err == nil && len(all) == 1, "%d sessions, %v", len(all), err)
}

// TestLiveReportsKeepSessions: what a report without a window receives is on disk as what the
// window receives is.
func TestLiveReportsKeepSessions(t *testing.T) {
	testkit.SetXDG(t, "XDG_STATE_HOME", t.TempDir())
	playTo(t, report.Options{Stats: true}, 30)
	all := library.Open(library.Options{Dir: library.DefaultDir()}).Sessions()
	testkit.That(t, len(all) == 1 && all[0].State == library.Ended && all[0].Frames() >= 30 &&
		all[0].Name == "Solar Chase", "kept: %+v", all)
}

// TestLiveRecordingThatFailed: what --record asks for and did not get is the error of the end.
func TestLiveRecordingThatFailed(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := filepath.Join(t.TempDir(), "records")
	testkit.OK(t, os.Mkdir(dir, 0o700))
	var out, errs waitingWriter
	code := make(chan int, 1)
	file := filepath.Join(dir, "run.pstats")
	args := []string{"report", "--live", "--listen", "127.0.0.1:0", "--seconds", "1", "--record", file}
	go func() { code <- Execute(args, &out, &errs) }()
	addr := errs.wait(t, `Listening for connections on (\S+)\.\n`)
	testkit.OK(t, os.Remove(dir))
	testkit.OK(t, demo.Run(t.Context(), addr, demo.Options{Frames: 10, Fast: true}))
	testkit.Equal(t, <-code, exitError, "exit code")
	errs.wait(t, `Nothing was recorded to .*run\.pstats: .*; the session is whole in `)
	errs.wait(t, `framescope: incomplete recording: .*run\.pstats\n`)
}

// The commands say of a live session that it is live, whether asked to ask or not, and that "last"
// is one where none has ended; a lower limit for which a part of it has to leave is not set
// unasked.
func TestLiveSessions(t *testing.T) {
	testkit.SetXDG(t, "XDG_STATE_HOME", t.TempDir())
	testkit.SetXDG(t, "XDG_CONFIG_HOME", t.TempDir())
	lib := library.Open(library.Options{Dir: library.DefaultDir(), Limit: 1 << 30})
	defer lib.Close(10 * time.Second)
	rec := lib.Record(journal.Meta{Source: "profilelib", Program: "game"}, nil)
	defer rec.Close("")
	rec.Data(make([]byte, 17<<20))
	testkit.OK(t, rec.Flush())
	for _, c := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"sessions delete game", 1, "game is live: it can be deleted when it has ended"},
		{"sessions delete --yes game", 1, "game is live: it can be deleted when it has ended"},
		{"sessions path last", 0, "no session has ended: last is "},
		{"sessions limit 16MiB", 2, "the oldest part of the live session, 1.00 MiB or more"},
		{"sessions limit 0", 0, library.KeptOn},
	} {
		var out, err bytes.Buffer
		code := Execute(strings.Fields(c.args), &out, &err)
		testkit.That(t, code == c.code && strings.Contains(err.String(), c.stderr), "%s: %d, %q", c.args, code, err.String())
	}
}

// executed runs a command, which has to end with a status, and returns what it printed and what it said.
func executed(t *testing.T, want int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code := Execute(args, &o, &e)
	testkit.MustThat(t, code == want, "%q: exit code %d, want %d\n%s", args, code, want, &e)
	return o.String(), e.String()
}

// sending is the address of a program that takes a request of so many bytes, sends, and ends.
func sending(t *testing.T, request int, data []byte) string {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		l.Close() // the program ends after that
		io.ReadFull(c, make([]byte, request))
		c.Write(data)
		c.Close()
	}()
	return l.Addr().String()
}

// answering is the address of a Go program that answers requests of a path, one after another, and ends.
func answering(t *testing.T, path string, answers ...[]byte) string {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		if !strings.HasPrefix(r.URL.String(), path) || i >= len(answers) {
			panic(http.ErrAbortHandler) // it has gone
		}
		io.Copy(w, bytes.NewReader(answers[i])) //nolint:errcheck // the report tells
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// A program is connected to, recorded, and reported on when it is gone. What was recorded are the bytes as they
// came, one answer behind the other, and gives the same report.
func TestConnect(t *testing.T) {
	t.Parallel() // it mostly waits
	rust := recordings.Read(t, recordings.Puffin, "http_join_late.puffinstream")
	game := recordings.Read(t, recordings.GoTrace, "game-122.trace")
	flight := recordings.Read(t, recordings.GoTrace, "flight-126.trace")
	profile := recordings.Read(t, recordings.PProf, "game-cpu.pprof")
	line := func(start string) func(report string) string {
		return func(report string) string {
			_, rest, _ := strings.Cut("\n"+report, "\n"+start)
			rest, _, _ = strings.Cut(rest, "\n")
			return rest
		}
	}
	stacks := func(report string) string {
		_, text, _ := strings.Cut(report, "all stacks")
		text, _, _ = strings.Cut(text, "\n\nReceived")
		text, _, _ = strings.Cut(text, "\n\nNotes")
		return text
	}
	for _, c := range []struct {
		kind, addr string
		sent       []byte
		part       func(report string) string // which both reports have
		has        string
		least      int
	}{
		{"puffin", sending(t, 0, rust), rust, line("Thread main"), "90 received, 0 missing", 1},
		{"go", answering(t, "/debug/pprof/trace?seconds=1", game, flight), append(game, flight...), line("Thread main.main 1 of "),
			"55 received, 0 missing", 1},
		{"pprof", answering(t, "/debug/pprof/profile", profile, profile), bytes.Repeat(profile, 2), stacks, "", 500},
	} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			into := filepath.Join(t.TempDir(), "game."+map[string]string{"puffin": "puffinstream", "go": "trace", "pprof": "pprof"}[c.kind])
			live, said := executed(t, exitOK, "connect", c.kind, c.addr, "--record", into, "--report")
			if c.kind == "puffin" { // to which there is a connection for as long as it runs
				testkit.Contains(t, said, "connected to the program at "+c.addr, "Recording to "+into)
			}
			if got, err := os.ReadFile(into); err != nil || !bytes.Equal(got, c.sent) {
				t.Fatalf("%d bytes of %d were recorded: %v", len(got), len(c.sent), err)
			}
			recorded, _ := executed(t, exitOK, "report", "--stats", into)
			a, b := c.part(live), c.part(recorded)
			testkit.That(t, a == b && len(b) >= c.least && strings.Contains(b, c.has), "live:\n%s\nrecorded:\n%s", a, b)
		})
	}
}

// connect refuses an address that nobody answers at, and prints nothing. Texts that are no addresses are in mistakes.txtar.
func TestConnectRefuses(t *testing.T) {
	t.Parallel() // it mostly waits
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	l.Close()
	out, errs := executed(t, exitError, "connect", "go", l.Addr().String(), "--report")
	testkit.Contains(t, errs, `import _ "net/http/pprof"`)
	n := strings.Count(errs, fmt.Sprint("no program at ", l.Addr()))
	testkit.That(t, n == 1 && out == "", "printed %q, said %q", out, errs)
}

// noticing tells when a recording of an input has ended.
type noticing struct {
	launch.Input
	ended chan<- struct{}
}

// Run implements launch.Input.
func (n noticing) Run(ctx context.Context, open launch.Opener) error {
	return n.Input.Run(ctx, func(r *launch.Recording) feed.Sink { return noticingSink{open(r), n.ended} })
}

type noticingSink struct {
	feed.Sink
	ended chan<- struct{}
}

// Define implements feed.Sink.
func (s noticingSink) Define(c model.Change) {
	s.Sink.Define(c)
	if _, ok := c.(model.End); ok {
		s.ended <- struct{}{}
	}
}

// Streams that programs send are summed up when listening ends; each connection is a session.
func TestListenToProfileLib(t *testing.T) {
	data := testkit.Must(os.ReadFile("../../testdata/profilelib/small-clean.prof"))(t)
	source := testkit.Must(load.Sources{}.ProfileLib())(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l := testkit.Must(launch.Listen(ctx, "127.0.0.1:0", source))(t)
	var out, errs bytes.Buffer
	s := &Streams{Out: NewOutput(&out), Err: &errs, Memory: "1GiB"}
	record := filepath.Join(t.TempDir(), "run.prof")
	done := make(chan error, 1)
	ended := make(chan struct{}, 3)
	go func() { done <- s.reportInput(ctx, noticing{l, ended}, RecordTo{Path: record}) }()
	nonsense := bytes.Repeat([]byte("no stream of a profiler\n"), 1000) // of which nothing is kept
	for _, data := range [][]byte{nonsense, data, data} {
		c := testkit.Must(net.Dial("tcp", l.Addr()))(t)
		c.Write(data)
		c.Close()
		<-ended
	}
	cancel()
	testkit.OK(t, <-done)
	n := strings.Count(out.String(), "Thread ")
	testkit.That(t, n >= 2, "%d sessions in\n%s%s", n, &out, &errs)
	for _, path := range []string{record, filepath.Join(filepath.Dir(record), "run-2.prof")} {
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v, %d bytes, %d were sent\n%s", path, err, len(got), len(data), &errs)
		}
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(record), "run-3.prof"))
	testkit.That(t, err != nil, "nonsense was recorded")
}

// fakeGStreamer stands in for a GStreamer program: it writes the trace log that its second argument
// names to where it is told to, and ends with the status of the first.
func fakeGStreamer() {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(99)
		}
	}
	in, err := os.Open(os.Args[2])
	fail(err)
	log, err := feed.Uncompressed(in)
	fail(err)
	trace, err := os.OpenFile(os.Getenv("GST_DEBUG_FILE"), os.O_WRONLY|os.O_CREATE, 0o600)
	fail(err)
	_, err = io.Copy(trace, log)
	fail(err)
	fail(trace.Close())
	typed, err := io.ReadAll(os.Stdin)
	fail(err)
	fmt.Printf("typed: %s", typed)
	fmt.Fprintf(os.Stderr, "tracers: %s\ndebug: %s\ncolor: %s\n", os.Getenv("GST_TRACERS"), os.Getenv("GST_DEBUG"), os.Getenv("GST_DEBUG_NO_COLOR"))
	status, _ := strconv.Atoi(os.Args[1])
	os.Exit(status)
}

// A real pipeline is followed to its end.
func TestRealPipeline(t *testing.T) {
	testkit.Program(t, "gst-launch-1.0")
	kept := filepath.Join(t.TempDir(), "kept.log")
	out, _ := executed(t, exitOK, "gst", "--report", "--keep", kept, "--", "gst-launch-1.0", "videotestsrc", "num-buffers=30", "!", "videoconvert", "!", "fakesink")
	for _, want := range []string{`Got EOS from element`, `(?m)^Number of Elements: 3$`, `(?m)^Number of Buffers passed: 60$`, `(?m)^Latency Statistics:$`, `videotestsrc0\.src\|.*fakesink0\.sink: mean=`,
		`(?m)^Number of unreadable Entries: 0$`} {
		testkit.That(t, regexp.MustCompile(want).MatchString(out), "no %q in\n%s", want, out)
	}
	// The summary of what was kept is that of the official program.
	if _, err := exec.LookPath("gst-stats-1.0"); err == nil {
		official := testkit.Must(exec.Command("gst-stats-1.0", kept).Output())(t)
		compat, _ := executed(t, exitOK, "report", "--compat", kept)
		// The order of threads, elements and pads is that of a hash table there.
		lines := func(s string) []string {
			all := strings.Split(strings.TrimSpace(s), "\n")
			slices.Sort(all)
			return all
		}
		testkit.That(t, slices.Equal(lines(compat), lines(string(official))), "got\n%s\nwant\n%s", compat, official)
	} else {
		t.Log("there is no gst-stats-1.0 to compare with")
	}
	// One that fails ends with its status.
	_, errs := executed(t, 1, "gst", "--report", "--", "gst-launch-1.0", "no-such-element")
	testkit.That(t, !strings.Contains(errs, "exit status") && strings.Contains(errs, "no-such-element"), "%s", errs)
}

// A program without GStreamer in it ends with its own exit status, and it is said that there is
// nothing to show.
func TestProgramsWithoutATrace(t *testing.T) {
	for _, c := range []struct {
		script string
		status int
	}{{"echo hi", 0}, {"exit 3", 3}} {
		if _, err := exec.LookPath("sh"); err != nil {
			t.Skip("there is no sh on this machine")
		}
		var out, errs bytes.Buffer
		code := Execute([]string{"gst", "--report", "--", "sh", "-c", c.script}, &out, &errs)
		testkit.That(t, code == c.status, "%s: exit status %d, want %d; %s", c.script, code, c.status, &errs)
		testkit.That(t, strings.Contains(errs.String(), "the program wrote no trace"), "%s: said %q", c.script, &errs)
		testkit.That(t, c.status != 0 || out.String() == "hi\n", "printed %q", &out)
	}
}
