// Package library keeps live sessions on disk, and finds, opens, names, exports and deletes kept
// sessions.
//
// Every live source passes the received data to a Recorder, which writes it to a folder of its own (see
// package journal) and, if the user wants that, to a file of the user's. It never blocks receiving: a
// disk that is slow, full or gone costs only the data that could not be written. The user learns of it
// at once, and writing resumes when it can.
//
//	lib := library.Open(library.Options{Dir: library.DefaultDir(), Limit: 20 << 30, Report: show})
//	rec := lib.Record(journal.Meta{Source: "pstats", Program: "game"}, library.Recording{})
//	rec.Data(frame) // the session's folder is made now
//	rec.Close("the program hung up")
//	list := lib.Sessions()
package library

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/net/feed"
	"framescope/net/journal"
)

// DefaultLimit is the disk space for all sessions, in bytes, unless the user says otherwise.
const DefaultLimit = journal.DefaultLimit

// StateDir returns the default folder for Framescope's data: $XDG_STATE_HOME/framescope, or its
// counterpart on other systems. Without a home folder in the environment, as for a service, it uses the
// account's.
func StateDir() string {
	if _, err := os.UserHomeDir(); err != nil && os.Getenv("XDG_STATE_HOME") == "" {
		if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
			return filepath.Join(u.HomeDir, ".local", "state", "framescope")
		}
	}
	return filepath.Join(xdg.StateHome, "framescope")
}

// DefaultDir returns the folder that sessions are kept in.
func DefaultDir() string { return filepath.Join(StateDir(), "sessions") }

// Options say how sessions are kept.
type Options struct {
	// Dir is the folder of all sessions. It is made when it is needed.
	Dir string
	// Limit bounds the size of all sessions together, in bytes; 0: no live session is kept, and
	// existing ones stay.
	Limit int64
	// Report is called with notices for the user. Any goroutine may call it; it must return soon. nil: no
	// notices.
	Report func(Notice)
}

// Notice is something that the user ought to know.
type Notice struct {
	Text string
	// Problem reports a loss, or one to come if nothing is done.
	Problem bool
	// Over is the common beginning of earlier notices that are no longer true; empty: none.
	Over string
}

// Library is all sessions on disk.
type Library struct {
	opt  Options
	root *journal.Root
	few  *feed.FewLines // on recordings

	mu        sync.Mutex
	limit     int64
	recorders map[*Recorder]bool
	revision  uint64
	evicted   evictions
	work      sync.WaitGroup  // of surveys and imports
	running   context.Context // until it is closed
	stop      context.CancelFunc
	ctx       context.Context // of conversions of files to their official format
	abort     context.CancelFunc
	closed    bool
	failed    []string // recordings that are not as the user wanted them: the first few
	failures  int      // how many
}

// Open opens the library. Nothing is read or written yet.
func Open(o Options) *Library {
	l := &Library{opt: o, few: feed.NewFewLines(), limit: o.Limit, recorders: map[*Recorder]bool{}}
	l.running, l.stop = context.WithCancel(context.Background())
	l.ctx, l.abort = context.WithCancel(context.Background())
	l.root = journal.OpenRoot(o.Dir, journal.RootOptions{Limit: o.Limit, Evicted: l.left})
	return l
}

// Dir returns the folder of all sessions.
func (l *Library) Dir() string { return l.opt.Dir }

// Limit returns the limit of all sessions together, in bytes; 0: none is kept.
func (l *Library) Limit() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limit
}

// KeptOn describes the effect on live sessions when sessions are no longer kept.
const KeptOn = "current live sessions are still kept; new ones are not"

// SetLimit changes it. Live sessions being kept go on being kept; 0 applies to later ones.
func (l *Library) SetLimit(bytes int64) {
	l.mu.Lock()
	l.limit = bytes
	l.mu.Unlock()
	if bytes > 0 {
		l.root.SetLimit(bytes)
	}
	l.changed()
}

// Revision changes whenever this program has changed the library on disk. Changes by others do not
// count.
func (l *Library) Revision() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.revision
}

func (l *Library) changed() {
	l.mu.Lock()
	l.revision++
	l.mu.Unlock()
}

// Abort leaves recordings as they are that are being brought into their official format: they stay
// journals. A Close that waits for them returns.
func (l *Library) Abort() { l.abort() }

// Close waits until pending data is on disk, at most for the given time, and then until recordings are
// converted to their official format. All recorders must have been closed. The error names the
// recordings that failed; the reasons were reported when they occurred.
func (l *Library) Close(atMost time.Duration) error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	l.stop()
	var open []*Recorder
	for r := range l.recorders {
		open = append(open, r)
	}
	l.mu.Unlock()
	deadline := time.Now().Add(atMost)
	for _, r := range open {
		r.wait(time.Until(deadline))
	}
	done := make(chan struct{})
	go func() { l.work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(max(time.Until(deadline), 0)):
	}
	l.root.Close()
	l.reportEvictions() // the last chance
	return l.incomplete()
}

