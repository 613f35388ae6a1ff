package convert

import (
	"framescope/model"
	"framescope/model/frames"
	"framescope/net/trace"
)

// TellFrames describes the frames of a thread in the format of package trace. It passes the frames to
// write as instants to fn, with their name without the number and their figures, in order of their
// numbers, and returns the note on the thread, which may be empty. host is the thread with the frames
// of the process.
func (p *Part) TellFrames(
	th *Thread, host model.TrackID, fn func(name string, f *frames.Frame, more *Figures) error,
) (note []byte, err error) {
	name := trace.ToldframesBeside
	if th.ID == host {
		name = trace.ToldframesHost
	}
	var runs []trace.Run
	next := -1 // the host's frame that would go on with a run
	some := false
	var more Figures
	err = p.eachFrame(th.ID, func(at int, f frames.Frame) error {
		some = true
		p.figures(th.ID, at, &f, &more)
		if i, same := p.hosts(host, th.ID, &f); same && len(more.Net)+len(more.Levels) == 0 {
			if i == next {
				runs[len(runs)-1].To = f.Number
			} else {
				runs = append(runs, trace.Run{From: f.Number, To: f.Number})
			}
			next = i + 1
			return nil
		}
		next = -1
		return fn(name, &f, &more)
	})
	if err != nil {
		return nil, err
	}
	main := th.ID == p.Session.MainTrack() && (some || th.Track.Def.Main)
	return trace.AppendNote(nil, main, runs), nil
}

// hosts reports whether the host of a thread's process has the same frame, and its index.
func (p *Part) hosts(host, id model.TrackID, f *frames.Frame) (i int, same bool) {
	t := p.Session.Track(host)
	if t == nil || host == id {
		return 0, false
	}
	i, found := t.FrameByNumber(f.Number)
	if !found {
		return 0, false
	}
	first, end := p.Frames(host)
	of := t.Frame(i)
	return i, i >= first && i < end && of.Begin == f.Begin && of.End == f.End
}
