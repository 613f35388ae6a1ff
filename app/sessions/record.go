package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"framescope/app/library"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/server"
	"framescope/widgets"
)

// liveOwner is the owner of a live client's feed.
type liveOwner struct {
	rec    *library.Recorder
	behind *decode.Behind
}

// openLibrary opens the sessions on disk. For repeatable pictures it keeps no sessions, but the user's
// recordings are written.
func (ss *Sessions) openLibrary() {
	o := library.Options{Report: ss.noticeOfLibrary}
	if !ss.opt.Page && (!ss.opt.Deterministic || ss.opt.DiskLimit != nil) {
		o.Dir, o.Limit = library.DefaultDir(), ss.settings.DiskLimit()
		if ss.opt.DiskLimit != nil {
			o.Limit = *ss.opt.DiskLimit
		}
	}
	ss.library = library.Open(o)
	if ss.opt.Record != "" {
		ss.target = &library.Target{Path: ss.opt.Record, Force: ss.opt.Force, Inputs: ss.opt.RecordNot}
	}
}

// noticeOfLibrary shows a notice at once: on standard error, and in the window.
func (ss *Sessions) noticeOfLibrary(n library.Notice) {
	if !ss.opt.Deterministic {
		fmt.Fprintln(os.Stderr, "framescope:", escape.Line(n.Text))
	}
	ss.sources.later(func() {
		if n.Over != "" {
			ss.ask.Notices.Drop(n.Over)
		}
		if n.Problem {
			ss.ask.Warn(errors.New(n.Text))
		} else {
			ss.ask.Notify("%s", n.Text)
		}
	})
}

// handlerFor makes the handler of a client that just sent its first frame: the decoder that feeds its
// session, and its recorder.
func (ss *Sessions) handlerFor(info server.SessionInfo) pstats.Handler {
	name := info.Hello.Program
	if name == "" {
		name = info.Peer.String()
	}
	own := &liveOwner{rec: ss.library.Record(decode.Meta(info.Hello, info.Peer.String()), ss.target)}
	f := ss.hub.NewFeed(feed.Options{Live: true, Guest: true, Name: name, Owner: own})
	info.CountDrops(f.DroppedFrames)
	d := decode.New(f, decode.Options{Peer: info.Peer.String()})
	own.behind = decode.NewBehind(d, f, own.rec, ss.sources.ctx.Done())
	return &keeping{Handler: own.behind, shown: own.behind, rec: own.rec}
}

// keeping is the handler of a session kept on disk. It reports frames that the disk refuses to the
// session.
type keeping struct {
	pstats.Handler
	shown    *decode.Behind
	rec      *library.Recorder
	refused  int64 // frames that the session knows of
	deleted  int64 // and of these
	refusing bool
}

// AwaitRoom implements journal.Patient.
func (k *keeping) AwaitRoom(stop <-chan struct{}, bytes int) { k.rec.AwaitRoom(stop, bytes) }

// Frame implements pstats.Handler.
func (k *keeping) Frame(f *pstats.Frame, bytes int) {
	k.Handler.Frame(f, bytes)
	if n := k.rec.Deleted(); n > k.deleted {
		k.shown.ShowLoss(model.Loss{Reason: model.LossDeleted, Track: model.NoTrack, N: n - k.deleted,
			Detail: "the recording up to here was deleted by another program: it goes on from here"})
		k.deleted = n
	}
	if n := k.rec.Refused(); n > k.refused {
		l := model.Loss{Reason: model.LossNotRecorded, Track: model.NoTrack, N: n - k.refused}
		if !k.refusing {
			l.Detail = "the disk refuses data: the recording lacks frames from here on"
		}
		k.refused, k.refusing = n, true
		k.shown.ShowLoss(l)
		return
	}
	k.refusing = false
}

// newTape makes the tape on disk for an input.
func (ss *Sessions) newTape(m journal.Meta) journal.Tape {
	return ss.library.Record(m, ss.target)
}

// recording returns the state of the user's recording of a session; false: there is none, or it is
// complete.
func (ss *Sessions) recording(s *store.Session) (library.RecordingState, bool) {
	if rec := ss.ownerOf(s).recorder(); rec != nil {
		if state, ok := rec.Recording(); ok && !state.Ended {
			return state, true
		}
	}
	return library.RecordingState{}, false
}