// maxFailed bounds the recordings that an error names.
const maxFailed = 5

// fails notes a failed recording, and reports the reason.
func (l *Library) fails(path string, format string, args ...any) {
	l.lacks(Home(path))
	l.report(true, format, args...)
}

// lacks notes a failed recording or session. The reason was already reported.
func (l *Library) lacks(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failures++; len(l.failed) < maxFailed {
		l.failed = append(l.failed, escape.Line(what))
	}
}

// incomplete is the error of recordings that are not as the user wanted them, nil if all are.
func (l *Library) incomplete() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.failures == 0:
		return nil
	case l.failures > len(l.failed):
		return fmt.Errorf("%d recordings are incomplete: %s and others", l.failures, strings.Join(l.failed, ", "))
	}
	return fmt.Errorf("incomplete recording: %s", strings.Join(l.failed, ", "))
}

func (l *Library) report(problem bool, format string, args ...any) {
	l.reportOver("", problem, format, args...)
}

// reportOver is report for a notice that replaces those beginning with over.
func (l *Library) reportOver(over string, problem bool, format string, args ...any) {
	if l.opt.Report != nil {
		text := escape.Line(fmt.Sprintf(format, args...))
		l.opt.Report(Notice{Text: text, Problem: problem, Over: escape.Line(over)})
	}
}

// reportFew is reportOver for what each stranger causes, who come by the thousands.
func (l *Library) reportFew(over, format string, args ...any) {
	l.few.Write(func(line string) { l.reportOver(over, false, "%s", line) }, format, args...)
}

// Home shortens a path below the user's home folder, for people.
func Home(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" || home == string(filepath.Separator) {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// evictions are the sessions and parts deleted for room.
type evictions struct {
	sessions int
	parts    int // oldest parts of sessions that go on
	bytes    int64
	told     time.Time
	untold   evictionCount
	due      bool
}

type evictionCount struct {
	sessions, parts int
	bytes           int64
	one             string // the title, if it is one session
}

// The first eviction is reported after some seconds, so that several become one notice; later ones some
// minutes apart: a session that fills its share goes on evicting for hours.
const (
	reportSoon  = 3 * time.Second
	reportAgain = 10 * time.Minute
)

// left takes note of something that left to make room.
func (l *Library) left(e journal.Eviction) {
	if e.Err != nil {
		l.report(true, "%s could not be deleted to make room: %v", e.Title, e.Err)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.revision++
	v := &l.evicted
	v.bytes += e.Bytes
	v.untold.bytes += e.Bytes
	v.untold.one = e.Title
	if e.Whole {
		v.sessions++
		v.untold.sessions++
	} else {
		v.parts++
		v.untold.parts++
	}
	if v.due || l.closed {
		return
	}
	v.due = true
	after := reportSoon
	if !v.told.IsZero() {
		after = max(after, reportAgain-time.Since(v.told))
	}
	time.AfterFunc(after, l.reportEvictions)
}

func (l *Library) reportEvictions() {
	l.mu.Lock()
	n, limit := l.evicted.untold, l.limit
	l.evicted.untold, l.evicted.due, l.evicted.told = evictionCount{}, false, time.Now()
	l.mu.Unlock()
	if words := n.describe(); words != "" {
		l.report(false, "%s left, %s, to keep within %s", words, Bytes(n.bytes), Bytes(limit))
	}
}

func (n *evictionCount) describe() string {
	sessions := fmt.Sprintf("%d sessions", n.sessions)
	if n.sessions == 1 && n.parts == 0 {
		sessions = "The session " + n.one
	} else if n.sessions == 1 {
		sessions = "1 session"
	}
	switch {
	case n.sessions > 0 && n.parts > 0:
		return sessions + " and the oldest part of one that runs"
	case n.sessions > 0:
		return sessions
	case n.parts > 0:
		return "The oldest part of " + n.one
	}
	return ""
}

// Left returns the deletions for room since the library was opened: sessions, and bytes, including
// those of the oldest parts of live sessions.
func (l *Library) Left() (sessions int, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.evicted.sessions, l.evicted.bytes
}

// Bytes writes a size for people as the charts do: "3.10 GiB".
func Bytes(n int64) string { return string(format.AppendBytes(nil, n)) }

// Length writes how long something lasted for people as the charts do: "4.20 s", "12 min 34 s".
func Length(d time.Duration) string { return string(format.AppendDuration(nil, int64(d))) }
