package decode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/journaltest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// calls is a Handler that writes down what it is called with.
type calls struct{ lines []string }

func (c *calls) add(format string, args ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
}

func (c *calls) Hello(h pstats.ClientHello) { c.add("hello %+v", h) }
func (c *calls) Collectors(defs []pstats.CollectorDef) {
	for _, d := range defs {
		c.add("collector %+v", d)
	}
}
func (c *calls) Threads(first int, names []string) {
	for i, name := range names {
		c.add("thread %d %q", first+i, name)
	}
}
func (c *calls) Expire(thread int) { c.add("expire %d", thread) }
func (c *calls) Frame(f *pstats.Frame, bytes int) {
	c.add("frame %d %d: %v %v, %d bytes", f.Thread, f.Number, f.Events, f.Levels, bytes)
}
func (c *calls) Lost(l model.Loss)   { c.add("lost %+v", l) }
func (c *calls) Close(reason string) { c.add("close %q", reason) }

// memoryRoot returns a root in memory.
func memoryRoot(t testing.TB, o journal.RootOptions) *journal.Root {
	o.FS = journaltest.NewMemory()
	root := journal.OpenRoot("/sessions", o)
	t.Cleanup(root.Close)
	return root
}

// kept ends a session and opens its journal.
func kept(t testing.TB, w *journal.Writer, open func(path string) (*journal.Reader, error)) *journal.Reader {
	t.Helper()
	w.Close("done")
	testkit.OK(t, w.Wait(time.Minute))
	r := testkit.Must(open(w.Path()))(t)
	t.Cleanup(r.Close)
	return r
}

// TestJournalKeepsCaptures keeps every capture in a journal, a folder and a file, and demands the
// same session file that the frames in memory give.
func TestJournalKeepsCaptures(t *testing.T) {
	for _, name := range pstatstest.Captures {
		t.Run(name, func(t *testing.T) {
			data := pstatstest.Bytes(t, name+".pscap")
			raw := sessionfile.NewRaw()
			pstatstest.Replay(t, data, raw)
			want := pstatstest.Written(t, raw.WriteSession)
			dir := t.TempDir()
			root := journal.OpenRoot(filepath.Join(dir, "sessions"), journal.RootOptions{})
			defer root.Close()
			file := filepath.Join(dir, "run.pstats")
			for _, w := range []*journal.Writer{
				root.Create(journal.Meta{Source: JournalSource}, journal.Options{SegmentBytes: 64 << 10}),
				journal.CreateFile(file, journal.Meta{Source: JournalSource}, journal.Options{}),
			} {
				pstatstest.Replay(t, data, NewEncoder(w))
				testkit.OK(t, w.Wait(time.Minute))
				to := filepath.Join(dir, "sub", "saved.pstats")
				if w.Path() == file {
					to = file // the journal becomes the session file
				}
				testkit.OK(t, Export(t.Context(), w.Path(), to))
				got, err := os.ReadFile(to)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: session of %d bytes differs from the %d wanted, %v", w.Path(), len(got), len(want), err)
				}
				left, _ := filepath.Glob(filepath.Join(filepath.Dir(to), "*part*"))
				testkit.That(t, len(left) <= 0, "left: %v", left)
			}
		})
	}
}

// liveCalls draws what a client may send, and hands it to handlers.
func liveCalls(t *rapid.T, h pstats.Handler) {
	h.Hello(pstats.ClientHello{Host: "h", Program: "game", Version: pstats.Version{Major: 3, Minor: 2}, PID: 7})
	at := map[int]float32{}
	numbers := map[int]uint32{}
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		thread := rapid.IntRange(0, 3).Draw(t, "thread")
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			i := rapid.Int16Range(-1, 6).Draw(t, "collector")
			h.Collectors([]pstats.CollectorDef{{Index: i, Name: fmt.Sprint("c", i), Parent: 0}, {Index: i + 1, Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), Parent: i}})
		case 1:
			h.Threads(thread, rapid.SliceOfN(rapid.SampledFrom([]string{"Main", "worker", ""}), 1, 3).Draw(t, "names"))
		case 2:
			h.Expire(thread)
		case 3:
			h.Lost(model.Loss{Reason: rapid.SampledFrom([]model.LossReason{model.LossChecksum, model.LossSystem, model.LossStranger}).Draw(t, "reason"), Track: model.NoTrack, N: rapid.Int64Range(1, 5).Draw(t, "n"), Frames: 1, Begin: 5, Detail: "d"})
		case 4: // a thread is used again
			numbers[thread] = 0
			at[thread] += 10
		case 5: // a late frame, or one that came already
			numbers[thread] -= min(numbers[thread], rapid.Uint32Range(1, 5).Draw(t, "back"))
			at[thread] = max(0, at[thread]-3)
		default:
			f := &pstats.Frame{Thread: uint16(thread), Number: numbers[thread], Events: pstatstest.Events("+F@0 +A@.1 -A@.3 -F@.5")}
			for i := range f.Events {
				f.Events[i].Time += at[thread]
			}
			if rapid.Bool().Draw(t, "levels") {
				f.Levels = []pstats.Level{{Collector: 2, Value: 3}}
			}
			h.Frame(f, rapid.IntRange(1, 1000).Draw(t, "bytes"))
			numbers[thread]++
			at[thread]++
		}
	}
	h.Close("the program hung up")
}

