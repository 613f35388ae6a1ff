package pprof

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// sums combines successive profiles of one program. Those of a stretch of time (CPU) add up. The
// others are snapshots: for values that only grow since the program's start (allocations, waits for
// locks) it shows the growth since the first snapshot, for all others (memory in use, goroutines) the
// newest one.
type sums struct {
	sink  feed.Sink
	label string
	info  model.Info
	room  *feed.Names
	m     *mapper

	n       int // profiles so far
	columns []column
	all     *trace.Stacks
	lasted  time.Duration // of stretches of time
	began   time.Time     // of the first snapshot
	first   map[place][]int64
	newest  []int64 // the sum of each weight in the newest
	warned  bool
}

var errIncomplete = errors.New("is an incomplete pprof profile")

// place is a stack of a thread.
type place struct {
	track model.TrackID
	path  model.PathID
}

// newSums begins a session with a known origin.
func newSums(sink feed.Sink, label string, info model.Info) *sums {
	room := feed.NamesOf(sink)
	info.Source, info.PID, info.Version, info.Sampling = Kind, -1, "pprof", model.Sampling{Timeless: true}
	sink.Define(info)
	return &sums{sink: sink, label: label, info: info, room: room, m: newMapper(sink, room)}
}

// close gives back the room for names.
func (s *sums) close() { s.room.Close() }

// addProfile adds an uncompressed profile. It reports an unreadable one as a loss.
func (s *sums) addProfile(data []byte) error {
	p, bad, err := read(data, parsedLimit(s.sink))
	if err == nil && bad.Count(trace.Cut) > 0 { // its missing part would count as gone
		err = errIncomplete
	}
	if err == nil {
		err = s.add(p)
	}
	if err == nil {
		bad.Define(s.sink.Define, nil)
	}
	if err != nil && !errors.Is(err, feed.ErrCancelled) {
		trace.Lose(s.sink, model.LossMalformed, 1, fmt.Sprintf("a profile of %d bytes is left out, after %d others: it %v",
			len(data), s.n, err))
		return nil
	}
	return err
}

// grows reports whether a weight of a profile without length only grows while the program runs, from its
// start on.
func (c *column) grows() bool {
	return strings.HasPrefix(c.Name, "alloc_") || c.Name == "contentions" || c.Name == "delay"
}

// sinceFirst is behind the names of weights that are counted from the first profile on.
const sinceFirst = ", since the first"

// add adds a profile. It fails if the profile has other weights than those before.
func (s *sums) add(p *profile.Profile) error {
	columns := columnsOf(p)
	if slices.ContainsFunc(columns, func(c column) bool { return c.less }) {
		return errors.New("has negative numbers: it is the difference of two profiles")
	}
	still := p.DurationNanos <= 0
	grows := make([]bool, len(columns))
	for i := range columns {
		if grows[i] = still && columns[i].grows(); grows[i] {
			columns[i].Name += sinceFirst
		}
	}
	if s.all == nil {
		s.columns, s.all, s.newest = columns, trace.NewWeighted(s.room, kindsOf(columns)...), make([]int64, len(columns))
		s.began = time.Unix(0, p.TimeNanos)
	} else if !slices.Equal(columns, s.columns) {
		return errors.New("has other sample types than the profiles before")
	}
	s.n++
	s.lasted += time.Duration(max(p.DurationNanos, 0))
	key := labelOf(p, s.label)
	if still {
		s.stand(p, key, grows)
	} else {
		s.m.each(p, columns, key, s.all.Add)
	}
	if !s.warned && (len(labelKeys(p)) > 0 || s.m.numbers > 0) {
		s.warned = true
		s.m.warn(p, s.sink, key)
	}
	s.describe(p)
	return nil
}

// stand takes a snapshot.
func (s *sums) stand(p *profile.Profile, key string, grows []bool) {
	now, total := map[place][]int64{}, make([]int64, len(grows))
	s.m.each(p, s.columns, key, func(track model.TrackID, path model.PathID, weights ...int64) error {
		at := place{track, path}
		if now[at] == nil {
			now[at] = make([]int64, len(weights))
		}
		for i, w := range weights {
			now[at][i] = model.AddSat(now[at][i], w)
			total[i] = model.AddSat(total[i], w)
		}
		return nil
	})
	for i := range grows {
		if grows[i] && total[i] < s.newest[i] {
			s.sink.Define(model.Warning{Text: "The counts of the program went down: it was restarted. " +
				"The new run is shown from its start on."})
			s.first = map[place][]int64{}
			break
		}
	}
	if s.first == nil {
		s.first = now
	}
	s.newest = total
	s.all.Clear()
	weights := make([]int64, len(grows))
	for at, sum := range now {
		some := false
		before := s.first[at]
		for i, w := range sum {
			if grows[i] && before != nil {
				w = max(w-before[i], 0) // estimates of one stack may become less
			}
			weights[i], some = w, some || w > 0
		}
		if some && s.all.Add(at.track, at.path, weights...) != nil {
			s.m.bad.Bad(trace.ManyStacks, trace.Unknown)
		}
	}
}

// describe publishes the number of profiles in the session and their time.
func (s *sums) describe(p *profile.Profile) {
	info := describe(&profile.Profile{SampleType: p.SampleType, PeriodType: p.PeriodType, Period: p.Period})
	s.info.Detail = info.Detail
	at := func(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
	switch newest := time.Unix(0, p.TimeNanos); {
	case s.lasted > 0:
		s.info.Detail += fmt.Sprintf(", %s of %s together", profiles(s.n), s.lasted.Round(time.Millisecond))
	case p.TimeNanos > 0:
		s.info.Detail += fmt.Sprintf(", the newest of %s, of %s; the first is of %s", profiles(s.n), at(newest), at(s.began))
	default:
		s.info.Detail += ", the newest of " + profiles(s.n)
	}
	s.sink.Define(s.info)
}

func profiles(n int) string {
	if n == 1 {
		return "1 profile"
	}
	return fmt.Sprintf("%d profiles", n)
}

// publish gives the session what the profiles show so far, in place of what it had.
func (s *sums) publish() error {
	if s.all == nil {
		return nil
	}
	s.m.defineDiagnostics(s.sink)
	return s.all.Publish(s.sink)
}
