package view

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// CounterChoice is which counters have a row in the timeline.
type CounterChoice string

// The choices. Counters that the user marked are shown, or hidden, in each of them.
const (
	CountersFit      CounterChoice = ""         // those that change most: two, and more as far as the tracks leave room
	CountersChanging CounterChoice = "changing" // all that change
	CountersAll      CounterChoice = "all"
	CountersNone     CounterChoice = "none"
)

// CounterMark is a user's yes or no setting of a counter.
type CounterMark uint8

// The marks.
const (
	CounterShown  CounterMark = iota
	CounterHidden             // whatever the choice
	CounterPinned             // above all tracks
	CounterLog                // has a logarithmic scale
	numCounterMarks
)

// Counter is a number over time that can have a row in the timeline: what the frames of a thread report of
// a collector and all below it, or a series. The other two, or the last one, are none.
type Counter struct {
	Track  model.TrackID
	Level  model.CollectorID
	Series model.SeriesID
}

// LevelCounter returns the counter that the frames of a thread report.
func LevelCounter(track model.TrackID, c model.CollectorID) Counter {
	return Counter{track, c, model.NoSeries}
}

// SeriesCounter returns the counter that a series is.
func SeriesCounter(id model.SeriesID) Counter { return Counter{model.NoTrack, model.NoCollector, id} }

// Name returns the name of the counter, of a series with its group, as in reports.
func (c Counter) Name(s *store.Session) string {
	if c.Series == model.NoSeries {
		return s.Collector(c.Level).Name
	}
	d := &s.Series().ByID(c.Series).Def
	if d.Group == "" || d.Group == d.Name {
		return d.Name
	}
	return d.Group + ": " + d.Name
}

// key returns the name by which the counter is remembered.
func (c Counter) key(s *store.Session) string {
	if c.Series == model.NoSeries {
		return s.Collector(c.Level).FullName
	}
	return c.Name(s)
}

// CounterOf returns the counter that a series is; ok is false for those that are no line of numbers: states,
// events, and what samplers keep of stacks and processors.
func CounterOf(s *store.Session, id model.SeriesID) (c Counter, ok bool) {
	x := s.Series().ByID(id)
	if x == nil || x.Len() == 0 || x.Def.Kind == model.SeriesState || x.Def.Kind == model.SeriesEvent {
		return c, false
	}
	switch x.Def.Role {
	case model.RoleStack, model.RoleWeight, model.RoleProcessor:
		return c, false
	}
	return SeriesCounter(id), true
}

const (
	counterParts = 64 // of a session, to see how often a counter changes
	counterCalm  = 8  // a counter that changed in so many of them keeps its place
)

// counters are those of a session, those first that change in most of its parts, and how many change at all.
type counters struct {
	session  *store.Session
	defs     uint64
	looked   uint64 // the session's revision
	ended    bool
	list     []counted
	known    map[Counter]bool
	calm     int // so many of the list keep their places
	changing int
	rev      uint64
	strip    frames.Strip
	bins     []spans.SeriesBin
	levels   []model.Level
}

// counted is a counter, and in how many parts of the session it changed.
type counted struct {
	Counter
	changes int
}

// CountersStamp changes with the list of counters and its order.
func (l *Look) CountersStamp() uint64 {
	l.countCounters()
	return l.counts.rev
}

// Counters returns the counters of the session, those that change most first, and how many of them
// change at all. They are looked at again when definitions came, when there is twice as much as before, and
// when all is there. Those that changed often keep their places then, so that rows do not change under the
// eye. The list is the Look's own.
func (l *Look) Counters() (n, changing int) {
	l.countCounters()
	return len(l.counts.list), l.counts.changing
}

// CounterAt returns a counter by its place in the order of Counters.
func (l *Look) CounterAt(i int) Counter { return l.counts.list[i].Counter }