// TestJournalIsLive demands that a journal gives a handler what the client gave it, and a decoder
// the session that was live.
func TestJournalIsLive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		fsys := journaltest.NewMemory()
		root := journal.OpenRoot("/sessions", journal.RootOptions{FS: fsys})
		defer root.Close()
		w := root.Create(journal.Meta{Source: JournalSource, Peer: "127.0.0.1:7"}, journal.Options{SegmentBytes: 600, Flush: time.Microsecond})
		live, direct := &pstatstest.Sink{Session: store.NewSession()}, &calls{}
		liveCalls(rt, pstats.Tee(New(live, Options{Peer: "127.0.0.1:7"}), direct, NewEncoder(w)))
		testkit.OK(rt, w.Wait(time.Minute))
		if w.Path() == "" {
			return // no frame came
		}
		again := &calls{}
		r := testkit.Must(journal.OpenOn(fsys, w.Path()))(rt)
		defer r.Close()
		reason, ended, err := Replay(context.Background(), r, again, nil)
		testkit.MustThat(rt, err == nil && ended && reason == "the program hung up", "%v %v %v", reason, ended, err)
		// What was said twice is kept once; frames and losses are all there, in order.
		want, got := withoutRepetition(direct.lines), withoutRepetition(append(again.lines, `close "the program hung up"`))
		testkit.MustThat(rt, slices.Equal(got, want),
			"journal gives\n%s\nbut there was\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		r2 := testkit.Must(journal.OpenOn(fsys, w.Path()))(rt)
		defer r2.Close()
		replayed := &pstatstest.Sink{Session: store.NewSession()}
		stream := NewStream(replayed, r2.Meta())
		for {
			rec, err := r2.Next()
			if err == io.EOF {
				break
			}
			testkit.OK(rt, err)
			stream.Take(&rec)
		}
		stream.Close(reason)
		compareSessions(rt, live.Session, replayed.Session)
	})
}

// compareSessions demands that two sessions are equal but for being a file.
func compareSessions(t interface{ Fatalf(string, ...any) }, live, replayed *store.Session) {
	a, b := live.Info(), replayed.Info()
	if b.File = false; a != b {
		t.Fatalf("info %+v, live %+v", b, a)
	}
	if x, y := feedtest.Outline(live), feedtest.Outline(replayed); x != y {
		t.Fatalf("replayed:\n%s\nlive:\n%s", y, x)
	}
	if x, y := live.Ledger(), replayed.Ledger(); x != y {
		t.Fatalf("replayed %+v\nlive %+v", y, x)
	}
}

// withoutRepetition leaves out definitions that say what was said before.
func withoutRepetition(lines []string) (out []string) {
	said := map[string]string{}
	for _, line := range lines {
		if strings.HasPrefix(line, "collector {Index:-") {
			out = append(out, line)
			continue
		}
		words := strings.SplitN(line, " ", 3)
		key := words[0]
		switch key {
		case "thread":
			key += words[1]
		case "collector":
			key = line[:strings.Index(line, "Name")]
		case "frame", "lost", "expire", "close":
			out = append(out, line)
			continue
		}
		if said[key] == line {
			continue
		}
		said[key] = line
		out = append(out, line)
	}
	return out
}

