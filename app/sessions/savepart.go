package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"framescope/app/clips"
	"framescope/app/library"
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/place"
	"framescope/net/framescope"
	"framescope/net/journal"
)

// SavePart writes the selection to a file that the user names.
func (ss *Sessions) SavePart() {
	v := ss.View()
	t := v.Shown()
	switch a, b := v.FrameA(), v.FrameB(); {
	case ss.active == nil:
	case v.Live() || !v.HasRange():
		ss.ask.Notify("Select frames, or a range of time, to save them")
	default:
		from, to, _ := v.TimeRange()
		p, frames := clips.Time(from, to), t != nil && a >= 0 && b >= a
		if frames {
			begin, end, _ := t.FrameTimes(a, b)
			first, last := t.FramesBeginning(from, to)
			frames = begin == from && end == to || first > last
		}
		if frames {
			ss.SaveFrames(v.Track(), a, b)
			return
		}
		note := p.Whole(ss.active)
		if note != "" {
			note = "; frames are saved whole: " + note
		}
		ss.saveOnly(p, "part", note)
	}
}

// beyond says how much longer frames take, which are saved whole, than the time that is selected: empty
// where frames were selected.
func (ss *Sessions) beyond(track model.TrackID, first, last int) string {
	v := ss.View()
	from, to, ok := v.TimeRange()
	begin, end, timed := ss.active.Track(track).FrameTimes(first, last)
	over := max(from-begin, 0) + max(end-to, 0)
	if !ok || !timed || !v.HasRange() || track != v.Track() || first != v.FrameA() || last != v.FrameB() || over <= 0 {
		return ""
	}
	return "; frames are saved whole: these take " + string(format.AppendDuration(nil, over)) + " more than is selected"
}

// SaveFrames writes frames of a thread of the shown session, with the data of other threads during
// them, to a file that the user names.
func (ss *Sessions) SaveFrames(track model.TrackID, first, last int) {
	s := ss.active
	if s == nil || s.Track(track) == nil {
		return
	}
	t := s.Track(track)
	name := fmt.Sprintf("frame %d", t.Frame(first).Number)
	if last > first {
		name = fmt.Sprintf("frames %d to %d", t.Frame(first).Number, t.Frame(last).Number)
	}
	ss.saveOnly(clips.FramesOf(s, track, first, last), name, ss.beyond(track, first, last))
}

// SavesParts reports whether a part of the shown session can be saved.
func (ss *Sessions) SavesParts() bool { return ss.active != nil && ss.active.Info().Source != "" }

// saveOnly writes a part of the shown session; name describes it in the file name, note is a further
// remark.
func (ss *Sessions) saveOnly(p clips.Part, name, note string) {
	if _, ok := ss.hub.EntryOf(ss.active); !ok {
		return
	}
	if !ss.SavesParts() {
		ss.ask.Warn(library.ErrNothingYet)
		return
	}
	frames, owner := p.Frames(ss.active), ss.ownerOf(ss.active)
	asSent, formats := false, []string{framescope.Extension}
	if clips.AsSent(ss.active, owner.opened()) {
		if frames.N == 0 {
			ss.ask.Notify("Nothing was received there: there is nothing to save")
			return
		}
		asSent, formats = true, []string{library.Extension(ss.active.Info().Source), framescope.Extension}
	}
	title := "Save " + partWords(&p, &frames) + " as a session"
	if note != "" && p.Track != model.NoTrack {
		title = "Save all of " + partWords(&p, &frames) + " as a session" // more than is selected
	}
	file := library.FileName(ss.Title()+" "+name, time.Now(), formats[0])
	x := ss.toSave(frames.Part)
	write := ss.notOver(func(path string) error {
		if !asSent || framescope.IsName(path) {
			return ss.saveSession(owner, path, x)
		}
		return saveFrames(ss.sources.ctx, owner, path, frames, x.Marks)
	})
	ss.AskTarget(title, filepath.Join(RecordFolder(), file), formats, func(path string) {
		ss.saveTo(path, note+"; "+clips.Alone, write)
	})
}

// toSave returns a part of the shown session as it is to be saved, with what belongs to it now.
func (ss *Sessions) toSave(part framescope.Part) clips.Session {
	x := clips.Session{Part: part, Marks: slices.Clone(ss.View().Marks().All())}
	if ss.Attached != nil {
		x.Attached = ss.Attached()
	}
	return x
}

// File returns the session file that is shown, empty where it is none.
func (ss *Sessions) File() string {
	if path := ss.ownerOf(ss.active).opened(); framescope.IsName(path) {
		return path
	}
	return ""
}

// AttachedTo returns what the session file that is shown has with a key, nil where it has nothing.
func (ss *Sessions) AttachedTo(key string) []byte {
	path := ss.File()
	if path == "" {
		return nil
	}
	content, err := framescope.ReadAttached(path, key)
	if err != nil {
		return nil // opening it says so
	}
	return content
}

// saveSession writes a session, or a part of it, to a session file.
func (ss *Sessions) saveSession(o owner, to string, x clips.Session) error {
	from, err := whereKept(o)
	if err != nil {
		return err
	}
	sources := ss.opt.Sources
	if o.file != nil {
		sources.Frames = o.file.frames
	}
	registry, err := sources.Registry()
	if err != nil {
		return err
	}
	x.Path, x.Sources = from, registry
	unread, err := x.Save(ss.sources.ctx, to, true) // the dialog has confirmed it
	if unread != nil {
		return &savedError{unread}
	}
	return err
}

// savedError is what could not be read of a session that was saved all the same.
type savedError struct{ error }

// partWords describes the frames of a part: those of its thread by their numbers, in a time range by
// their count.
func partWords(p *clips.Part, f *clips.Frames) string {
	switch {
	case p.Track == model.NoTrack && f.N == 0:
		return "the selected time"
	case p.Track == model.NoTrack:
		return "the selected time, " + string(format.AppendPlural(nil, f.N, "frame", "frames")) + " of all threads,"
	case f.Own > 1:
		return fmt.Sprintf("frames %d to %d", f.Number, f.Newest)
	}
	return fmt.Sprintf("frame %d", f.Number)
}

// saveFrames writes some frames of a session: for a live one from its copy on disk.
func saveFrames(ctx context.Context, o owner, path string, f clips.Frames, list []place.Mark) error {
	from, err := whereKept(o)
	if err != nil {
		return err
	}
	return clips.Save(ctx, from, path, f, list, true) // the dialog has confirmed it
}

// whereKept returns the file or folder that a session was read from, or is kept in up to now.
func whereKept(o owner) (path string, err error) {
	path = o.path()
	st, missing := os.Stat(path)
	if o.file != nil || path != "" && missing == nil && (journal.Is(path) || st.Mode().IsRegular()) {
		return path, nil
	}
	if rec := o.recorder(); rec != nil {
		return flushed(rec)
	}
	return "", errors.New("this session cannot be saved: it was not kept on disk")
}
