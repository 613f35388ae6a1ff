package convert

import (
	"context"
	"errors"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// Messages gives the messages of a track that are in the part to fn, in order of time.
func (p *Part) Messages(id model.TrackID, fn func(m *model.Message) error) error {
	begin, end := p.Time(id)
	list := p.Session.Messages().Of(id, begin, end, nil)
	for i := range list {
		if m := &list[i]; m.Time >= begin && m.Time < end || p.whole {
			if err := fn(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// Series returns the series of the part: those of its threads, and, without a choice of threads, those
// without a thread. It leaves out series that only describe sampled stacks. They come group by group,
// as in all lists.
func (p *Part) Series() (out []*spans.Series) {
	table := p.Session.Series()
	for _, g := range table.ByGroup() {
		for _, id := range g.Series {
			s := table.ByID(id)
			if s.Def.Role.OfStacks() || s.Len() == 0 {
				continue
			}
			if s.Def.Track == model.NoTrack && !p.Some || slices.Contains(p.Tracks, s.Def.Track) {
				out = append(out, s)
			}
		}
	}
	return out
}

// Samples gives the samples of a series that are in the part to fn, in order of time.
func (p *Part) Samples(s *spans.Series, fn func(x model.Sample) error) error {
	begin, end := p.Begin, p.End
	if p.whole {
		begin, end = model.MinTime, model.MaxTime
	}
	_, behind := s.Positions()
	for i := s.From(begin); i < behind; i++ {
		first, _ := s.Positions()
		if i = max(i, first); i >= behind {
			break // it has left memory meanwhile
		}
		r := s.Row(i)
		if r.Time >= end && !p.whole {
			return nil
		}
		if err := fn(model.Sample{Series: s.Def.ID, Time: r.Time, Value: r.Value}); err != nil {
			return err
		}
	}
	return nil
}

// Levels passes the values of counters in the part's frames of a track to fn, in order of frames: the
// numbers of a frame in a report.
func (p *Part) Levels(id model.TrackID, fn func(frame int, l *model.Level) error) error {
	var list []model.Level
	return p.eachFrame(id, func(i int, _ frames.Frame) error {
		list = p.Session.Frames().Levels(id, i, list[:0])
		for k := range list {
			if err := fn(i, &list[k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Flows passes the arrows of the part that end on a track to fn, in order of that time; with a choice
// of threads only those that also begin on one of them.
func (p *Part) Flows(id model.TrackID, fn func(a *spans.Arrow) error) error {
	begin, end := p.Time(id)
	list := p.Session.Flows().In(id, begin, end, nil)
	for i := range list {
		a := &list[i]
		if a.To == end && !p.whole || p.Some && !slices.Contains(p.Tracks, a.FromTrack) {
			continue
		}
		if err := fn(a); err != nil {
			return err
		}
	}
	return nil
}

// Name returns the name of a collector, without its parents.
func (p *Part) Name(c model.CollectorID) string {
	if x := p.Session.Collector(c); x != nil {
		return x.Name
	}
	return ""
}

// LeaveRest notes the arguments, messages, series, levels, events of locks and flows that are in the part, for
// formats that have no place for any.
func (p *Part) LeaveRest() {
	p.LeaveArgs()
	p.leaveRows(&Messages, "")
	p.LeaveSeries()
	p.leaveRows(&Counters, "")
	p.leaveRows(&Locks, "")
	p.leaveRows(&Flows, "")
}

// leaveRows notes the rows that a table has of the part.
func (p *Part) leaveRows(t *Table, why string) {
	n, counted := int64(0), *p
	counted.progress = nil
	t.Rows(context.Background(), &counted, func([]Cell) error { n++; return nil })
	p.Leave(n, t.What[0], t.What[1], why)
}

// LeaveSums notes the data missing in sums by call path, for formats that have only these: below spans
// without callers, the frames, with a reason, and the rest.
func (p *Part) LeaveSums(below int64, why string) {
	p.Leave(below, "span beside threads", "spans beside threads", "they have no callers")
	p.leaveRows(&Frames, why)
	p.LeaveRest()
}

// LeaveSeries notes the series of the part.
func (p *Part) LeaveSeries() { p.Leave(int64(len(p.Series())), "series", "series", "") }

// LeaveSamples notes the samples, for formats that hold only spans.
func (p *Part) LeaveSamples() {
	var all int64
	for _, id := range p.Tracks {
		begin, end := p.Time(id)
		n, _ := p.Session.Spans().NumSamples(id, begin, end)
		all += n
	}
	p.Leave(all, "sample", "samples", "what ran is written as spans, from sample to sample")
}

// LeaveTopology notes the objects and links of the program, which have no thread.
func (p *Part) LeaveTopology() {
	if !p.Some {
		p.Leave(int64(len(p.Session.Topology().Objects())), "element or pad of the graph", "elements and pads of the graph",
			"")
		p.Leave(int64(len(p.Session.Topology().Links())), "link of the graph", "links of the graph", "")
	}
	p.LeaveLeaks()
}

// LeaveLeaks notes the lists of leak tracers, which have no thread.
func (p *Part) LeaveLeaks() {
	if !p.Some {
		p.Leave(int64(len(p.Session.Topology().Resources())), "object of a list of leaks", "objects of lists of leaks", "")
	}
}

// has reports whether a time of a track is in the part.
func (p *Part) has(id model.TrackID, ns int64) bool {
	begin, end := p.Time(id)
	return (!p.Some || slices.Contains(p.Tracks, id)) && (p.whole || ns >= begin && ns < end)
}

// WhyTimeless returns why a format of times cannot hold a part without times.
func (p *Part) WhyTimeless() error {
	if p.Session.Info().Sampling.Timeless {
		return errTimeless
	}
	return nil
}

var errTimeless = errors.New("the recording has sums without times")
