// Package clips saves parts of sessions to files: selected ranges, and, while a game runs, a clip
// around each hitch of a new cause, like a dash-cam. It defines a part of a session, watches for hitches
// (Watch), takes their clips from the session's journal (Filer), and manages the folder of
// clips with its limits (Folder). It depends on the model, model/why, and the packages of PStats.
package clips

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"framescope/app/library"
	"framescope/charts/format"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/framescope"
	"framescope/net/journal"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// Part is a part of a session, as in a report on it: the frames of all threads that begin in [BeginNs,
// EndNs). If Track is not NoTrack, it has that track's frames with index First to Last, and of other
// threads the frames with them (store.Session.FramesWith).
type Part struct {
	BeginNs, EndNs int64
	Track          model.TrackID
	First, Last    int
}

// Time returns the part that is all of a stretch of time.
func Time(beginNs, endNs int64) Part {
	return Part{BeginNs: beginNs, EndNs: endNs, Track: model.NoTrack}
}

// FramesOf returns a part with some frames of a thread, and the data of other threads during them.
func FramesOf(s *store.Session, track model.TrackID, first, last int) Part {
	begin, end, _ := s.Track(track).FrameTimes(first, last)
	return Part{begin, max(end, begin+1), track, first, last}
}

// Alone is a caveat on saved parts: see the help of `framescope save`.
const Alone = "the typical frame, and so a hitch, comes from these frames alone"

// Frames are the frames of a part of a session, by their numbers.
type Frames struct {
	Cut decode.Cut
	N   int64 // how many there are, on all threads
	// Own is the number of frames on the thread Of: the part's, or for a time range the main one.
	// Number and Newest are the numbers of the first and the last of them.
	Own            int64
	Of             model.TrackID
	Number, Newest int64
	// BeginNs and EndNs are the time of the part, extended to its frames of the thread Of.
	BeginNs, EndNs int64
	// FirstNs and LastNs are the begin of the first frame of all threads, and the end of the last.
	FirstNs, LastNs int64
	// Part is the same for a session file.
	Part framescope.Part
}

// Frames returns the frames of a part, which cost a search in each thread.
func (p Part) Frames(s *store.Session) Frames {
	out := Frames{Cut: decode.Cut{}, Of: p.Track, BeginNs: p.BeginNs, EndNs: p.EndNs}
	if p.Track == model.NoTrack {
		out.Of = s.MainTrack()
	}
	out.Part.Stretch = model.Stretch{Begin: p.BeginNs, End: p.EndNs}
	if p.Track != model.NoTrack {
		out.Part.Frames = map[model.TrackID]framescope.Run{}
	}
	nth := map[int]int{}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		of := sessionfile.Thread{Wire: t.Def.Index, Nth: nth[t.Def.Index]}
		nth[t.Def.Index]++
		first, last := t.FramesBeginning(p.BeginNs, p.EndNs)
		if p.Track != model.NoTrack {
			first, last, _ = s.FramesWith(id, p.Track, p.First, p.Last)
		}
		if first = max(first, 0); last >= t.NumFrames() {
			last = t.NumFrames() - 1
		}
		if first > last {
			continue
		}
		run := decode.Run{First: t.Frame(first).Number, Last: t.Frame(last).Number, Running: running(s, id, first)}
		out.Cut[of] = run
		if p.Track != model.NoTrack {
			out.Part.Frames[id] = framescope.Run{First: run.First, Last: run.Last}
		}
		begin, end := t.Frame(first).Begin, t.Frame(last).End
		if out.N == 0 {
			out.FirstNs, out.LastNs = begin, end
		}
		out.FirstNs, out.LastNs = min(out.FirstNs, begin), max(out.LastNs, end)
		out.N += int64(last - first + 1)
		if id == out.Of {
			out.EndNs = max(out.EndNs, t.Frame(last).End)
			out.Own, out.Number, out.Newest = int64(last-first+1), run.First, run.Last
		}
	}
	return out
}

// Whole describes how a part differs from the requested time range, as frames are never cut: a part has
// the frames that begin in the range. Empty: it does not differ.
func (p Part) Whole(s *store.Session) string {
	t := s.Track(s.MainTrack())
	if p.Track != model.NoTrack || t == nil {
		return ""
	}
	var out []string
	first, last := t.FramesBeginning(p.BeginNs, p.EndNs)
	if i := t.FrameCovering(p.BeginNs); i >= 0 && i < first {
		out = append(out, fmt.Sprintf("frame %d of %s, which began before the range, is not in it", t.FrameNumber(i),
			escape.Name(t.Title())))
	}
	if over := t.Frame(last).End - p.EndNs; first <= last && over > 0 {
		out = append(out, fmt.Sprintf("frame %d, which ends %s behind it, is", t.FrameNumber(last), format.AppendDuration(nil, over)))
	}
	return strings.Join(out, "; ")
}

// within returns the bookmarks with places inside a stretch of time.
func within(list []place.Mark, beginNs, endNs int64) (out []place.Mark) {
	for _, m := range list {
		if beginNs <= m.BeginNs && m.EndNs <= endNs {
			out = append(out, m)
		}
	}
	return out
}

// running returns the collectors of a thread that were already running at the begin of a frame, the
// outermost first: a frame directly after another continues its open collectors.
func running(s *store.Session, id model.TrackID, frame int) (out []uint16) {
	t := s.Track(id)
	f := t.Frame(frame)
	if frame == 0 || f.Missing > 0 {
		return nil
	}
	for lane := range t.Lanes() {
		b, ok := s.Spans().At(id, lane, f.Begin, 0)
		if !ok || b.Begin >= f.Begin || b.End <= f.Begin || b.Collector <= 0 || t.FrameOf(b.Ref, f.Begin) != frame {
			continue
		}
		out = append(out, uint16(b.Collector))
	}
	return out
}

// AsSent reports whether a part of a session can be saved as it was sent, in the format of its program: path
// is its recording. A session file can have a part of any.
func AsSent(s *store.Session, path string) bool {
	return s.Info().Source == decode.JournalSource && !framescope.Is(path)
}

// Save writes a part of a session to a file of its official format, from the received data: from is the
// session's folder or file. It writes the part's bookmarks beside it. It replaces an existing file only
// with force, and only after it has written everything.
func Save(ctx context.Context, from, to string, f Frames, list []place.Mark, force bool) error {
	if err := inFolder(to); err != nil {
		return err
	}
	if err := aside.Distinct(to, from); err != nil {
		return err
	}
	if err := aside.Free(to, force); err != nil {
		return err
	}
	beside := library.Of(to, "")
	if err := aside.Free(beside.Path, force); err != nil {
		return err
	}
	err := decode.Save(ctx, from, to, f.Cut)
	if _, rest := errors.AsType[journal.Unread](err); err != nil && !rest { // which the session reports
		return err
	}
	_, err = beside.Write(within(list, f.BeginNs, f.EndNs))
	return err
}

// inFolder returns why there is no folder for a file, nil if there is one.
func inFolder(to string) error {
	switch st, err := os.Stat(filepath.Dir(to)); {
	case err != nil:
		return fmt.Errorf("there is no folder for %s: %w", to, err)
	case !st.IsDir():
		return fmt.Errorf("%s: %s is not a folder", to, filepath.Dir(to))
	}
	return nil
}
