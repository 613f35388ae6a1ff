package launch

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/follow"
	"framescope/net/puffin"
	"framescope/net/tracy"
)

// replay is what a viewer got of puffin_http, in the pieces in which it came.
func replay(t *testing.T) (pieces [][]byte) {
	t.Helper()
	data := recordings.Read(t, recordings.Puffin, "http_join_late.puffinstream")
	var arrivals [][2]float64
	testkit.NoErr(t, json.Unmarshal(recordings.Read(t, recordings.Puffin, "http_join_late.arrival.json"), &arrivals))
	from := 0
	for _, a := range arrivals {
		pieces = append(pieces, data[from:int(a[1])])
		from = int(a[1])
	}
	testkit.MustThat(t, from == len(data) && len(pieces) >= 10,
		"%d pieces of %d bytes, of %d", len(pieces), from, len(data))
	return pieces
}

// rustProgram listens as puffin_http does, and sends what the test says to each that connects.
type rustProgram struct {
	addr  string
	conns chan net.Conn
	l     net.Listener
}

func newRustProgram(t *testing.T, addr string) *rustProgram {
	t.Helper()
	conns := make(chan net.Conn, 1)
	l := accepting(t, addr, func(c net.Conn) { conns <- c })
	return &rustProgram{l.Addr().String(), conns, l}
}

// send sends pieces to whoever connects next, and returns the connection.
func (p *rustProgram) send(t *testing.T, pieces ...[]byte) net.Conn {
	t.Helper()
	select {
	case c := <-p.conns:
		t.Cleanup(func() { c.Close() })
		for _, b := range pieces {
			testkit.Must(c.Write(b))(t)
		}
		return c
	case <-time.After(patience):
		t.Fatal("nobody connects")
		return nil
	}
}

// soon waits hardly at all.
func soon(ctx context.Context, _ time.Duration) error {
	time.Sleep(time.Millisecond)
	return ctx.Err()
}

// asFile is what a session is when the same bytes are read from a file.
func asFile(t *testing.T, pieces [][]byte) *store.Session {
	t.Helper()
	k := &feedtest.Into{Session: store.NewSession()}
	s := puffin.Source{}.NewStream(k, feed.StreamOptions{Name: "it"})
	testkit.Must(s.Write(slices.Concat(pieces...)))(t)
	s.Close("")
	return k.Session
}

// content is what a session has of each thread: scopes, and frames with their times.
func content(s *store.Session) string {
	var b strings.Builder
	for id := range model.TrackID(s.NumTracks()) {
		tr := s.Track(id)
		fmt.Fprintf(&b, "%s: %d scopes, %d frames, %d missing\n", tr.Title(), tr.NumSpans(), tr.NumFrames(), tr.Missing())
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			fmt.Fprintf(&b, " %d %d-%d", f.Number, f.Begin, f.End)
		}
	}
	return b.String()
}

func frames(s *store.Session) int {
	if t := s.Track(s.MainTrack()); t != nil {
		return t.NumFrames()
	}
	return 0
}

// A program is waited for; what it sends, in the pieces in which it once came, becomes what a file
// of it is; the tape has the bytes as they came.
func TestPuffinIsWaitedFor(t *testing.T) {
	pieces := replay(t)
	other := occupy(t)
	addr := other.Addr().String()
	other.Close()
	v := view(t, &Puffin{Polled{Addr: addr, wait: soon}})
	state := func(want string) {
		t.Helper()
		v.until(t, want, func() bool { r, _ := v.entry(0); _, why := r.State(); return why == want })
	}
	state(pollNobody)
	p := newRustProgram(t, addr)
	c := p.send(t)
	state(puffinNothing)
	for _, b := range pieces {
		c.Write(b)
	}
	want := asFile(t, pieces)
	v.until(t, "all frames", func() bool { _, s := v.entry(0); return frames(s) == frames(want) })
	state("connected")
	p.l.Close() // else the next try is taken before anybody reads what became of this one
	c.Close()
	state(puffinClosed)
	if r, s := v.entry(0); content(s) != content(want) {
		t.Errorf("live:\n%s\nas a file:\n%s", content(s), content(want))
	} else if data, _ := kept(r); data != string(slices.Concat(pieces...)) || r.Tape().(*tape).info.Source != "puffin" {
		t.Errorf("%d bytes are kept, of %+v", len(data), r.Tape().(*tape).info)
	}
	r, _ := v.entry(0)
	r.Stop()
	testkit.NoErr(t, v.result(t))
	why := v.over(t, 0)
	testkit.That(t, why == "disconnected" || why == "closed", "ended: %q", why)
}

