// Package clips makes files of parts of sessions: of what is selected, and by itself of what was around
// each hitch of a new cause while a game runs, as a dash-cam does. It owns what a part of a session is,
// the newest frames of live sessions as they were sent (Ring), the watch for hitches (Watch), and the
// folder of clips with its limits (Folder). It knows the model, model/why, and the rooms of PStats.
package clips

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"framescope/app/library"
	"framescope/internal/aside"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats/records"
	"framescope/net/pstats/sessionfile"
)

// Part is a part of a session: the frames of all threads that begin in [BeginNs, EndNs). Of Track these
// are the frames with index First to Last, where it is not NoTrack: its frames may overlap.
type Part struct {
	BeginNs, EndNs int64
	Track          model.TrackID
	First, Last    int
}

// Time returns the part that is all of a stretch of time.
func Time(beginNs, endNs int64) Part {
	return Part{BeginNs: beginNs, EndNs: endNs, Track: model.NoTrack}
}

// FramesOf returns the part that some frames of a thread are, with what other threads did meanwhile.
func FramesOf(s *store.Session, track model.TrackID, first, last int) Part {
	begin, end, _ := s.Track(track).FrameTimes(first, last)
	return Part{begin, max(end, begin+1), track, first, last}
}

// Frames are the frames of a part of a session, by their numbers.
type Frames struct {
	Cut records.Cut
	N   int64 // how many there are, on all threads
	// Own is how many there are of the part's thread, Number and Newest what the first and the last of
	// them are called. 0: the part has no thread.
	Own            int64
	Number, Newest int64
}

// Frames returns the frames of a part, which cost a search in each thread.
func (p Part) Frames(s *store.Session) Frames {
	out := Frames{Cut: records.Cut{}}
	nth := map[int]int{}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		of := sessionfile.Thread{Wire: t.Def.Index, Nth: nth[t.Def.Index]}
		nth[t.Def.Index]++
		first, last := t.FramesBeginning(p.BeginNs, p.EndNs)
		if id == p.Track {
			first, last = p.First, p.Last
		}
		if first = max(first, 0); last >= t.NumFrames() {
			last = t.NumFrames() - 1
		}
		if first > last {
			continue
		}
		run := records.Run{First: t.Frame(first).Number, Last: t.Frame(last).Number}
		out.Cut[of] = run
		out.N += int64(last - first + 1)
		if id == p.Track {
			out.Own, out.Number, out.Newest = int64(last-first+1), run.First, run.Last
		}
	}
	return out
}

// Savable returns why no part of a session can be saved, nil where it can.
func Savable(s *store.Session) error {
	switch source := s.Info().Source; source {
	case records.Source:
		return nil
	case "":
		return library.ErrNothingYet
	default:
		return fmt.Errorf("a part of a %s session cannot be saved: what its records mean is said in others, "+
			"which came before; save all of it, and give --range to the commands that read it", library.SourceName(source))
	}
}

// Save writes a part of a session to a file of its official format, from what was received: from is the
// session's folder or file. What is there already is replaced only with force, and only when all is
// written.
func Save(ctx context.Context, from, to string, f Frames, force bool) error {
	switch st, err := os.Stat(filepath.Dir(to)); {
	case err != nil:
		return fmt.Errorf("no folder for %s: %w", to, err)
	case !st.IsDir():
		return fmt.Errorf("%s: %s is no folder", to, filepath.Dir(to))
	}
	if err := aside.Distinct(to, from); err != nil {
		return err
	}
	if err := aside.Free(to, force); err != nil {
		return err
	}
	return records.Save(ctx, from, to, f.Cut)
}
