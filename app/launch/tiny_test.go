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

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
)

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
	info TapeInfo

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
func (v *viewer) newTape(info TapeInfo) journal.Tape {
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
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	testkit.NoErr(t, err)
	_, err = f.WriteString(text)
	testkit.NoErr(t, err)
	testkit.NoErr(t, f.Close())
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Clean(path))
	testkit.NoErr(t, err)
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