// A connection that is lost within a message is made again: what had come is kept, what is missing
// is a gap in the numbers, and it stays one session. A program that begins anew is another.
func TestPuffinComesAgain(t *testing.T) {
	data := slices.Concat(replay(t)...)
	var messages [][]byte
	var m puffin.Messages
	m.Connected()
	testkit.OK(t, m.Write(data, func(b []byte, _ bool) error { messages = append(messages, slices.Clone(b)); return nil }))
	p := newRustProgram(t, "127.0.0.1:0")
	v := view(t, &Puffin{Polled{Addr: p.addr, wait: soon}})
	all := func(list [][]byte) []byte { return slices.Concat(list...) }
	p.send(t, all(messages[:40]), messages[40][:100]).Close()
	p.send(t, all(messages[45:])).Close()
	v.until(t, "the gap", func() bool { _, s := v.entry(0); return frames(s) == len(messages)-5 })
	_, s := v.entry(0)
	testkit.Equal(t, s.Track(s.MainTrack()).Missing(), 5, "frames are missing")
	if n, lines := s.Losses(); n[model.LossTruncated] != 1 || !strings.Contains(strings.Join(lines, "\n"), "lost within a frame: 100 bytes") {
		t.Errorf("losses %v, %q", n, lines)
	}
	// What listens takes the next try at once, so that either may be said by now.
	v.until(t, "word of the end", func() bool {
		r, _ := v.entry(0)
		state, why := r.State()
		return state == follow.Waiting && why == puffinClosed || state == follow.Following && why == puffinNothing
	})
	p.send(t, all(messages[:30])).Close()
	v.until(t, "the other run", func() bool { _, s := v.entry(1); return frames(s) == 30 })
	testkit.Equal(t, v.over(t, 0), "the program was started again", "the first ended")
	r, _ := v.entry(1)
	testkit.That(t, r.Name == p.addr+" (2)", "the second is %q", r.Name)
}

// What is no puffin_http ends it, and says so; what came before stays.
func TestPuffinOfOthers(t *testing.T) {
	pieces := replay(t)
	for name, c := range map[string]struct {
		bytes  []byte
		frames int
		want   string
	}{
		"text":      {[]byte("HTTP/1.1 400 Bad Request\r\n"), 0, "byte 0: unknown protocol version 21576: Framescope reads versions 1 and 2 of puffin_http"},
		"newer":     {append(slices.Concat(pieces[:20]...), "\x02\x00PFD7"...), 19, "written by a newer puffin"},
		"too old":   {[]byte("\x01\x00PFD0...."), 0, "so old"},
		"too large": {[]byte("\x02\x00PFD4\xff\xff\xff\xff...."), 0, "not a frame"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newRustProgram(t, "127.0.0.1:0")
			v := view(t, &Puffin{Polled{Addr: p.addr, wait: soon}})
			p.send(t, c.bytes)
			err := v.result(t)
			testkit.MustThat(t, err != nil && strings.HasPrefix(err.Error(), p.addr+": ") &&
				strings.Contains(err.Error(), c.want), "error %v", err)
			testkit.Equal(t, v.over(t, 0), err.Error(), "ended")
			r, s := v.entry(0)
			testkit.That(t, r.Problem() != nil && frames(s) >= c.frames,
				"problem %v, %d frames", r.Problem(), frames(s))
		})
	}
	testkit.Fails(t, (&Puffin{Polled{Addr: "no machine:1"}}).Connect(t.Context()), "unknown host")
}

// Where nobody listens, or who does sends nothing, whoever leaves with the program gets an error that
// says what to do; a window goes on looking.
func TestNobodyThere(t *testing.T) {
	other := occupy(t)
	addr := other.Addr().String()
	other.Close()
	waits := 0
	polled := Polled{Addr: addr, Leaves: true, wait: func(ctx context.Context, _ time.Duration) error { waits++; return ctx.Err() }}
	profiles := polled
	profiles.What = "heap"
	for want, c := range map[string]struct {
		in    Input
		tries int
	}{
		`import _ "net/http/pprof"`: {&GoProgram{Polled: polled}, pollTries},
		`go http.ListenAndServe`:    {&Profiles{Polled: profiles}, pollTries},
		"puffin_http::Server::new":  {&Puffin{polled}, startTries},
	} {
		waits = 0
		_, err := Collect(t.Context(), c.in, nil)
		testkit.That(t, err != nil && strings.HasPrefix(err.Error(), "no program at "+addr+": ") &&
			strings.Contains(err.Error(), want) && strings.Contains(err.Error(), "refused") && waits == c.tries-1,
			"%v, after %d waits", err, waits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	polled.wait = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	_, err := Collect(ctx, &Puffin{polled}, nil)
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), "no program at "+addr+": "), "interrupted: %v", err)
	ctx, cancel = context.WithCancel(t.Context())
	waits = 0
	polled.Leaves, polled.wait = false, func(ctx context.Context, _ time.Duration) error {
		if waits++; waits == 3*startTries {
			cancel()
		}
		return ctx.Err()
	}
	_, err = Collect(ctx, &Puffin{polled}, nil)
	testkit.That(t, err == nil && waits == 3*startTries, "a window: %v, after %d waits", err, waits)
}