// onRecord fills in how a session fares on disk.
func onRecord(row *widgets.SessionRow, o owner) {
	rec := o.recorder()
	if rec == nil {
		return
	}
	if s, ok := rec.Recording(); ok && !s.Ended {
		row.Recording, row.Recorded = library.Home(s.Path), s.Bytes
		if s.Err != nil {
			row.Unrecorded = "not recorded " + s.Problem(rec.Source())
			row.Why = s.Brief(rec.Source())
		}
	}
	if s, ok := rec.Kept(); ok {
		if s.Err != nil {
			row.Unkept = "not kept on disk " + s.Problem(rec.Source())
			row.Why = cmp.Or(row.Why, s.Brief(rec.Source()))
		}
		if s.Deleted > 0 {
			row.Deleted = "on disk it lacks " + s.DeletedWords(rec.Source())
		}
	}
}

// toggleRecord starts or finishes the recording of the shown session. It starts at the session's first
// data, as the library has that. It writes an ended session at once.
func (ss *Sessions) toggleRecord() {
	s := ss.active
	if _, ok := ss.hub.EntryOf(s); !ok {
		ss.ask.Notify("Only a live session can be recorded")
		return
	}
	own := ss.ownerOf(s)
	if own.in != nil && own.in.Path != "" {
		ss.ask.Notify("Nothing to record: this session is read from %s", library.Home(own.in.Path))
		return
	}
	rec := own.recorder()
	if rec == nil {
		ss.ask.Notify("Only a live session can be recorded, and this one is not kept on disk")
		return
	}
	if state, ok := rec.Recording(); ok && !state.Ended {
		rec.Stop()
		return
	}
	path := filepath.Join(RecordFolder(), library.FileName(ss.TitleOf(s), time.Now(), extensionOf(s, own)))
	if _, ended := s.Ended(); ended {
		ss.inBackground(func() error { return saveRecorded(ss.sources.ctx, rec, path) }, "Recorded to "+library.Home(path))
		return
	}
	whole, err := rec.Start(&library.Target{Path: path})
	switch {
	case err != nil:
		ss.ask.Warn(err)
	case !whole:
		ss.ask.Notify("Recording from now on: earlier data are missing, since live sessions are not kept on disk")
	}
}

// inBackground does something that may take a while, and reports the result.
func (ss *Sessions) inBackground(do func() error, done string) {
	ss.do(func() func() {
		err := do()
		return func() {
			if err != nil {
				ss.ask.Warn(err)
			} else {
				ss.ask.Notify("%s", done)
			}
		}
	})
}

// closeLibrary waits until live data is on disk: an instant, unless a disk hangs. It calls last when
// nothing else is under way.
func (ss *Sessions) closeLibrary(last func() error) error {
	// A recording is complete when the program ends. The user can interrupt the wait.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, ss.library.Abort)()
	ss.sources.work.Wait()
	return errors.Join(last(), ss.library.Close(exitPatience))
}

// exitPatience is how long the end of the program waits for a disk.
const exitPatience = 20 * time.Second

// RecordFolder is where recordings go without a question: the current folder if it can be written
// to, else the user's own.
func RecordFolder() string {
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
func extensionOf(s *store.Session, o owner) string {
	path := o.path()
	ext := filepath.Ext(path)
	if ext == ".gz" || ext == ".z" || ext == ".zst" {
		ext = filepath.Ext(strings.TrimSuffix(path, ext)) + ext
	}
	if ext != "" && s.Info().Source != "flare" && !journal.Is(path) {
		return ext
	}
	if s.Info().Source == "" { // nothing has come yet
		return library.Extension("pstats")
	}
	return library.Extension(s.Info().Source)
}

// recordChip describes the recording in the tool bar: its size, or an error with the reason. Empty:
// there is none.
func (ss *Sessions) recordChip() (label, tip string, bad bool) {
	var row widgets.SessionRow
	onRecord(&row, ss.ownerOf(ss.active))
	if row.Recording != "" {
		tip = "Recording to " + row.Recording + ", from the session's first data on"
	}
	for _, why := range []string{row.Deleted, row.Unkept, row.Unrecorded} {
		if why != "" {
			tip, bad = why, true
		}
	}
	return row.RecordWords(), tip, bad
}

// leftMemory reports whether the oldest part of a session is not in memory any more.
func leftMemory(s *store.Session) bool {
	n, _ := s.Losses()
	return n[model.LossEvicted] > 0
}
