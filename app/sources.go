package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"framescope/app/launch"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/widgets"
)

// sources is where sessions come from: the server that games connect to, and files being read.
type sources struct {
	ctx    context.Context
	cancel context.CancelFunc
	// registry has the kinds of recordings that are opened.
	registry feed.Registry
	server   *pstats.Server
	doors    []*launch.Door // on which programs are awaited
	games    *launch.Door   // the one of the server, nil if there is none
	opening  sync.WaitGroup // of doors that were closed
	awaited  string         // what inputs wait for, in words
	several  bool           // recordings were named, and the user has not chosen one of them yet
	work     sync.WaitGroup
	temp     []string // folders with copies of dropped files, removed at the end

	mu        sync.Mutex
	reading   int      // files that are being read
	lines     []string // of the server's log, since the last tick that wrote them
	lineCount int      // of which there were so many
	nextLog   int64
	errs      []error
	followed  []*launch.Recording
	inbox     []func(*Game) // what other goroutines want done on the game loop
}

// opened is the owner of a feed that reads a file.
type opened struct {
	path    string
	journal bool  // it is a session on disk
	part    part  // that is read
	totalNs int64 // of all of the session, as far as it was known; 0: not known
	mu      sync.Mutex
	err     error
	toEnd   bool // the part goes up to the session's end
}

func (o *opened) reachedEnd() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.toEnd
}

func (o *opened) problem() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return o.err.Error()
	}
	return ""
}

// startSources listens and begins to read the files of the options.
func (g *Game) startSources() error {
	s := &g.sources
	s.ctx, s.cancel = context.WithCancel(context.Background())
	var err error
	if s.registry, err = g.opt.Sources.Registry(); err != nil {
		return err
	}
	if err := g.startListening(); err != nil {
		s.cancel()
		return err
	}
	for _, u := range g.opt.Unopened {
		g.unopened(u)
	}
	for _, f := range g.opt.Files {
		g.open(f)
	}
	s.several = len(g.opt.Files)+len(g.opt.Unopened) > 1
	g.library.Recover()
	s.awaited = awaited(g.opt.Inputs)
	for _, in := range g.opt.Inputs {
		g.bringIn(in)
	}
	return nil
}

// unopened makes the session of what could not be opened, which says why.
func (g *Game) unopened(u Unopened) {
	g.hub.NewFeed(feed.Options{Name: u.Path, Owner: &opened{path: u.Path, err: u.Err}}).Define(model.End{Reason: u.Err.Error()})
	g.warn(u.Err)
}

// open reads a recording in the background into a session of its own.
func (g *Game) open(path string) {
	s := &g.sources
	if launch.IsStream(path) {
		g.bringIn(launch.File{Path: path, Registry: s.registry})
		return
	}
	g.read(path, part{}, 0)
}

// read reads a recording, or a part of a session on disk that lasted so long, in the background into a
// session of its own.
func (g *Game) read(path string, p part, totalNs int64) {
	s := &g.sources
	own := &opened{path: path, part: p, totalNs: totalNs, journal: journal.Is(path)}
	f := g.hub.NewFeed(feed.Options{Name: path, Owner: own})
	s.mu.Lock()
	s.reading++
	s.mu.Unlock()
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		err := g.openPart(s.ctx, own, f)
		cancelled := f.Stats().Cancelled // the user closed it
		if err != nil && !cancelled {
			own.mu.Lock()
			own.err = err
			own.mu.Unlock()
			f.Define(model.End{Reason: err.Error()})
		}
		s.mu.Lock()
		s.reading--
		if err != nil && !cancelled && s.ctx.Err() == nil {
			s.errs = append(s.errs, err)
		}
		s.mu.Unlock()
	}()
}

// loading tells whether a file is being read.
func (s *sources) loading() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reading > 0
}

// later runs f on the game loop at the next tick. Any goroutine may call it.
func (s *sources) later(f func(*Game)) {
	s.mu.Lock()
	s.inbox = append(s.inbox, f)
	s.mu.Unlock()
}

// tick does on the game loop what others left to do.
func (s *sources) tick(g *Game) {
	s.mu.Lock()
	errs, inbox := s.errs, s.inbox
	s.errs, s.inbox = nil, nil
	if now := g.now(); s.lineCount > 0 && now >= s.nextLog && !g.opt.Deterministic {
		s.nextLog = now + int64(time.Second)
		writeLog(os.Stderr, s.lines, s.lineCount)
		s.lines, s.lineCount = s.lines[:0], 0
	}
	s.mu.Unlock()
	for _, err := range errs {
		g.warn(err)
	}
	for _, f := range inbox {
		f(g)
	}
	if s.several {
		g.passOver()
	}
}

