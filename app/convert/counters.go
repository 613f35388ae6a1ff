package convert

import (
	"cmp"
	"fmt"
	"strings"

	"framescope/model"
	"framescope/model/spans"
)

// Nobody is the process of series without one, if there are several.
const Nobody = -1

// Counter is a source of values over time: a series, or a counter of the frames of a thread.
type Counter struct {
	// Group and Name together are unique among the counters of the process. Name lacks the name of the
	// process, and may be empty.
	Group, Name string
	Process     int               // index of its process, or Nobody
	Series      *spans.Series     // nil: a counter of frames
	Track       model.TrackID     // its track, or NoTrack
	Collector   model.CollectorID // of a counter of frames
}

// levelOf names a counter of frames.
type levelOf struct {
	track     model.TrackID
	collector model.CollectorID
}

// Counters returns the parts' sources of values along time.
func (p *Part) Counters(threads []Thread) (out []Counter) {
	of := map[model.TrackID]int{}
	taken := map[[3]string]int{}
	add := func(c Counter) {
		if c.Track != model.NoTrack {
			c.Process = of[c.Track]
		}
		k := [3]string{fmt.Sprint(c.Process), c.Group, c.Name}
		if taken[k]++; taken[k] > 1 {
			c.Name = fmt.Sprintf("%s (%d)", c.Name, taken[k])
		}
		out = append(out, c)
	}
	framed := 0
	for i := range threads {
		of[threads[i].ID] = threads[i].Process
		if first, end := p.Frames(threads[i].ID); end > first {
			framed++
		}
	}
	for _, s := range p.Series() {
		c := Counter{Group: s.Def.Group, Name: s.Def.Name, Series: s, Track: s.Def.Track}
		if t := p.Session.Track(c.Track); t != nil {
			c.Name = besides(c.Name, t.Title())
		}
		c.Group = cmp.Or(c.Group, c.Name)
		if c.Track == model.NoTrack {
			c.Process, c.Name = within(c.Name, threads)
		}
		add(c)
	}
	seen := map[levelOf]bool{}
	for i := range threads {
		th := &threads[i]
		p.Levels(th.ID, func(_ int, l *model.Level) error {
			if k := (levelOf{th.ID, l.Collector}); !seen[k] {
				seen[k] = true
				x := p.Session.Collector(l.Collector)
				c := Counter{Group: x.FullName, Name: x.Name, Track: th.ID, Collector: l.Collector}
				if framed > 1 {
					c.Name = besides(c.Name, th.Track.Title())
				}
				add(c)
			}
			return nil
		})
	}
	return out
}

// within returns the process of a series without a thread, and its name there. Of several processes,
// the one with the longest name at the begin of the series' name owns it; without one, none does.
func within(name string, threads []Thread) (process int, short string) {
	short, longest := name, ""
	for i := range threads {
		if threads[i].Process > 0 && longest == "" {
			process = Nobody
		}
		of := threads[i].Track.Def.Process
		rest, ok := strings.CutPrefix(name, of)
		if ok && len(of) > len(longest) && (rest == "" || rest[0] == ' ') {
			process, short, longest = threads[i].Process, strings.TrimPrefix(rest, " "), of
		}
	}
	return process, short
}

// besides adds the name of a thread to a counter's name that lacks it.
func besides(name, thread string) string {
	switch name {
	case "", thread:
		return thread
	}
	return thread + " " + name
}

// Values passes the values of counters to fn, each counter's in order of time. If a value holds until
// the next, the one in force at the begin of the part comes first, at that time.
func (p *Part) Values(list []Counter, fn func(c *Counter, timeNs int64, value float64) error) error {
	levels := map[levelOf]*Counter{}
	var tracks []model.TrackID
	for i := range list {
		c := &list[i]
		if c.Series == nil {
			levels[levelOf{c.Track, c.Collector}] = c
			if n := len(tracks); n == 0 || tracks[n-1] != c.Track {
				tracks = append(tracks, c.Track)
			}
			continue
		}
		if v, held := p.held(c.Series); held {
			if err := fn(c, p.Begin, v); err != nil {
				return err
			}
		}
		err := p.Samples(c.Series, func(x model.Sample) error { return fn(c, x.Time, x.Value) })
		if err != nil {
			return err
		}
	}
	for _, id := range tracks {
		err := p.Levels(id, func(_ int, l *model.Level) error {
			if c := levels[levelOf{id, l.Collector}]; c != nil {
				return fn(c, l.Time, l.Value)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// held returns the value of a series that was in force when the part began, false where there was none, or another one
// comes just then.
func (p *Part) held(s *spans.Series) (v float64, ok bool) {
	if p.whole || !s.Def.Holds() {
		return 0, false
	}
	at, ok := s.At(p.Begin)
	return at.Value, ok && at.Time < p.Begin && at.Value == at.Value
}