// TestJournalEviction lets old segments leave: all definitions are there, then the newest frames,
// and what left is told, with the frames that were held back, though some came late.
func TestJournalEviction(t *testing.T) {
	root := memoryRoot(t, journal.RootOptions{Limit: 1 << 20})
	w := root.Create(journal.Meta{Source: JournalSource}, journal.Options{SegmentBytes: 64 << 10, Flush: time.Microsecond})
	e := NewEncoder(w)
	e.Hello(pstats.ClientHello{Program: "game", PID: 1})
	e.Collectors([]pstats.CollectorDef{{Index: 1, Name: "App"}})
	e.Threads(0, []string{"Main"})
	e.Lost(model.Loss{Reason: model.LossStranger, N: 3})
	f := pstatstest.Frame(1000)
	const frames = 2000 // 12 MB
	for n := range frames {
		late := n
		if n%50/2 == 5 { // two change places
			late ^= 1
		}
		f.Number = uint32(late + late/50) // of each 51 one is held back
		e.Frame(f, 6000)
		if n%100 == 0 {
			e.Lost(model.Loss{Reason: model.LossStranger, N: 1})
			w.Flush()
		}
	}
	f.Events = f.Events[:3]
	e.Frame(f, 30) // the last again, shorter
	e.Close("over")
	testkit.OK(t, w.Wait(time.Minute))
	r := kept(t, w, root.Open)
	raw := sessionfile.NewRaw()
	var lost lostCount
	_, _, err := Replay(t.Context(), r, pstats.Tee(raw, &lost), nil)
	testkit.OK(t, err)
	numbers := raw.Numbers(0)
	last := int32(frames - 1 + (frames-1)/50)
	held := int64(numbers[0]) - lost.n[model.LossLeftDisk]
	if int64(len(numbers))+lost.n[model.LossLeftDisk] != frames || numbers[len(numbers)-1] != last || len(numbers) < 50 || lost.n[model.LossStranger] != 23 ||
		held < 20 || lost.n[model.LossNumbers] != held {
		t.Errorf("%d frames, losses %v", len(numbers), lost.n)
	}
	if def, ok := raw.Collector(1); !ok || def.Name != "App" || raw.ThreadName(0) != "Main" || raw.Client().Program != "game" {
		t.Error("definitions were lost with the oldest segment")
	}
	s := w.Stats()
	testkit.That(t, s.Bytes <= 1<<20 && s.Refused <= 0 && s.Evicted.Records == lost.n[model.LossLeftDisk], "%+v", s)
	// Exported it is the same, and the repeated number is there once, as it came last.
	again := testkit.Must(root.Open(w.Path()))(t)
	defer again.Close()
	saved := sessionfile.NewRaw()
	text := pstatstest.Written(t, func(out io.Writer) error {
		_, err := WriteCut(t.Context(), out, again, t.TempDir(), nil, 0)
		return err
	})
	testkit.Must(sessionfile.Read(bytes.NewReader(text), "test", 0, saved, nil))(t)
	testkit.That(t, slices.Equal(saved.Numbers(0), numbers) && len(saved.FrameOf(0, last).Events) == 3,
		"%d frames were saved", len(saved.Numbers(0)))
}

// lostCount counts losses by reason.
type lostCount struct {
	pstatstest.Nothing
	n [model.NumLossReasons]int64
}

func (c *lostCount) Lost(l model.Loss) { c.n[l.Reason] += l.N }

// TestExportSortsOnDisk exports with an index that does not fit into memory, from frames in the
// worst order, and demands what the frames in memory give.
func TestExportSortsOnDisk(t *testing.T) {
	defer func(n int) { maxRefs = n }(maxRefs)
	maxRefs = 7
	fsys := journaltest.NewMemory()
	w := journal.CreateFileOn(fsys, "/run", journal.Meta{Source: JournalSource}, journal.Options{})
	raw := sessionfile.NewRaw()
	h := pstats.Tee(NewEncoder(w), raw)
	h.Threads(0, []string{"Main", "worker"})
	for n := range 200 {
		for thread := range uint16(3) {
			number := uint32(n*89%50 + 100)
			if n%7 == 0 {
				number = -number
			}
			f := &pstats.Frame{Thread: thread, Number: number, Events: []pstats.Event{{Word: 0, Time: 1}, {Word: pstats.StopBit, Time: 1 + float32(n)/1000}}}
			h.Frame(f, 1)
		}
	}
	r := kept(t, w, func(path string) (*journal.Reader, error) { return journal.OpenOn(fsys, path) })
	dir := t.TempDir()
	got := pstatstest.Written(t, func(out io.Writer) error { _, err := WriteCut(t.Context(), out, r, dir, nil, 0); return err })
	want := pstatstest.Written(t, raw.WriteSession)
	testkit.That(t, bytes.Equal(got, want), "session of %d bytes differs from the %d wanted", len(got), len(want))
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) <= 0, "left: %v", left)
}

