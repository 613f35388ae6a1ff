package budget

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"framescope/app/timerange"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
)

// Verdict says how a budget stands.
type Verdict string

// The verdicts.
const (
	Kept    Verdict = "kept"
	Broken  Verdict = "broken"
	Nothing Verdict = "nothing" // of that name was recorded, which is a breach unless it is optional
)

// Result is what became of a budget for one of the things that it is on.
type Result struct {
	Budget  *Budget
	Verdict Verdict
	Thread  string // title; empty for a series of none
	What    string // full name of the collector, name of the series; empty: the frame
	Unit    string // of a level or a series, as the program names it
	// Value is what was measured: ns of times. Of shares the part of frames over the limit.
	Value float64
	// Frames were looked at, samples of a series, calls where there are no frames; Over of them were
	// over the limit. Worst is the number of the frame with the greatest value, if HasWorst.
	Frames, Over int64
	Worst        int64
	HasWorst     bool
}

// Breach tells whether the budget is broken.
func (r *Result) Breach() bool {
	return r.Verdict == Broken || r.Verdict == Nothing && !r.Budget.Optional
}

// Breaches counts those that are broken.
func Breaches(all []Result) (n int) {
	for i := range all {
		if all[i].Breach() {
			n++
		}
	}
	return n
}

// Check holds what was recorded in a range against budgets. There is a result for each collector or
// series that a pattern matches, in order of the budgets.
func Check(s *store.Session, budgets []Budget, rng timerange.Range) ([]Result, error) {
	t0, t1, err := rng.Resolve(s, s.MainTrack())
	if err != nil {
		return nil, err
	}
	c := &checker{s: s, t0: t0, t1: t1, rng: rng}
	for i := range budgets {
		from := len(c.out)
		b := &budgets[i]
		switch {
		case b.Measure == Value:
			c.series(b)
		case s.HasFrames() && b.Measure != Longest:
			c.framed(b)
		default:
			if err := unframed(b); err != nil {
				return nil, fmt.Errorf("budget %d, line %d: %w", i+1, b.Line, err)
			}
			c.calls(b)
		}
		if len(c.out) == from {
			c.out = append(c.out, Result{Budget: b, Verdict: Nothing, Thread: b.Thread, What: b.Collector + b.Series})
		}
	}
	return c.out, nil
}

// unframed returns why a budget can't be held where there are no frames.
func unframed(b *Budget) error {
	switch {
	case b.Measure == Longest:
		return nil
	case b.Measure == Duration || b.Measure == Net || b.Measure == Level || b.HasShare:
		return errors.New("it is on frames, and this session has none: there are total, self, calls and longest of " +
			"collectors, and series")
	case b.At != Mean && b.At != Sum:
		return fmt.Errorf("%s of %s is of frames, and this session has none: at may be mean, which is of a second, or sum",
			b.At, b.Measure)
	}
	return nil
}

type checker struct {
	s      *store.Session
	t0, t1 int64
	rng    timerange.Range
	out    []Result
	tree   paths.Tree
	inside []paths.Inside
	times  []model.CollectorTime
	stats  []spans.Stat
}

// matches tells whether a name is meant by a pattern: whole, whatever its case.
func matches(pattern, name string) bool {
	ok, _ := path.Match(strings.ToLower(flat(pattern)), strings.ToLower(flat(name)))
	return ok
}

// flat hides slashes: they part nothing here, and path.Match has its own mind about them.
func flat(name string) string { return strings.ReplaceAll(name, "/", "\x01") }

