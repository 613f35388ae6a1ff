package launch

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
	"framescope/net/pstats/decode"
)

func TestFileThatGrows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "the.log")
	v := view(t, File{Path: path, Registry: registry})
	v.until(t, "a session that waits", func() bool {
		r, _ := v.entry(0)
		state, why := r.State()
		return state == follow.Waiting && why == "the file is not there yet"
	})
	write(t, path, "tiny\non")
	v.lines(t, 0, "tiny\n")
	appendTo(t, path, "e\ntwo\n")
	v.lines(t, 0, "tiny\none\ntwo\n")
	r, _ := v.entry(0)
	state, _ := r.State()
	testkit.That(t, state == follow.Following && r.Path == path && r.Wait, "%+v", r)
	saved := filepath.Join(t.TempDir(), "saved")
	err := r.Save(saved)
	testkit.That(t, err == nil && read(t, saved) == "tiny\none\ntwo\n", "saved %q, %v", read(t, saved), err)

	// Cut off and begun anew it is another session.
	testkit.NoErr(t, os.Truncate(path, 0))
	got := v.over(t, 0)
	testkit.That(t, strings.Contains(got, "the file was cut"), "ended because %q", got)
	appendTo(t, path, "tiny\nagain\n")
	v.lines(t, 1, "tiny\nagain\n")
	if r, _ := v.entry(1); r.Name != path+" (2)" {
		t.Errorf("the second is called %q", r.Name)
	}

	// Closed by the user it ends.
	r, _ = v.entry(1)
	r.Stop()
	testkit.NoErr(t, v.result(t))
	v.over(t, 1)
}

func TestFileThatIsNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "text")
	write(t, path, strings.Repeat("nothing that is known\n", 5000))
	v := view(t, File{Path: path, Registry: registry})
	testkit.Fails(t, v.result(t), "it follows: tiny recording")
	r, _ := v.entry(0)
	reason := v.over(t, 0)
	testkit.That(t, r.Problem() != nil && reason == r.Problem().Error(), "ended because of %q, %v", reason, r.Problem())
	// One that must be whole says what to do.
	v = view(t, File{Path: "../../testdata/pstats/nested.pstats", Registry: feed.Registry{decode.Source{}, tiny{}}})
	testkit.Fails(t, v.result(t), "a PStats session can be opened only when it is whole: open it without --follow")
}

// stdin makes a pipe standard input for a test.
func stdin(t *testing.T) (w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	testkit.NoErr(t, err)
	before := os.Stdin
	os.Stdin = r
	t.Cleanup(func() { os.Stdin = before; r.Close(); w.Close() })
	return w
}

func TestStandardInput(t *testing.T) {
	w := stdin(t)
	v := view(t, File{Path: "-", Registry: registry})
	w.WriteString("tiny\none\n")
	v.lines(t, 0, "tiny\none\n")
	w.WriteString("two\n")
	w.Close()
	testkit.NoErr(t, v.result(t))
	v.over(t, 0)
	v.lines(t, 0, "tiny\none\ntwo\n")
	r, _ := v.entry(0)
	data, ended := kept(r)
	testkit.That(t, data == "tiny\none\ntwo\n" && ended, "kept %q, ended %v", data, ended)
	k := r.Tape().(*tape)
	testkit.That(t, k.info.Source == "tiny" && k.info.Peer == StandardInput, "kept as %+v", k.info)
	err := r.Save(filepath.Join(t.TempDir(), "saved"))
	testkit.That(t, errors.Is(err, ErrNoCopy), "saved: %v", err)
}

// What can only be read when it is whole is read when standard input ends.
func TestStandardInputThatMustBeWhole(t *testing.T) {
	w := stdin(t)
	data := testkit.Must(os.ReadFile("../../testdata/pstats/nested.pstats"))(t)
	v := view(t, File{Path: "-", Registry: feed.Registry{tiny{}, decode.Source{}}})
	half := make(chan struct{})
	go func() {
		w.Write(data[:len(data)/2])
		<-half
		w.Write(data[len(data)/2:])
		w.Close()
	}()
	v.until(t, "word of what comes", func() bool {
		r, _ := v.entry(0)
		_, why := r.State()
		return strings.HasPrefix(why, "a PStats session is read at its end; ") && strings.HasSuffix(why, " KiB so far") && r.AtEnd() == why
	})
	close(half)
	testkit.NoErr(t, v.result(t))
	v.over(t, 0)
	r, s := v.entry(0)
	testkit.That(t, s.NumTracks() == 1 && s.Track(0).NumFrames() == 200, "%d tracks", s.NumTracks())
	saved := filepath.Join(t.TempDir(), "saved")
	err := r.Save(saved)
	testkit.That(t, err == nil && read(t, saved) == string(data), "saved: %v", err)
	r.Forget()
	if err := r.Save(saved); !errors.Is(err, ErrNoCopy) || len(v.tapes) > 0 {
		t.Errorf("saved what was forgotten: %v; %d tapes", err, len(v.tapes))
	}
}