// TestExportWhileLive exports a session again and again while frames come in.
func TestExportWhileLive(t *testing.T) {
	root := memoryRoot(t, journal.RootOptions{Limit: 2 << 20})
	w := root.Create(journal.Meta{Source: JournalSource}, journal.Options{SegmentBytes: 64 << 10, Flush: time.Millisecond})
	done := make(chan struct{})
	go func() {
		defer close(done)
		e := NewEncoder(w)
		f := pstatstest.Frame(100)
		for n := range testkit.Rounds(6000, 20_000) {
			f.Number = uint32(n)
			e.Frame(f, 1)
			if n%500 == 0 {
				w.Flush() // however slow the disk, its queue takes all
			}
		}
		e.Close("done")
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if w.Flush(); w.Path() == "" {
			continue
		}
		r := testkit.Must(root.Open(w.Path()))(t)
		raw := sessionfile.NewRaw()
		text := pstatstest.Written(t, func(out io.Writer) error { _, err := WriteCut(t.Context(), out, r, "", nil, 0); return err })
		testkit.Must(sessionfile.Read(bytes.NewReader(text), "test", 0, raw, nil))(t)
		r.Close()
		if n := raw.Numbers(0); len(n) > 0 && int(n[len(n)-1]-n[0])+1 != len(n) {
			t.Fatalf("frames %d to %d, but only %d of them", n[0], n[len(n)-1], len(n))
		}
	}
	s := w.Stats()
	testkit.That(t, s.Refused <= 0 && s.Trouble == nil, "%+v", s)
}

func TestExportFails(t *testing.T) {
	dir := t.TempDir()
	for _, from := range []string{filepath.Join(dir, "none"), dir, "../../../testdata/pstats/nested.pstats"} {
		testkit.That(t, Export(t.Context(), from, filepath.Join(dir, "out.pstats")) != nil, "%s was exported", from)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(dir, "run")
	w := journal.CreateFile(file, journal.Meta{Source: JournalSource}, journal.Options{})
	NewEncoder(w).Frame(pstatstest.Frame(3), 1)
	w.Close("")
	w.Wait(time.Minute)
	err := Export(ctx, file, filepath.Join(dir, "out.pstats"))
	testkit.That(t, errors.Is(err, context.Canceled), "cancelled: %v", err)
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 1, "left: %v", left)
}

// TestEncoderAllocatesNothing measures a frame in the steady state.
func TestEncoderAllocatesNothing(t *testing.T) {
	e := NewEncoder(nowhere{})
	f := pstatstest.Frame(200)
	n := testing.AllocsPerRun(1000, func() { e.Frame(f, 1) })
	testkit.That(t, n <= 0, "%v allocations a frame", n)
}

type nowhere struct{}

func (nowhere) Define(string, []byte) bool { return true }
func (nowhere) Data([]byte) bool           { return true }
func (nowhere) NeedsDefinitions() bool     { return false }
func (nowhere) Close(string)               {}

// TestReusedThreadsAreSaved sends what clients before 3.2 send when threads come and go: the same
// index, numbers from the beginning. A saved session must have every frame, in as many threads as
// were on screen.
func TestReusedThreadsAreSaved(t *testing.T) {
	s := &pstatstest.Sink{Session: store.NewSession()}
	raw := sessionfile.NewRaw()
	root := memoryRoot(t, journal.RootOptions{})
	w := root.Create(journal.Meta{Source: JournalSource}, journal.Options{})
	h := pstats.Tee(New(s, Options{}), raw, NewEncoder(w))
	h.Hello(pstats.ClientHello{Program: "game", PID: -1, Version: pstats.Version{Major: 3}})
	h.Threads(0, []string{"Main", "worker"})
	at := float32(1)
	frames := func(thread uint16, n int) {
		for i := range n {
			h.Frame(&pstats.Frame{Thread: thread, Number: uint32(i), Events: []pstats.Event{{Word: 0, Time: at}, {Word: pstats.StopBit, Time: at + 0.5}}}, 0)
			at++
		}
	}
	frames(1, 3)
	frames(1, 5)                                                                                                                     // another worker
	h.Frame(&pstats.Frame{Thread: 1, Number: 7, Events: []pstats.Event{{Word: 0, Time: 3.6}, {Word: pstats.StopBit, Time: 3.7}}}, 0) // of the first worker, late
	h.Frame(&pstats.Frame{Thread: 1, Number: 6, Events: []pstats.Event{{Word: 0, Time: 3.5}, {Word: pstats.StopBit, Time: 3.6}}}, 0) // and before that
	frames(0, 2)
	frames(1, 2) // and another
	h.Expire(0)
	h.Threads(0, []string{"Other"}) // an expired index with another name
	frames(0, 1)
	h.Threads(2, []string{"second"}) // its index was given to a worker
	frames(2, 4)
	h.Close("")

	want := []string{`"Main" 2`, `"worker" 5`, `"worker" 5`, `"worker" 2`, `"Other" 1`, `"second" 4`}
	count := func(s *store.Session) (out []string) {
		for _, tr := range feedtest.Tracks(s) {
			out = append(out, fmt.Sprintf("%q %d", tr.Def.Name, tr.NumFrames()))
		}
		return out
	}
	testkit.NoDiff(t, cmp.Diff(want, count(s.Session)), "live (-want +got)")
	kept := kept(t, w, root.Open)
	saved := pstatstest.Written(t, func(out io.Writer) error { _, err := WriteCut(t.Context(), out, kept, "", nil, 0); return err })
	var b bytes.Buffer
	err := raw.WriteSession(&b)
	testkit.That(t, err == nil && bytes.Equal(b.Bytes(), saved), "journal and raw session differ: %v", err)
	again := &pstatstest.Sink{Session: store.NewSession()}
	decoder := New(again, Options{File: true})
	testkit.Must(sessionfile.Read(bytes.NewReader(saved), "saved", 0, decoder, nil))(t)
	testkit.NoDiff(t, cmp.Diff(want, count(again.Session)), "saved (-want +got)")
}

