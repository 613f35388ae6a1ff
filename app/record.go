package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"framescope/app/launch"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// liveOwner is the owner of a live client's feed. Every live session keeps a journal of what it received, so that it can be saved, and recorded from its first byte
// on, at any time.
type liveOwner struct {
	info    pstats.SessionInfo
	journal *pstats.Journal // nil if there is none

	finished sync.WaitGroup // done when what is to be written at its end has been written

	mu     sync.Mutex
	record string // the file that it is being recorded to
	ended  bool
}

// ending is the handler that notices the end of a session after the journal has.
type ending struct {
	pstats.Handler
	done func()
}

// Close implements pstats.Handler.
func (e ending) Close(reason string) {
	e.Handler.Close(reason)
	e.done()
}

// handlerFor makes the handler of a client that just said hello: the decoder that feeds its session, and its journal.
func (g *Game) handlerFor(info pstats.SessionInfo) pstats.Handler {
	s := &g.sources
	own := &liveOwner{info: info}
	name := info.Hello.Program
	if name == "" {
		name = info.Peer.String()
	}
	opt := pstats.JournalOptions{}
	if !g.opt.Deterministic {
		opt.Dir = pstats.NewJournalDir()
	}
	j, err := pstats.NewJournal(opt)
	if err != nil { // a full or read-only disk must not keep the session off the screen
		s.later(func(g *Game) { g.warn(fmt.Errorf("this session cannot be saved: %w", err)) })
	} else {
		own.journal = j
	}
	s.mu.Lock()
	s.owners = append(s.owners, own)
	if g.opt.Record != "" && own.journal != nil {
		own.record = numbered(g.opt.Record, s.records)
		s.records++
	}
	s.mu.Unlock()
	f := g.hub.NewFeed(feed.Options{Live: true, Guest: true, Name: name, Owner: own})
	var h pstats.Handler = pstats.NewDecoder(f, pstats.DecoderOptions{Peer: info.Peer.String()})
	if own.journal == nil {
		return h
	}
	own.finished.Add(1)
	return ending{pstats.Tee(h, own.journal), func() {
		own.mu.Lock()
		own.ended = true
		own.mu.Unlock()
		s.work.Add(1)
		go func() {
			defer s.work.Done()
			defer own.finished.Done()
			g.finish(own)
		}()
	}}
}