// It is read when the writer of a FIFO closes it, too, each time; and none of it is dropped though
// a FIFO's feed is one that drops when much comes.
func TestFIFOThatMustBeWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := follow.MakeFIFO(path); err != nil {
		t.Skip(err)
	}
	data := testkit.Must(os.ReadFile("../../testdata/pstats/nested.pstats"))(t)
	v := view(t, File{Path: path, Registry: feed.Registry{tiny{}, decode.Source{}}})
	v.hub.SetLimit(1) // of what waits in feeds: one batch
	for i := range 2 {
		wrote := make(chan error, 1)
		go func() { wrote <- os.WriteFile(path, data, 0) }()
		v.over(t, i)
		testkit.NoErr(t, <-wrote)
		r, s := v.entry(i)
		testkit.That(t, s.NumTracks() == 1 && s.Track(0).NumFrames() == 200 && r.Problem() == nil,
			"recording %d: %d tracks, %v: %s", i, s.NumTracks(), r.Problem(), v.words())
		r.Forget()
	}
	v.stop()
	testkit.NoErr(t, v.result(t))
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "there.log"), "tiny\nthere\n")
	v := view(t, Folder{Path: dir, Registry: registry, Newest: 1})
	v.lines(t, 0, "tiny\nthere\n")
	write(t, filepath.Join(dir, "notes.txt"), "something else\n")
	write(t, filepath.Join(dir, "new.log"), "tiny\nnew\n")
	v.lines(t, 1, "tiny\nnew\n")
	appendTo(t, filepath.Join(dir, "there.log"), "more\n")
	v.lines(t, 0, "tiny\nthere\nmore\n")
	r, _ := v.entry(1)
	testkit.That(t, r.Name == "new.log" && r.Path == filepath.Join(dir, "new.log"), "%+v", r)
	r.Stop()
	v.over(t, 1)
	appendTo(t, filepath.Join(dir, "there.log"), "the other goes on\n")
	v.lines(t, 0, "tiny\nthere\nmore\nthe other goes on\n")
	v.stop()
	testkit.NoErr(t, v.result(t))
	testkit.Equal(t, len(v.hub.Entries()), 2, "recordings")
	v.over(t, 0)
}

