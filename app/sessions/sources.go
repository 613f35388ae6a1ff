package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"framescope/app/launch"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats/server"
	"framescope/widgets"
)

// sources is where sessions come from: the server that games connect to, and files being read.
type sources struct {
	ctx    context.Context
	cancel context.CancelFunc
	// registry has the kinds of recordings that are opened.
	registry feed.Registry
	server   *server.Server
	doors    []*launch.Door // on which programs are awaited
	games    *launch.Door   // the server's door, or nil
	opening  sync.WaitGroup // of doors that were closed
	awaited  string         // the waits of inputs, in words
	several  bool           // recordings were named, and the user has not chosen one of them yet
	work     sync.WaitGroup
	opened   int      // doors that have opened so far
	temp     []string // folders with copies of dropped files, removed at the end

	mu        sync.Mutex
	reading   int      // files that are being read
	lines     []string // of the server's log, since the last tick that wrote them
	lineCount int      // number of these
	nextLog   int64
	followed  []*launch.Recording
	grown     []*opened // files that were followed
	failed    []error   // of files that were to be
	inbox     []func()  // work from other goroutines for the game loop
}

// opened is the owner of a feed that reads a file.
type opened struct {
	path    string
	journal bool           // it is a session on disk
	at      spot           // to go to as soon as it is there
	part    part           // that is read
	totalNs int64          // of all of the session, as far as it was known; 0: not known
	frames  feed.Frames    // that were chosen
	instead *store.Session // goes when this one is there: it is the same, with other frames
	places  feed.Places    // that are damaged
	mu      sync.Mutex
	err     error
	unread  error // err, or the worst of places; of a recording that was read up to its end
	toEnd   bool  // the part goes up to the session's end
	chosen  bool  // its frames can be
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

// Start opens the library on disk, listens, and begins to read the files of the options.
func (ss *Sessions) Start() error {
	limit := ss.opt.MemoryLimit
	if limit <= 0 {
		limit = ss.settings.MemoryLimit()
	}
	ss.memory.SetLimit(limit)
	ss.openLibrary()
	ss.liveClips.Start(ss)
	s := &ss.sources
	s.ctx, s.cancel = context.WithCancel(context.Background())
	var err error
	if s.registry, err = ss.opt.Sources.Registry(); err != nil {
		return err
	}
	if err := ss.startListening(); err != nil {
		s.cancel()
		return err
	}
	for _, u := range ss.opt.Unopened {
		ss.unopened(u)
	}
	for _, f := range ss.opt.Files {
		ss.Named = append(ss.Named, ss.open(f))
	}
	s.several = len(ss.opt.Files)+len(ss.opt.Unopened) > 1
	ss.library.Recover()
	s.awaited = awaited(ss.opt.Inputs)
	for _, in := range ss.opt.Inputs {
		ss.bringIn(in)
	}
	return nil
}

// unopened makes the session of an unopened file, with the reason.
func (ss *Sessions) unopened(u Unopened) {
	ss.hub.NewFeed(feed.Options{Name: u.Path, Owner: &opened{path: u.Path,
		err: u.Err}}).Define(model.End{Reason: u.Err.Error()})
	ss.ask.Warn(u.Err)
}

// open reads a recording in the background into a session of its own, and goes to the place in it
// that a link names.
func (ss *Sessions) open(link string) (o Opening) {
	s := &ss.sources
	path, at, err := CutPlace(link)
	ss.ask.Warn(err)
	if launch.IsStream(path) {
		ss.bringIn(launch.File{Path: path, Registry: s.registry})
		return o
	}
	where := spot{Place: at}
	if u := &ss.settings.Used; u.Path == path && at.Kind != place.None && u.Place == at.String() { // as it was left
		where.beginNs, where.endNs = u.BeginNs, u.EndNs
	}
	o.own = &opened{path: path, at: where, journal: journal.Is(path), frames: ss.opt.Sources.Frames}
	ss.readFrom(o.own)
	return o
}

// read reads a recording, or a part of a session on disk that lasted so long, in the background
// into a session of its own.
func (ss *Sessions) read(path string, p part, totalNs int64) {
	ss.readFrom(&opened{path: path, part: p, totalNs: totalNs, journal: journal.Is(path), frames: ss.opt.Sources.Frames})
}

func (ss *Sessions) readFrom(own *opened) {
	s := &ss.sources
	f := ss.hub.NewFeed(feed.Options{Name: own.path, Owner: own})
	ss.liveClips.Holds(own.path, 1)
	s.mu.Lock()
	s.reading++
	s.mu.Unlock()
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		err := ss.openPart(s.ctx, own, &noted{f, s.ctx, &own.places})
		cancelled := f.Stats().Cancelled // the user closed it
		if s.ctx.Err() == nil && !cancelled {
			own.noteUnread(err)
		}
		if err != nil && !cancelled {
			own.mu.Lock()
			own.err = err
			own.mu.Unlock()
			f.Define(model.End{Reason: err.Error()})
		}
		if err != nil && !cancelled && s.ctx.Err() == nil {
			s.later(func() { ss.ask.Warn(err) })
		}
		s.mu.Lock()
		s.reading--
		s.mu.Unlock()
	}()
}

