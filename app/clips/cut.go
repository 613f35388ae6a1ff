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
	"slices"
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

// Part is a part of a session: the frames of all threads that run in [BeginNs, EndNs), each whole. If Track is not
// NoTrack, it has that track's frames with index First to Last, and of other threads the frames beside them
// (store.Session.FramesBeside), or where numbers do not match those that run in their time.
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
		first, last := p.of(s, id)
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

// of returns the first and the last frame of a track in the part; last < first: it has none.
func (p Part) of(s *store.Session, id model.TrackID) (first, last int) {
	t := s.Track(id)
	first, last = t.FramesBeginning(p.BeginNs, p.EndNs)
	if p.Track != model.NoTrack {
		beside := false
		if first, last, beside = s.FramesWith(id, p.Track, p.First, p.Last); beside {
			return max(first, 0), min(last, t.NumFrames()-1)
		}
	}
	if i := t.FrameCovering(p.BeginNs); i >= 0 && t.Frame(i).Begin < p.BeginNs && t.Frame(i).End > p.BeginNs {
		first, last = i, max(i, last)
	}
	return first, last
}

// Whole describes what a part has outside the requested time, as frames are never cut: the frames that begin first
// and end last. Empty: nothing.
func (p Part) Whole(s *store.Session) string {
	var before, behind int64
	var first, last string
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		a, b := p.of(s, id)
		if a > b {
			continue
		}
		if ns := p.BeginNs - t.Frame(a).Begin; ns > before {
			before = ns
			first = fmt.Sprintf("frame %d of %s begins %s before the range", t.FrameNumber(a), escape.Name(t.Title()),
				format.AppendDuration(nil, ns))
		}
		if ns := t.Frame(b).End - p.EndNs; ns > behind {
			behind = ns
			last = fmt.Sprintf("frame %d of %s ends %s behind it", t.FrameNumber(b), escape.Name(t.Title()),
				format.AppendDuration(nil, ns))
		}
	}
	return strings.Join(slices.DeleteFunc([]string{first, last}, func(s string) bool { return s == "" }), "; ")
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