// A program that was there and sent nothing is told apart from none.
func TestNothingCame(t *testing.T) {
	p := newRustProgram(t, "127.0.0.1:0")
	ctx, cancel := context.WithCancel(t.Context())
	in := &Puffin{Polled{Addr: p.addr, Leaves: true, wait: func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }}}
	go func() { (<-p.conns).Close() }()
	_, err := Collect(ctx, in, nil)
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), "the program at "), "%v", err)
}

// tracyProgram listens as the Tracy client does: it takes one greeting, of its version, and answers what it sent a
// viewer before. What it was asked comes when the conversation is over.
func tracyProgram(t *testing.T, version uint32, data []byte) (addr string, asked chan []byte) {
	t.Helper()
	asked = make(chan []byte, 1)
	var served atomic.Bool
	l := accepting(t, "127.0.0.1:0", func(c net.Conn) {
		defer c.Close()
		c.SetDeadline(time.Now().Add(patience))
		hello := make([]byte, 12)
		if _, err := io.ReadFull(c, hello); served.Load() {
			return
		} else if err != nil || string(hello[:8]) != "TracyPrf" {
			t.Errorf("greeted with %q: %v", hello, err)
			return
		}
		if binary.LittleEndian.Uint32(hello[8:]) != version {
			c.Write([]byte{tracy.StatusMismatch})
			return
		}
		if served.Swap(true) {
			return // it is gone: whoever tries again finds nobody
		}
		c.Write(data[len(hello):])
		var got []byte
		for buf := make([]byte, 13); ; { // until the farewell
			if _, err := io.ReadFull(c, buf); err != nil {
				t.Errorf("no farewell: %v", err)
				break
			}
			if got = append(got, buf...); buf[0] == 0 {
				break
			}
		}
		asked <- got
	})
	return l.Addr().String(), asked
}

// TestTracy connects to programs of several versions: what they send is what a file of it has, the questions are those
// of its version, and a program that ends is let go.
func TestTracy(t *testing.T) {
	for name, version := range map[string]uint32{"game-0.10": 64, "game-0.12": 74, "game-0.14": 82} {
		t.Run(name, func(t *testing.T) {
			data := recordings.Read(t, recordings.Tracy, name+".tracystream")
			addr, asked := tracyProgram(t, version, data)
			v := view(t, &Tracy{Polled{Addr: addr, wait: soon}})
			got := <-asked
			testkit.That(t, len(got) > 20*13 && got[len(got)-13] == 0, "asked %d bytes", len(got))
			v.until(t, "all frames", func() bool { _, s := v.entry(0); return frames(s) == 39 })
			testkit.Equal(t, v.over(t, 0), "the program has ended", "it ended")
			_, s := v.entry(0)
			main, info := s.Track(s.MainTrack()), s.Info()
			testkit.That(t, main.Title() == "Main thread" && strings.HasPrefix(info.Version, "Tracy "+name[5:]),
				"%s of %+v", main.Title(), info)
		})
	}
}

// TestTracyOfAnotherVersion connects to a program of a version that Framescope does not know.
func TestTracyOfAnotherVersion(t *testing.T) {
	addr, _ := tracyProgram(t, 99, nil)
	v := view(t, &Tracy{Polled{Addr: addr, wait: soon}})
	err := v.result(t)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "another version of Tracy's protocol; Framescope knows 82 (Tracy 0.14)"),
		"%v", err)
}

// TestMain lets the test program stand in for a GStreamer program: FAKE_PROGRAM says what it does.
func TestMain(m *testing.M) {
	if what := os.Getenv("FAKE_PROGRAM"); what != "" {
		os.Exit(fake(what))
	}
	Pause = func(ctx context.Context, d time.Duration) error { return flare.Pause(ctx, d/4) }
	os.Exit(testkit.SideBySide(m))
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
			testkit.Equal(t, v.over(t, 0), "with status 42", "ended")
			got := linesOf(s)
			if !strings.HasPrefix(got, first+"line 0 of many\n") || !strings.HasSuffix(got, "line 2999 of many\nthe last\n") || strings.Count(got, "\n") != 3004 {
				t.Errorf("%d lines", strings.Count(got, "\n"))
			}
			data, ended := kept(r)
			testkit.That(t, data == got && ended, "kept %d bytes of %d, ended %v", len(data), len(got), ended)
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
	p.status.Store(128 + int64(syscall.SIGSEGV))
	testkit.Equal(t, p.ending(), "by a signal: segmentation fault", "crashed")
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