// noted is a sink that notes damaged places, until the program ends.
type noted struct {
	feed.Sink
	ctx    context.Context
	places *feed.Places
}

// Unwrap returns the sink behind it.
func (n *noted) Unwrap() feed.Sink { return n.Sink }

// Define implements feed.Sink.
func (n *noted) Define(c model.Change) {
	if n.ctx.Err() == nil {
		n.places.Note(c)
	}
	n.Sink.Define(c)
}

// noteUnread notes what could not be read, and the error of reading.
func (o *opened) noteUnread(err error) {
	if err == nil && o.places.N > 0 {
		err = fmt.Errorf("%s: %s", o.path, strings.TrimPrefix(o.places.String(), o.path+": "))
	}
	o.mu.Lock()
	o.unread = err
	o.mu.Unlock()
}

// Unread returns what could not be read of the files of the options, and of those that were followed. The program has
// ended.
func (ss *Sessions) Unread() error {
	all := slices.Clone(ss.sources.failed)
	for _, o := range ss.sources.grown {
		o.noteUnread(nil)
		all = append(all, o.unread)
	}
	for _, o := range ss.Named {
		if o.own != nil {
			o.own.mu.Lock()
			all = append(all, o.own.unread)
			o.own.mu.Unlock()
		}
	}
	return errors.Join(all...)
}

// loading reports whether a file is being read.
func (s *sources) loading() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reading > 0
}

// later runs f on the game loop at the next tick. Any goroutine may call it.
func (s *sources) later(f func()) {
	s.mu.Lock()
	s.inbox = append(s.inbox, f)
	s.mu.Unlock()
}

// do runs slow work in the background, and then its result on the game loop.
func (ss *Sessions) do(work func() (then func())) {
	ss.sources.work.Go(func() { ss.sources.later(work()) })
}

// inDialog is do for system dialogs: there is one at a time.
func (ss *Sessions) inDialog(work func() (then func())) {
	if ss.dialog {
		return
	}
	ss.dialog = true
	go func() {
		then := work()
		ss.sources.later(func() {
			ss.dialog = false
			then()
		})
	}()
}

// tick runs the work of other goroutines on the game loop.
func (ss *Sessions) tick() {
	s := &ss.sources
	s.mu.Lock()
	inbox := s.inbox
	s.inbox = nil
	if now := ss.ask.Env.NowNs; s.lineCount > 0 && now >= s.nextLog && !ss.opt.Deterministic {
		s.nextLog = now + int64(time.Second)
		writeLog(os.Stderr, s.lines, s.lineCount)
		s.lines, s.lineCount = s.lines[:0], 0
	}
	s.mu.Unlock()
	for _, f := range inbox {
		f()
	}
	if s.several {
		ss.passOver()
	}
}

// passOver shows another of the recordings that were named when the one that is shown could not be
// opened.
func (ss *Sessions) passOver() {
	if ss.chosen {
		ss.sources.several = false
		return
	}
	if ss.active == nil || ss.active.Some() || ss.ownerOf(ss.active).problem() == "" {
		return
	}
	for _, e := range ss.hub.Entries() {
		if e.Session.Some() {
			ss.activate(e.Session)
			return
		}
	}
}

// maxLogLines bounds the log lines in a second: clients that send garbage must not fill a disk. It is more than a
// server writes of clients that send little, so that a line about another is among them.
const maxLogLines = 50

// writeLog writes lines of the server's log; n is how many there were.
func writeLog(w io.Writer, lines []string, n int) {
	for _, line := range lines {
		fmt.Fprintln(w, "framescope:", escape.Line(line))
	}
	if n > len(lines) {
		fmt.Fprintf(w, "framescope: and %d lines more\n", n-len(lines))
	}
}