// numbered returns the file for the n-th session that is recorded: "a.pstats", "a-2.pstats", …
func numbered(path string, n int) string {
	if n == 0 {
		return path
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-" + strconv.Itoa(n+1) + ext
}

// finish writes a session that has ended to where it is recorded, and as the last session.
func (g *Game) finish(own *liveOwner) {
	g.finishRecording(own)
	if g.opt.Deterministic || own.journal.Stats().Frames == 0 {
		return
	}
	g.sources.saving.Lock()
	defer g.sources.saving.Unlock()
	if err := own.journal.SaveSession(pstats.LastSessionPath()); err != nil {
		g.sources.later(func(g *Game) { g.warn(fmt.Errorf("the last session was not kept: %w", err)) })
	}
}

// finishRecording writes the file of a recording, if the session is being recorded.
func (g *Game) finishRecording(own *liveOwner) {
	own.mu.Lock()
	path := own.record
	own.record = ""
	own.mu.Unlock()
	if path == "" || own.journal == nil {
		return
	}
	err := own.journal.SaveSession(path)
	g.sources.later(func(g *Game) {
		if err != nil {
			g.warn(fmt.Errorf("the recording was not written: %w", err))
			return
		}
		g.tell("Recorded to %s", path)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "framescope: the recording was not written:", err)
	}
}

// ownerOf returns the owner of a live session.
func (g *Game) ownerOf(s *model.Session) *liveOwner {
	if e, ok := g.hub.EntryOf(s); ok {
		own, _ := e.Feed.Owner().(*liveOwner)
		return own
	}
	return nil
}

// recording returns the file that a session is being written to, empty if none.
func (g *Game) recording(s *model.Session) string {
	own := g.ownerOf(s)
	if own == nil {
		return ""
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	return own.record
}

// toggleRecord starts or finishes the recording of the shown session. It reaches back to the session's first frame, because the journal does.
func (g *Game) toggleRecord() {
	if e, ok := g.hub.EntryOf(g.active); ok {
		if _, followed := e.Feed.Owner().(*launch.Recording); followed {
			g.tell("This session is kept from its first byte on; Ctrl+S saves it")
			return
		}
	}
	own := g.ownerOf(g.active)
	if own == nil || own.journal == nil {
		g.tell("Only a live session can be recorded")
		return
	}
	own.mu.Lock()
	on, ended := own.record != "", own.ended
	if !on && !ended {
		own.record = filepath.Join(recordFolder(), fileName(sessionTitle(g.active), ".pstats"))
	}
	path := own.record
	own.mu.Unlock()
	switch {
	case on:
		g.sources.work.Add(1)
		go func() {
			defer g.sources.work.Done()
			g.finishRecording(own)
		}()
	case ended:
		g.tell("This session has ended; Ctrl+S saves it")
	default:
		g.tell("Recording to %s, from the session's first frame on", path)
	}
}

// recordFolder is where recordings go without a question: the current folder if it can be written to, else the user's own.
func recordFolder() string {
	if dir, err := os.Getwd(); err == nil && dir != filepath.VolumeName(dir)+string(filepath.Separator) {
		if f, err := os.CreateTemp(dir, ".framescope-*"); err == nil {
			f.Close()
			os.Remove(f.Name())
			return dir
		}
	}
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return os.TempDir()
}

// extensionOf is the extension of files of a session's kind.
func extensionOf(s *model.Session, owner any) string {
	if s.Info().Source == "flare" {
		return "" // a folder
	}
	path := ""
	switch own := owner.(type) {
	case *opened:
		path = own.path
	case *launch.Recording:
		path = own.Path
	}
	ext := filepath.Ext(path)
	if ext == ".gz" || ext == ".z" {
		ext = filepath.Ext(strings.TrimSuffix(path, ext)) + ext
	}
	switch {
	case ext != "":
		return ext
	case s.Info().Source == "gsttrace":
		return ".log"
	case s.Info().Source == "profilelib":
		return ".prof"
	}
	return ".pstats"
}

// fileName makes a file name from a program's name and the time. The name came from outside.
func fileName(program, ext string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, program)
	clean = strings.Trim(clean, "-.")
	if len(clean) > 60 {
		clean = clean[:60]
	}
	if clean == "" {
		clean = "session"
	}
	return clean + time.Now().Format("-20060102-150405") + ext
}

// saveAs writes the shown session to a file that the user names.
func (g *Game) saveAs() {
	s := g.active
	if s == nil || g.dialog {
		return
	}
	e, ok := g.hub.EntryOf(s)
	if !ok {
		return
	}
	g.dialog = true
	suggestion := filepath.Join(recordFolder(), fileName(sessionTitle(s), extensionOf(s, e.Feed.Owner())))
	g.sources.work.Add(1)
	go func() {
		defer g.sources.work.Done()
		path, err := chooseTarget("Save the session", suggestion)
		if err != nil && !errors.Is(err, errCanceled) {
			path, err = suggestion, nil // no dialog on this system: better saved there than not at all
		}
		if err == nil {
			err = save(e.Feed.Owner(), path)
		}
		g.sources.later(func(g *Game) {
			g.dialog = false
			switch {
			case errors.Is(err, errCanceled):
			case err != nil:
				g.warn(err)
			default:
				g.tell("Saved to %s", path)
			}
		})
	}()
}

// save writes a session to a file: a live one from its journal, an opened one as a copy of its file.
func save(owner any, path string) error {
	switch own := owner.(type) {
	case *liveOwner:
		if own.journal == nil {
			return errors.New("this session has no journal to save from")
		}
		return own.journal.SaveSession(path)
	case *opened:
		if st, err := os.Stat(own.path); err == nil && st.IsDir() {
			return launch.SaveFolder(own.path, path)
		}
		return copyFile(own.path, path)
	case *launch.Recording:
		return own.Save(path)
	}
	return errors.New("this session cannot be saved")
}

// copyFile copies a file; the old one in its place is replaced only when all is written.
func copyFile(from, to string) error {
	a, errA := filepath.Abs(from)
	b, errB := filepath.Abs(to)
	if errA == nil && errB == nil && a == b {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".*.part")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		os.Chmod(out.Name(), 0o644)
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		os.Remove(out.Name())
	}
	return err
}

// dropJournal removes the journal of a session that was taken off the screen, once it has been kept as the last session.
func (g *Game) dropJournal(own *liveOwner) {
	s := &g.sources
	s.mu.Lock()
	s.owners = slices.DeleteFunc(s.owners, func(o *liveOwner) bool { return o == own })
	s.mu.Unlock()
	if own.journal == nil {
		return
	}
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		own.finished.Wait()
		own.journal.Remove()
	}()
}

// closeJournals keeps the last session and removes the journals, when the program ends.
func (g *Game) closeJournals() {
	s := &g.sources
	s.work.Wait() // every session has ended by now, and finish has been called for each
	s.mu.Lock()
	owners := s.owners
	s.owners = nil
	s.mu.Unlock()
	for _, own := range owners {
		g.finishRecording(own)
		if own.journal != nil {
			own.journal.Remove()
		}
	}
}

// recoverJournals saves what a viewer that crashed left behind as the last session.
func (g *Game) recoverJournals() {
	s := &g.sources
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		for _, dir := range pstats.LeftJournals() {
			if processRuns(dir) {
				continue
			}
			j, err := pstats.RecoverJournal(dir)
			if err != nil {
				continue // not a journal: not ours to delete
			}
			if j.Stats().Frames > 0 {
				s.saving.Lock()
				err = j.SaveSession(pstats.LastSessionPath())
				s.saving.Unlock()
				if err != nil {
					continue // it stays where it is for the next start
				}
				s.later(func(g *Game) { g.tell("The session before was recovered: %s", pstats.LastSessionPath()) })
			}
			j.Remove()
		}
	}()
}

// processRuns tells whether the program that made a journal, whose process id ends the folder's name, still runs.
func processRuns(dir string) bool {
	name := filepath.Base(dir)
	pid, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil || pid <= 0 {
		return false
	}
	if pid == os.Getpid() {
		return true
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	// Windows knows no such signal: there a process that was found is one that runs.
	return err == nil || !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