// starved is a session on disk whose viewer has no room while it says so.
type starved struct {
	*journal.Writer
	root  *journal.Root
	busy  atomic.Bool
	beats int
	fails error
}

func (s *starved) Crowded() bool { return s.busy.Load() }
func (s *starved) Roomy() bool   { return !s.busy.Load() }
func (s *starved) Beat()         { s.beats++ }

func (s *starved) Reopen(since time.Time) (*journal.Reader, error) {
	if s.fails != nil {
		return nil, s.fails
	}
	if err := s.Flush(); err != nil {
		return nil, err
	}
	return s.root.OpenSince(s.Path(), since)
}

// What comes while the viewer has no room is shown later, from the disk, as if it had been there: the frames, the
// definitions and losses between them, and the end.
func TestStarvedViewerLosesNothing(t *testing.T) {
	for _, end := range []string{"live again", "ends starved", "starves twice", "unreadable"} {
		t.Run(end, func(t *testing.T) {
			root := memoryRoot(t, journal.RootOptions{})
			s := &starved{Writer: root.Create(journal.Meta{Source: JournalSource}, journal.Options{}), root: root}
			got, want := &pstatstest.Sink{Session: store.NewSession()}, &pstatstest.Sink{Session: store.NewSession()}
			b := NewBehind(New(got, Options{}), s, s, t.Context().Done())
			both := pstats.Tee(b, New(want, Options{}))
			number := 0
			frames := func(n int) {
				for range n {
					at := float32(number) / 60
					both.Frame(&pstats.Frame{Number: uint32(number), Events: []pstats.Event{
						{Time: at}, {Word: 1, Time: at + 0.001}, {Word: 1 | pstats.StopBit, Time: at + 0.002}, {Word: pstats.StopBit, Time: at + 0.01},
					}}, 100)
					number++
				}
			}
			stall := func() {
				s.busy.Store(true)
				frames(100)
				both.Collectors([]pstats.CollectorDef{{Index: 2, Name: fmt.Sprint("late ", number)}})
				both.Lost(model.Loss{Reason: model.LossChecksum, N: 3, Frames: 3})
				frames(100)
				testkit.Equal(t, b.FramesOnDisk(), 200, "frames that wait on disk")
			}
			both.Hello(pstats.ClientHello{Program: "game"})
			both.Threads(0, []string{"Main"})
			both.Lost(model.Loss{Reason: model.LossChecksum, N: 2, Frames: 2})
			frames(100)
			switch end {
			case "unreadable":
				s.fails = fmt.Errorf("no such disk")
			case "starves twice":
				stall()
				s.busy.Store(false)
				b.reader.Wait()
			}
			stall()
			if end == "ends starved" {
				both.Close("bye")
			}
			s.busy.Store(false)
			b.reader.Wait()
			if end != "ends starved" {
				frames(100)
				both.Close("bye")
			}
			g, w := got.Session.Ledger(), want.Session.Ledger()
			if end == "unreadable" {
				w.Received, w.Ours, w.Missing = w.Received-200, 200, 200
				testkit.Equal(t, g, w, "the account")
				return
			}
			testkit.Equal(t, g, w, "the account")
			compareSessions(t, want.Session, got.Session)
		})
	}
}