func TestListener(t *testing.T) {
	t.Parallel()
	l := testkit.Must(Listen(t.Context(), "localhost:0", tiny{}))(t)
	testkit.Refused(Listen(t.Context(), l.Addr(), tiny{}))(t, "is taken", "--addr HOST:PORT")
	_, err := Listen(t.Context(), "nonsense", tiny{})
	testkit.That(t, err != nil, "a nonsensical address")
	v := view(t, l)
	connect := func() net.Conn {
		c := testkit.Must(net.Dial("tcp", l.Addr()))(t)
		return c
	}
	connect().Close() // one that sends nothing makes no session
	a, b := connect(), connect()
	a.Write([]byte("tiny\na\n"))
	v.lines(t, 0, "tiny\na\n")
	b.Write([]byte("tiny\nb\n"))
	v.lines(t, 1, "tiny\nb\n")
	a.Write([]byte("a again\n"))
	v.lines(t, 0, "tiny\na\na again\n")
	a.Close()
	testkit.Equal(t, v.over(t, 0), "the program hung up", "ended because")
	// Closing a session hangs up.
	r, _ := v.entry(1)
	testkit.Equal(t, r.Name, clientName(tiny{}, b.LocalAddr().String()), "called")
	r.Stop()
	v.over(t, 1)
	n, err := b.Read(make([]byte, 1))
	testkit.That(t, n == 0 && err != nil, "the connection is still there")
	c := connect()
	c.Write([]byte("tiny\nc\n"))
	v.lines(t, 2, "tiny\nc\n")
	v.stop()
	testkit.NoErr(t, v.result(t))
	v.over(t, 2)
	if c, err := net.Dial("tcp", l.Addr()); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

func TestCollect(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none")
	c, err := Collect(t.Context(), failing{}, nil)
	testkit.That(t, errors.Is(err, errFailing) && len(c.Sessions) == 1 &&
		linesOf(c.Sessions[0]) == "tiny\nbefore it failed\n", "%+v %v", c, err)
	testkit.That(t, !IsStream(path) && IsStream("-") && IsStream(os.DevNull), "IsStream")
}

// A session that another viewer writes is followed to its end.
func TestSessionFolderIsFollowed(t *testing.T) {
	t.Parallel()
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	defer root.Close()
	w := root.Create(journal.Meta{Source: "gsttrace", Peer: "pipe"}, journal.Options{Flush: time.Millisecond})
	line := "0:00:00.1 123 0x55 TRACE GST_TRACER :0:: proc-rusage, thread-id=(guint64)1, ts=(guint64)100, average-cpuload=(uint)5, current-cpuload=(uint)5, time=(guint64)1;\n"
	w.Data([]byte(line))
	testkit.NoErr(t, w.Flush())
	s := store.NewSession()
	var rec *Recording
	opened, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Session{Path: w.Path(), Source: load.Journals{}}.Run(t.Context(), func(r *Recording) feed.Sink {
			rec = r
			close(opened)
			return &feedtest.Into{Session: s}
		})
	}()
	<-opened
	state, _ := rec.State()
	testkit.That(t, state == follow.Following, "state %v", state)
	w.Data([]byte(line))
	w.Close("the pipeline ended")
	select {
	case err := <-done:
		testkit.NoErr(t, err)
	case <-time.After(30 * time.Second):
		t.Fatal("the end was not noticed")
	}
	reason, ended := s.Ended()
	testkit.That(t, ended && reason == "the pipeline ended", "ended %v: %q", ended, reason)
	state, _ = rec.State()
	testkit.That(t, state == follow.Ended, "state %v", state)
	if err := w.Wait(time.Minute); err != nil { // the end is read before the writer is done
		t.Error(err)
	}
}

// tiny is a source of lines of text, the first of which is "tiny". Each line becomes a collector.
type tiny struct{}

func (tiny) Kind() string                                      { return "tiny" }
func (tiny) Name() string                                      { return "tiny recording" }
func (tiny) About() feed.About                                 { return feed.About{Title: "tiny"} }
func (tiny) Sniff(head []byte, _ string) bool                  { return bytes.HasPrefix(head, []byte("tiny\n")) }
func (tiny) OpenFile(context.Context, string, feed.Sink) error { return nil }
func (tiny) NewStream(s feed.Sink, o feed.StreamOptions) feed.Stream {
	s.Define(model.Info{Source: "tiny", Program: o.Program, Peer: o.Name, PID: -1})
	return &tinyStream{sink: s}
}

type tinyStream struct {
	sink feed.Sink
	line []byte
	n    model.CollectorID
}

func (s *tinyStream) Write(p []byte) (int, error) {
	for _, b := range p {
		if b != '\n' {
			s.line = append(s.line, b)
			continue
		}
		if string(s.line) == "nonsense" {
			return 0, errors.New("it is nonsense")
		}
		s.n++
		s.sink.Define(model.CollectorDef{ID: s.n, Name: string(s.line)})
		s.line = s.line[:0]
		if !s.sink.Publish(s.sink.Begin()) {
			return 0, feed.ErrCancelled
		}
	}
	return len(p), nil
}
func (s *tinyStream) Idle()               {}
func (s *tinyStream) Close(reason string) { s.sink.Define(model.End{Reason: reason}) }

// linesOf returns what a session of a tiny recording has got.
func linesOf(s *store.Session) string {
	var b strings.Builder
	for i := 1; i < s.Collectors().Len(); i++ {
		b.WriteString(s.Collector(model.CollectorID(i)).Name + "\n")
	}
	return b.String()
}

// viewer takes what an input brings in, as a viewer does.
type viewer struct {
	hub   *feed.Hub
	store *store.Store
	ended chan error
	stop  context.CancelFunc

	mu    sync.Mutex
	tapes []*tape
	// patient is that of tapes.
	patient func(stop <-chan struct{})
}

// tape is what keeps a recording, in memory.
type tape struct {
	info journal.Meta

	mu   sync.Mutex
	data []byte
	full bool // takes no more
	// patient is AwaitRoom; nil: there is room.
	patient func(stop <-chan struct{})
	ended   bool
	why     string
}

func (*tape) Define(string, []byte) bool { return true }
func (*tape) NeedsDefinitions() bool     { return false }

