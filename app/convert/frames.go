package convert

import (
	"framescope/model"
	"framescope/model/frames"
)

// leaveFrames counts what instants at begins of frames leave out: the ends of frames, and the frames of other
// threads that are not those of their process.
func (p *Part) leaveFrames(procs []Process, threads []Thread) {
	ends, others := int64(0), int64(0)
	for i := range threads {
		th := &threads[i]
		host := procs[th.Process].Host
		open, end := false, int64(0) // of the frame before
		p.EachFrame(th.ID, func(f frames.Frame) error {
			switch {
			case th.ID != host && !p.hosts(host, &f):
				others++
			case th.ID == host && open && end != f.Begin:
				ends++
			}
			open, end = true, f.End
			return nil
		})
		if open && th.ID == host {
			ends++
		}
	}
	p.Leave(ends, "end of a frame", "ends of frames", "no other frame begins there")
	p.Leave(others, "frame of a thread", "frames of threads", "they are not those of their process")
}

// hosts reports whether a track has the same frame in the part.
func (p *Part) hosts(host model.TrackID, f *frames.Frame) bool {
	t := p.Session.Track(host)
	if t == nil {
		return false
	}
	i, found := t.FrameByNumber(f.Number)
	if !found {
		return false
	}
	first, end := p.Frames(host)
	of := t.Frame(i)
	return i >= first && i < end && of.Begin == f.Begin && of.End == f.End
}