func (l *Look) countCounters() {
	s, x := l.session, &l.counts
	_, ended := s.Ended()
	if x.session == s && x.defs == s.DefsRevision() && x.ended == ended && s.Revision() < 2*x.looked {
		return
	}
	if x.session != s {
		*x = counters{rev: x.rev, known: map[Counter]bool{}}
	}
	x.session, x.defs, x.looked, x.ended = s, s.DefsRevision(), max(s.Revision(), 1), ended
	x.rev++
	t0, t1, ok := s.Bounds()
	if !ok {
		return
	}
	for id := range model.TrackID(s.NumTracks()) {
		x.addLevels(s, id)
	}
	for id := range model.SeriesID(s.Series().Len()) {
		if c, ok := CounterOf(s, id); ok {
			x.add(c)
		}
	}
	for i := range x.list[x.calm:] {
		k := &x.list[x.calm+i]
		k.changes = x.changesOf(s, k.Counter, t0, t1+1)
	}
	slices.SortStableFunc(x.list[x.calm:], func(a, b counted) int { return b.changes - a.changes })
	for x.calm < len(x.list) && x.list[x.calm].changes >= counterCalm {
		x.calm++
	}
	x.changing = x.calm
	for x.changing < len(x.list) && x.list[x.changing].changes > 0 {
		x.changing++
	}
}

func (x *counters) add(c Counter) {
	if !x.known[c] {
		x.known[c] = true
		x.list = append(x.list, counted{Counter: c})
	}
}

// addLevels adds what some of the frames of a thread report.
func (x *counters) addLevels(s *store.Session, id model.TrackID) {
	const looks = 8
	n := s.Track(id).NumFrames()
	for i := 0; i < looks && n > 0; i++ {
		x.levels = s.Frames().Levels(id, (n-1)*i/(looks-1), x.levels[:0])
		for _, level := range x.levels {
			x.add(LevelCounter(id, s.Collector(level.Collector).Top))
		}
	}
}

// changesOf returns in how many parts of a time a counter changes.
func (x *counters) changesOf(s *store.Session, c Counter, t0, t1 int64) int {
	if c.Series != model.NoSeries {
		x.bins = s.Series().ByID(c.Series).Bins(t0, t1, counterParts, x.bins[:0])
		return changesOfBins(x.bins)
	}
	q := frames.StripQuery{Track: c.Track, Focus: c.Level, Levels: true, T0: t0, T1: t1, Columns: counterParts}
	s.Frames().Strip(q, &x.strip)
	return changesOfColumns(x.strip.Columns)
}

// changesOfColumns returns in how many columns the value differs from that of the column before.
func changesOfColumns(cols []frames.StripColumn) (n int) {
	was := float32(math.NaN())
	for i := range cols {
		if cols[i].State != frames.ColumnData {
			continue
		}
		if was == was && cols[i].Net != was {
			n++
		}
		was = cols[i].Net
	}
	return n
}

// changesOfBins returns in how many bins there is a value that differs from the one before.
func changesOfBins(bins []spans.SeriesBin) (n int) {
	for i := range bins {
		if b := &bins[i]; b.N > 0 && (b.Min != b.Max || b.HasBefore && b.Last != b.Before) {
			n++
		}
	}
	return n
}

// CounterChoice returns which counters have a row.
func (l *Look) CounterChoice() CounterChoice { return l.tracks.Counters }

// ChooseCounters sets which counters have a row; of all, also those that the user hid.
func (l *Look) ChooseCounters(c CounterChoice) {
	if c == l.tracks.Counters && (c != CountersAll || len(l.tracks.CountersHidden) == 0) {
		return
	}
	l.rearranges()
	if l.tracks.Counters = c; c == CountersAll {
		l.tracks.CountersHidden = nil
	}
	l.tracksChanged()
}

// CounterMarked reports whether the user marked a counter.
func (l *Look) CounterMarked(m CounterMark, c Counter) bool {
	mark := markCounter + trackMark(m)
	return len(*l.tracks.lists()[mark]) > 0 && l.tracks.marked(mark, c.key(l.session))
}

// MarkCounter marks a counter, or takes the mark away. One that is shown is not hidden, and the other way
// round; one that is pinned is shown.
func (l *Look) MarkCounter(m CounterMark, c Counter, on bool) {
	if l.CounterMarked(m, c) == on {
		return
	}
	l.rearranges()
	l.tracks.mark(markCounter+trackMark(m), c.key(l.session), on)
	switch {
	case !on:
	case m == CounterHidden:
		l.tracks.mark(markCounter+trackMark(CounterShown), c.key(l.session), false)
		l.tracks.mark(markCounter+trackMark(CounterPinned), c.key(l.session), false)
	case m == CounterShown || m == CounterPinned:
		l.tracks.mark(markCounter+trackMark(CounterHidden), c.key(l.session), false)
	}
	l.tracksChanged()
}