func (k *tape) Data(p []byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.full {
		k.data = append(k.data, p...)
	}
	return !k.full
}

// AwaitRoom implements journal.Patient.
func (k *tape) AwaitRoom(stop <-chan struct{}, _ int) {
	if k.patient != nil {
		k.patient(stop)
	}
}

func (k *tape) Close(reason string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended, k.why = true, reason
}

// newTape makes what keeps a recording.
func (v *viewer) newTape(info journal.Meta) journal.Tape {
	v.mu.Lock()
	defer v.mu.Unlock()
	k := &tape{info: info, patient: v.patient}
	v.tapes = append(v.tapes, k)
	return k
}

// kept returns what the tape of a recording got, and whether it has ended.
func kept(r *Recording) (data string, ended bool) {
	k, ok := r.Tape().(*tape)
	if !ok {
		return "", false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(k.data), k.ended
}

func view(t *testing.T, in Input) *viewer {
	t.Helper()
	v := &viewer{hub: feed.NewHub(), store: &store.Store{}, ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	v.stop = cancel
	go func() {
		v.ended <- in.Run(ctx, func(r *Recording) feed.Sink {
			r.NewTape = v.newTape
			return v.hub.NewFeed(feed.Options{Live: true, Wait: r.Wait, Owner: r, Name: r.Name})
		})
	}()
	t.Cleanup(func() {
		cancel()
		for _, e := range v.hub.Entries() {
			e.Feed.Owner().(*Recording).Forget()
		}
	})
	return v
}

const patience = 20 * time.Second

// until takes in what comes until a condition holds.
func (v *viewer) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	testkit.WaitUntil(t, what, func() bool {
		for range 20 { // a poll may take no more than one batch
			v.hub.Poll(v.store, time.Second)
			runtime.Gosched()
		}
		return ok()
	}, func() any { return v.words() })
}

func (v *viewer) entry(i int) (*Recording, *store.Session) {
	e := v.hub.Entries()
	if i >= len(e) {
		return &Recording{}, store.NewSession()
	}
	return e[i].Feed.Owner().(*Recording), e[i].Session
}

func (v *viewer) words() string {
	var b strings.Builder
	for i := range v.hub.Entries() {
		r, s := v.entry(i)
		state, why := r.State()
		reason, over := s.Ended()
		b.WriteString("\n" + r.Name + ": " + state.String() + " " + why + ": " + linesOf(s))
		if over {
			b.WriteString("ended " + reason)
		}
	}
	return b.String()
}

// lines waits until a session has got these lines and nothing more.
func (v *viewer) lines(t *testing.T, i int, want string) {
	t.Helper()
	v.until(t, want, func() bool {
		_, s := v.entry(i)
		return linesOf(s) == want
	})
}

// over waits until a session has ended, and returns why.
func (v *viewer) over(t *testing.T, i int) (reason string) {
	t.Helper()
	v.until(t, "an end", func() bool {
		_, s := v.entry(i)
		var over bool
		reason, over = s.Ended()
		r, _ := v.entry(i)
		state, _ := r.State()
		return over && state == follow.Ended
	})
	return reason
}

func (v *viewer) result(t *testing.T) error {
	t.Helper()
	var err error
	done := false
	v.until(t, "the end of Run", func() bool {
		select {
		case err = <-v.ended:
			done = true
		default:
		}
		return done
	})
	return err
}

var registry = feed.Registry{tiny{}}

// accepting listens until the test ends, and does something with each connection in turn.
func accepting(t *testing.T, addr string, each func(c net.Conn)) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	testkit.NoErr(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			each(c)
		}
	}()
	return l
}

func write(t *testing.T, path, text string) {
	t.Helper()
	testkit.NoErr(t, os.WriteFile(path, []byte(text), 0o600))
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	testkit.Must(f.WriteString(text))(t)
	testkit.NoErr(t, f.Close())
}

func read(t *testing.T, path string) string {
	t.Helper()
	data := testkit.Must(os.ReadFile(filepath.Clean(path)))(t)
	return string(data)
}

// failing is an input that fails after a while.
type failing struct{}

var errFailing = errors.New("it failed")

func (failing) Title() string { return "failing" }
func (failing) Run(ctx context.Context, open Opener) error {
	r := &recorder{ctx: ctx, open: open, name: "failing", reg: registry}
	r.Write([]byte("tiny\nbefore it failed\n"))
	r.Idle()
	return r.followed(errFailing)
}