// passOver shows another of the recordings that were named when the one that is shown could not be opened.
func (g *Game) passOver() {
	if g.chosen {
		g.sources.several = false
		return
	}
	if g.active == nil || g.active.NumTracks() > 0 || g.problemOf(g.active) == "" {
		return
	}
	for _, e := range g.hub.Entries() {
		if e.Session.NumTracks() > 0 {
			g.activate(e.Session)
			return
		}
	}
}

// maxLogLines bounds what is written to the log in a second: clients that send garbage must not fill a disk.
const maxLogLines = 20

// writeLog writes lines of the server's log; n is how many there were.
func writeLog(w io.Writer, lines []string, n int) {
	for _, line := range lines {
		fmt.Fprintln(w, "framescope:", line)
	}
	if n > len(lines) {
		fmt.Fprintf(w, "framescope: and %d lines more\n", n-len(lines))
	}
}

// closeSources ends listening and reading, and waits for both, and for the disk.
func (g *Game) closeSources() error {
	s := &g.sources
	s.cancel()
	g.hub.Close()
	s.stopListening()
	err := g.closeLibrary()
	g.forgetCopies()
	for _, dir := range s.temp {
		os.RemoveAll(dir)
	}
	s.temp = nil
	return err
}

// Sessions implements widgets.Program.
func (g *Game) Sessions() []widgets.SessionRow {
	rows := g.rows[:0]
	for _, e := range g.hub.Entries() {
		row := widgets.SessionRow{Session: e.Session, Active: e.Session == g.active, Name: e.Feed.Name(), Live: e.Feed.Live(), Feed: e.Feed.Stats()}
		if own, ok := e.Feed.Owner().(*opened); ok {
			row.Problem = own.problem()
			row.Name = filepath.Base(own.path)
		}
		if r, ok := e.Feed.Owner().(*launch.Recording); ok {
			followedRow(&row, r)
		}
		if _, ended := e.Session.Ended(); ended {
			row.Live = false
		}
		row.Silence = g.silenceOf(e)
		onRecord(&row, e.Feed.Owner())
		g.keptRow(&row, e.Feed.Owner())
		rows = append(rows, row)
	}
	g.rows = rows
	return rows
}

// problemOf tells why a session's file could not be read, empty if all is well.
func (g *Game) problemOf(s *model.Session) string {
	if e, ok := g.hub.EntryOf(s); ok {
		if own, ok := e.Feed.Owner().(*opened); ok {
			return own.problem()
		}
		if r, ok := e.Feed.Owner().(*launch.Recording); ok && r.Problem() != nil {
			return r.Problem().Error()
		}
	}
	return ""
}

// loading tells whether a session's file is still being read.
func (g *Game) loading(s *model.Session) bool {
	e, ok := g.hub.EntryOf(s)
	if !ok || e.Feed.Live() {
		return false
	}
	_, ended := s.Ended()
	return !ended
}

// Select implements widgets.Program.
func (g *Game) Select(s *model.Session) {
	g.chosen = true
	g.activate(s)
}

// Forget implements widgets.Program.
func (g *Game) Forget(s *model.Session) { g.sources.later(func(g *Game) { g.askForget(s) }) }

// forget takes a session off the screen, and stops what fills it. It must not be called while panels are being prepared: they hold on to the session.
func (g *Game) forget(s *model.Session) {
	e, _ := g.hub.EntryOf(s)
	g.hub.Remove(g.store, s) // cancels the feed: a producer that waits for room must not wait for ever
	if e.Feed != nil {
		g.release(e.Feed.Owner())
	}
	delete(g.views, s)
	if g.active != s {
		return
	}
	g.active = nil
	if rest := g.store.Sessions(); len(rest) > 0 {
		g.activate(rest[len(rest)-1])
	}
}

// release lets go of what belongs to a feed that is no more.
func (g *Game) release(owner any) {
	switch own := owner.(type) {
	case *launch.Recording:
		g.stopFollowing(own)
	}
}

// Silent implements widgets.Program.
func (g *Game) Silent() widgets.Silent {
	nothing := g.hub.Nothing()
	// A connection to the port of profile_lib is a guest from its first byte on.
	out := widgets.Silent{NotProfileLib: nothing.Guests, Why: nothing.Reason}
	s := &g.sources
	s.mu.Lock()
	server := s.server // a door may open later
	s.mu.Unlock()
	if server != nil {
		silent, nonsense := server.Silent()
		out.Nothing, out.NotPStats = int(silent), int(nonsense)
	}
	return out
}

// title names a session for menus and files.
func sessionTitle(s *model.Session) string {
	if s == nil {
		return ""
	}
	info := s.Info()
	if info.Program != "" {
		return info.Program
	}
	if info.Peer == "" {
		return ""
	}
	return filepath.Base(info.Peer)
}