// tracks returns the threads that a budget is on.
func (c *checker) tracks(b *Budget, framed bool) (ids []model.TrackID) {
	if b.Thread == "" && framed {
		return []model.TrackID{c.s.MainTrack()}
	}
	for i := range c.s.NumTracks() {
		id := model.TrackID(i)
		t := c.s.Track(id)
		if t == nil || framed && t.NumFrames() == 0 || b.Thread != "" && !matches(b.Thread, t.Title()) {
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// frames returns the frames of a track in the range.
func (c *checker) frames(id model.TrackID) (first, last int, ok bool) {
	t := c.s.Track(id)
	if t == nil || t.NumFrames() == 0 {
		return 0, 0, false
	}
	if c.rng.All() {
		return 0, t.NumFrames() - 1, true
	}
	if id == c.s.MainTrack() {
		first, last, err := c.rng.Frames(c.s, id)
		return first, last, err == nil && first <= last
	}
	first, last = t.FramesBeginning(c.t0, c.t1)
	return first, last, first <= last
}

// framed checks what comes with frames.
func (c *checker) framed(b *Budget) {
	for _, id := range c.tracks(b, true) {
		first, last, ok := c.frames(id)
		if !ok {
			continue
		}
		t := c.s.Track(id)
		number := func(i int) int64 { return t.Frame(first + i).Number }
		if b.Measure == Duration {
			v := make([]float64, 0, last-first+1)
			for i := first; i <= last; i++ {
				f := t.Frame(i)
				v = append(v, float64(f.End-f.Begin))
			}
			c.judge(b, Result{Thread: t.Title()}, v, number)
			continue
		}
		var meant []model.CollectorID
		for i := range c.s.Collectors().Len() {
			if col := c.s.Collector(model.CollectorID(i)); col.Defined && matches(b.Collector, col.Title()) {
				meant = append(meant, col.ID)
			}
		}
		part := max(mostValues/(last-first+1), 1)
		for ; len(meant) > 0; meant = meant[min(part, len(meant)):] {
			now := meant[:min(part, len(meant))]
			values := c.values(b.Measure, id, now, first, last)
			for k, v := range values {
				if v == nil {
					continue // it is on other threads
				}
				col := c.s.Collector(now[k])
				r := Result{Thread: t.Title(), What: col.Title()}
				if b.Measure == Level {
					r.Unit = col.UnitHere
				}
				c.judge(b, r, v, number)
			}
		}
	}
}

// mostValues bounds the values that are held at a time: 256 MiB of them.
const mostValues = 1 << 25

// values returns a figure of collectors in each frame, times in ns: 0 where it is not, nil of what is
// in none.
func (c *checker) values(m Measure, id model.TrackID, of []model.CollectorID, first, last int) [][]float64 {
	out := make([][]float64, len(of))
	slot := make(map[model.CollectorID]int, len(of))
	for k, id := range of {
		slot[id] = k
	}
	frame := 0
	add := func(id model.CollectorID, v float64) {
		if k, ok := slot[id]; ok {
			if out[k] == nil {
				out[k] = make([]float64, last-first+1)
			}
			out[k][frame] += v
		}
	}
	up := func(id model.CollectorID, v float64) { // to all that it is named below, too
		for ; id != model.NoCollector; id = c.s.Collector(id).Parent {
			if add(id, v); id == 0 {
				return
			}
		}
	}
	x := c.s.Frames()
	if m == Level {
		for _, col := range of { // one after the other, as each has its own collectors below it
			for i := first; i <= last && col != 0; i++ { // all levels together are none
				if st := x.Stats(id, col, true, i, i); st.Present > 0 {
					frame = i - first
					add(col, st.Sum)
				}
			}
		}
		return out
	}
	for i := first; i <= last; i++ {
		frame = i - first
		switch m {
		case Total:
			c.inside = c.s.FrameTotals(id, i, i, &c.tree, c.inside[:0])
			for k := range c.inside {
				add(c.inside[k].Collector, float64(c.inside[k].Total))
			}
		default:
			c.times = x.Alone(id, i, c.times[:0])
			for k := range c.times {
				switch t := &c.times[k]; m {
				case Net:
					up(t.Collector, float64(t.Ns))
				case Calls:
					add(t.Collector, float64(t.Count))
				default:
					add(t.Collector, float64(t.Ns))
				}
			}
		}
	}
	return out
}

// judge holds the values of frames against a budget.
func (c *checker) judge(b *Budget, r Result, v []float64, number func(i int) int64) {
	r.Budget, r.Frames, r.Verdict = b, int64(len(v)), Kept
	worst := 0
	for i := range v {
		if v[i] > v[worst] {
			worst = i
		}
		if v[i] > b.Limit {
			r.Over++
		}
	}
	r.Worst, r.HasWorst = number(worst), true
	if b.HasShare {
		r.Value = float64(r.Over) / float64(len(v))
		if r.Value > b.Share {
			r.Verdict = Broken
		}
	} else {
		if r.Value = valueAt(v, b.At); r.Value > b.Limit {
			r.Verdict = Broken
		}
	}
	c.out = append(c.out, r)
}

// valueAt returns the value of all that is asked for: percentiles by nearest rank, the median of an
// even number as the mean of the middle two, as everywhere. It sorts the values.
func valueAt(v []float64, at At) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	switch at {
	case Sum:
		return sum
	case Mean:
		return sum / float64(len(v))
	}
	slices.Sort(v)
	n := int64(len(v))
	rank := func(percent int64) float64 { return v[measure.Rank(n, percent)] }
	switch at {
	case Min:
		return v[0]
	case Median:
		low, high := measure.Middle(n)
		return (v[low] + v[high]) / 2
	case P90:
		return rank(90)
	case P95:
		return rank(95)
	case P99:
		return rank(99)
	}
	return v[n-1]
}

// calls checks collectors where nothing comes with frames: sums are of a second of the range.
func (c *checker) calls(b *Budget) {
	for _, id := range c.tracks(b, false) {
		c.stats = c.s.Spans().Stats([]model.TrackID{id}, c.t0, c.t1, c.stats[:0])
		for i := range c.stats {
			st := &c.stats[i]
			name := c.s.Collector(st.Collector).Title()
			if !matches(b.Collector, name) {
				continue
			}
			r := Result{Budget: b, Verdict: Kept, Thread: c.s.Track(id).Title(), What: name, Frames: st.Calls}
			r.Value = callValue(st, b, float64(c.t1-c.t0)/1e9)
			if r.Value > b.Limit {
				r.Verdict = Broken
			}
			c.out = append(c.out, r)
		}
	}
}

// callValue is the figure of the calls of a collector that a budget is on. Of what is summed that is
// the sum by a second, or the whole of it; of calls the greatest, the least or the mean of them.
func callValue(st *spans.Stat, b *Budget, seconds float64) float64 {
	sum := 0.0
	switch b.Measure {
	case Longest:
		return float64(st.MaxNs)
	case Total:
		sum = float64(st.TotalNs)
	case Self:
		sum = float64(st.SelfNs)
	case Calls:
		sum = float64(st.Calls)
	}
	if b.At == Sum {
		return sum
	}
	return sum / seconds
}

// series checks what was measured over time.
func (c *checker) series(b *Budget) {
	for _, group := range c.s.Series().ByGroup() {
		for _, id := range group.Series {
			x := c.s.Series().ByID(id)
			d := &x.Def
			if x.Len() == 0 || d.Role == model.RoleStack || !matches(b.Series, d.Name) {
				continue
			}
			r := Result{Budget: b, Verdict: Kept, What: d.Name, Unit: d.Unit}
			if t := c.s.Track(d.Track); t != nil {
				r.Thread = t.Title()
			}
			if b.Thread != "" && !matches(b.Thread, r.Thread) {
				continue
			}
			st := x.ExactStats(c.t0, c.t1)
			if st.N == 0 {
				continue
			}
			r.Frames = st.N
			switch b.At {
			case Min:
				r.Value = st.Min
			case Mean:
				r.Value = st.Mean
			case Median:
				r.Value = st.P50
			case P90:
				r.Value = st.P90
			case P95:
				r.Value = st.P95
			case P99:
				r.Value = st.P99
			case Sum:
				r.Value = st.Sum
			default:
				r.Value = st.Max
			}
			if r.Value > b.Limit {
				r.Verdict = Broken
			}
			c.out = append(c.out, r)
		}
	}
}