// Close ends listening and reading, and waits for both, and for the disk.
func (ss *Sessions) Close() error {
	s := &ss.sources
	ss.noteUsed()
	ss.liveClips.Finish()
	s.cancel()
	ss.hub.Close()
	s.stopListening()
	err := ss.closeLibrary(ss.books.Close)
	ss.forgetCopies()
	for _, dir := range s.temp {
		os.RemoveAll(dir)
	}
	s.temp = nil
	ss.memory.Stop()
	return err
}

// Sessions implements widgets.Program.
func (ss *Sessions) Sessions() []widgets.SessionRow {
	rows := ss.rows[:0]
	for _, e := range ss.hub.Entries() {
		row := widgets.SessionRow{Session: e.Session, Active: e.Session == ss.active, Name: e.Feed.Name(),
			Path: e.Feed.Name(),
			Live: e.Feed.Live(), Feed: e.Feed.Stats()}
		own := ownerOf(e.Feed)
		row.Problem = own.problem()
		if own.file != nil {
			row.Name, row.Path = filepath.Base(own.file.path), own.file.path
		}
		if own.in != nil {
			row.Followed = true
			if row.Problem == "" {
				row.State = doing(own.in)
			}
		}
		if _, ended := e.Session.Ended(); ended {
			row.Live, row.At = false, ss.endedAt[e.Session]
		}
		row.Silence = ss.silenceOf(e)
		onRecord(&row, own)
		ss.keptRow(&row, own)
		rows = append(rows, row)
	}
	ss.rows = rows
	widgets.Distinguish(rows)
	return rows
}

// loading reports whether a session's file is still being read.
func (ss *Sessions) loading(s *store.Session) bool {
	e, ok := ss.hub.EntryOf(s)
	if !ok || e.Feed.Live() {
		return false
	}
	_, ended := s.Ended()
	return !ended
}

// Select implements widgets.Program.
func (ss *Sessions) Select(s *store.Session) {
	ss.chosen = true
	ss.activate(s)
}

// Offer implements widgets.Program.
func (ss *Sessions) Offer(s *store.Session) {
	x, y := ss.ask.Mouse.X, ss.ask.Mouse.Y
	ss.sources.later(func() { ss.offer(s, x, y) })
}

// Forget implements widgets.Program.
func (ss *Sessions) Forget(s *store.Session) { ss.sources.later(func() { ss.askForget(s) }) }

// forget takes a session off the screen, and stops its input. It must not be called while panels are
// being prepared: they hold on to the session.
func (ss *Sessions) forget(s *store.Session) {
	if s == ss.active {
		ss.noteUsed()
	}
	e, _ := ss.hub.EntryOf(s)
	ss.hub.Remove(ss.store, s) // cancels the feed: a producer that waits for room must not wait for ever
	ss.release(ownerOf(e.Feed))
	ss.liveClips.Forget(s)
	ss.books.Forget(s)
	delete(ss.views, s)
	delete(ss.endedAt, s)
	if ss.before == s {
		ss.before = nil
	}
	delete(ss.torn, s)
	delete(ss.paced, s)
	delete(ss.warned, s)
	if ss.active != s {
		return
	}
	ss.active = nil
	if rest := ss.store.Sessions(); len(rest) > 0 {
		ss.activate(rest[len(rest)-1])
	}
}

// release frees the resources of a removed feed.
func (ss *Sessions) release(o owner) {
	switch {
	case o.in != nil:
		ss.stopFollowing(o.in)
	case o.file != nil:
		ss.liveClips.Holds(o.file.path, -1)
	}
}

// Silent implements widgets.Program.
func (ss *Sessions) Silent() widgets.Silent {
	nothing := ss.hub.Nothing()
	// A connection to the port of profile_lib is a guest from its first byte on.
	out := widgets.Silent{NotProfileLib: nothing.Guests, Why: nothing.Reason}
	s := &ss.sources
	s.mu.Lock()
	server := s.server // a door may open later
	s.mu.Unlock()
	if server != nil {
		silent, nonsense := server.Silent()
		out.Nothing, out.NotPStats = int(silent), int(nonsense)
	}
	return out
}

// sessionTitle names a session for menus and files.
func sessionTitle(s *store.Session) string {
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
