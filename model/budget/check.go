package budget

import (
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Verdict is the state of a budget.
type Verdict string

// The verdicts.
const (
	Kept    Verdict = "kept"
	Broken  Verdict = "broken"
	Nothing Verdict = "nothing" // of that name was recorded, which is a breach unless it is optional
)

// Result is the result of a budget for one of its subjects.
type Result struct {
	Budget  *Budget
	Verdict Verdict
	Thread  string // title; empty for a series of none
	What    string // full name of the collector, name of the series; empty: the frame
	Unit    string // of a level or a series, as the program names it
	// Track, Collector and Series are its own in the session, NoTrack, NoCollector and NoSeries where it
	// has none.
	Track     model.TrackID
	Collector model.CollectorID
	Series    model.SeriesID
	// Value is the measured value: ns for times. For shares the part of frames over the limit.
	Value float64
	// Frames were looked at, samples of a series, calls where there are no frames; Over of them were
	// over the limit. Worst is the number of the frame with the greatest value, if HasWorst.
	Frames, Over int64
	Worst        int64
	HasWorst     bool
	// OverAt are the numbers of frames that were over the limit, ascending, if Pass.Marks: the first
	// mostOver of them.
	OverAt []int64
	// UpTo counts the frames with a value of at most so much, if Pass.Counts.
	UpTo func(value float64) int64
}

// Breach reports whether the budget is broken.
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

// Part is which part of a session is checked: the time [BeginNs, EndNs), of the main thread the frames
// with index First to Last, of the others those that begin in the time.
type Part struct {
	BeginNs, EndNs int64
	First, Last    int
	Numbered       bool // by frames: of the other threads it has those that go with them (store.Session.FramesWith)
	Whole          bool // all of it, threads on clocks of their own included
}

// All returns all of a session.
func All(s *store.Session) Part {
	p := Part{Whole: true, Last: -1}
	if from, to, ok := s.Bounds(); ok {
		p.BeginNs, p.EndNs = from, max(to, to+1)
	}
	if t := s.Track(s.MainTrack()); t != nil {
		p.Last = t.NumFrames() - 1
	}
	return p
}

// Pass checks budgets against a part of a session. It may be made a piece at a time, while the session
// grows: it leaves out data that came after it began, or left memory before it was read.
type Pass struct {
	Marks   bool // Result.OverAt is wanted; set before the first step
	Counts  bool // Result.UpTo is wanted, which keeps all values; the same
	marked  int
	s       *store.Session
	budgets []Budget
	part    Part
	names   []string // of the collectors, as matches wants them
	targets []target
	walks   []*walk
	stats   []spans.Stat
	out     []Result
	err     error
	done    bool

	next func() (int, bool)
	stop func()
}

// mostOver bounds the frames over a limit that are noted of one result, mostMarks those of all.
const mostOver, mostMarks = 1 << 16, 1 << 20

// target is a budget and one thing that it is on.
type target struct {
	Result
	judged bool
}

// Begin begins to hold a part of a session against budgets.
func Begin(s *store.Session, budgets []Budget, part Part) *Pass {
	return &Pass{s: s, budgets: budgets, part: part}
}

// Check does so at once. There is a result for each collector or series that a pattern matches, in order
// of the budgets.
func Check(s *store.Session, budgets []Budget, part Part) ([]Result, error) {
	p := Begin(s, budgets, part)
	p.run(func(int) bool { return true })
	return p.out, p.err
}

// Step continues for about so much work, in frames and values looked at, and reports whether the pass
// is ready. Call Close if you stop before that.
func (p *Pass) Step(most int) (done bool) {
	if p.next == nil {
		p.next, p.stop = iter.Pull(p.run)
	}
	for most > 0 && !p.done {
		cost, more := p.next()
		if !more {
			break
		}
		most -= cost
	}
	return p.done
}

// Close ends the pass.
func (p *Pass) Close() {
	if p.stop != nil {
		p.stop()
	}
}

// Results returns the results of the budgets once the pass is ready. The error names the one that such
// a session cannot check.
func (p *Pass) Results() ([]Result, error) { return p.out, p.err }

// run checks, and yields the cost of each piece.
func (p *Pass) run(yield func(cost int) bool) {
	for i := range p.s.Collectors().Len() {
		name := ""
		if c := p.s.Collector(model.CollectorID(i)); c.Defined {
			name = meant(c.Title())
		}
		p.names = append(p.names, name)
	}
	firsts := make([]int, len(p.budgets), len(p.budgets)+1)
	for i := range p.budgets {
		b := &p.budgets[i]
		firsts[i] = len(p.targets)
		switch {
		case b.Measure == Value:
			p.series(b)
		case p.s.HasFrames() && b.Measure != Longest:
			p.framed(b)
		default:
			if err := unframed(b); err != nil {
				p.err, p.done = fmt.Errorf("budget %d, line %d: %w", i+1, b.Line, p.s.WithoutFrames(err)), true
				return
			}
			p.calls(b)
		}
		if !yield(1 + len(p.names)) {
			return
		}
	}
	for _, w := range p.walks {
		if !w.run(p, yield) {
			return
		}
	}
	firsts = append(firsts, len(p.targets))
	for i := range p.budgets {
		from := len(p.out)
		for _, t := range p.targets[firsts[i]:firsts[i+1]] {
			if t.judged {
				p.out = append(p.out, t.Result)
			}
		}
		if len(p.out) == from {
			b := &p.budgets[i]
			p.out = append(p.out, Result{
				Budget: b, Verdict: Nothing, Thread: b.Thread, What: b.Collector + b.Series,
				Track: model.NoTrack, Collector: model.NoCollector, Series: model.NoSeries,
			})
		}
	}
	p.walks, p.targets, p.done = nil, nil, true
}

// unframed returns why a budget needs frames.
func unframed(b *Budget) error {
	switch {
	case b.Measure == Longest:
		return nil
	case b.Measure == Duration || b.Measure == Net || b.Measure == Level || b.HasShare:
		return errors.New("it measures frames, and this session has none: use total, self, calls or longest of a " +
			"collector, or a series")
	case b.At != Mean && b.At != Sum:
		return fmt.Errorf("%s of %s measures frames, and this session has none: use at = mean (per second) or sum",
			b.At, b.Measure)
	}
	return nil
}

// meant makes a name, or a pattern, fit for path.Match: whatever its case. Slashes part nothing here, and
// path.Match has its own mind about them.
func meant(name string) string { return strings.ReplaceAll(strings.ToLower(name), "/", "\x01") }

// matches reports whether a name is meant by a pattern, whole; both are as meant returns them.
func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}

// tracks returns the threads that a budget is on.
func (p *Pass) tracks(b *Budget, framed bool) (ids []model.TrackID) {
	if b.Thread == "" && framed {
		return []model.TrackID{p.s.MainTrack()}
	}
	pattern := meant(b.Thread)
	for i := range p.s.NumTracks() {
		id := model.TrackID(i)
		t := p.s.Track(id)
		if t == nil || framed && t.NumFrames() == 0 || b.Thread != "" && !matches(pattern, meant(t.Title())) {
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// frames returns the frames of a track in the part.
func (p *Pass) frames(id model.TrackID) (first, last int, ok bool) {
	t := p.s.Track(id)
	if t == nil || t.NumFrames() == 0 {
		return 0, 0, false
	}
	switch {
	case p.part.Whole:
		first, last = 0, t.NumFrames()-1
	case id == p.s.MainTrack():
		first, last = p.part.First, p.part.Last
	case p.part.Numbered:
		first, last, _ = p.s.FramesWith(id, p.s.MainTrack(), p.part.First, p.part.Last)
	default:
		first, last = t.FramesBeginning(p.part.BeginNs, p.part.EndNs)
	}
	return first, last, first <= last
}

// framed finds the subjects of a budget on frames.
func (p *Pass) framed(b *Budget) {
	pattern := meant(b.Collector)
	for _, id := range p.tracks(b, true) {
		t := p.s.Track(id)
		if t == nil || t.NumFrames() == 0 {
			continue
		}
		r := Result{Budget: b, Thread: t.Title(), Track: id, Collector: model.NoCollector, Series: model.NoSeries}
		if b.Measure == Duration {
			p.walk(id, b.Measure).wants(p, r, 0)
			continue
		}
		for i, name := range p.names {
			if name == "" || !matches(pattern, name) {
				continue
			}
			c := p.s.Collector(model.CollectorID(i))
			r.Collector, r.What = c.ID, c.Title()
			if b.Measure == Level {
				r.Unit = c.UnitHere
			}
			p.walk(id, b.Measure).wants(p, r, c.ID)
		}
	}
}

// calls checks collectors if no data comes with frames: sums are per second of the part.
func (p *Pass) calls(b *Budget) {
	pattern := meant(b.Collector)
	for _, id := range p.tracks(b, false) {
		p.stats = p.s.Spans().Stats([]model.TrackID{id}, p.part.BeginNs, p.part.EndNs, p.stats[:0])
		for i := range p.stats {
			st := &p.stats[i]
			if int(st.Collector) >= len(p.names) || !matches(pattern, p.names[st.Collector]) {
				continue
			}
			r := Result{
				Budget: b, Thread: p.s.Track(id).Title(), What: p.s.Collector(st.Collector).Title(), Frames: st.Calls,
				Track: id, Collector: st.Collector, Series: model.NoSeries,
			}
			r.Value = callValue(st, b, float64(p.part.EndNs-p.part.BeginNs)/1e9)
			p.judged(r)
		}
	}
}

// judged notes a result with its value.
func (p *Pass) judged(r Result) {
	if r.Verdict = Kept; r.Value > r.Budget.allowed() {
		r.Verdict = Broken
	}
	p.targets = append(p.targets, target{r, true})
}

// allowed is the greatest allowed value.
func (b *Budget) allowed() float64 {
	if b.HasShare {
		return b.Share
	}
	return b.Limit
}

// callValue is the figure of a budget on the calls of a collector. For sums that is the sum per
// second, or the whole of it; for calls the greatest, the least or the mean of them.
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

// series checks measurements over time.
func (p *Pass) series(b *Budget) {
	name, thread := meant(b.Series), meant(b.Thread)
	for _, group := range p.s.Series().ByGroup() {
		for _, id := range group.Series {
			x := p.s.Series().ByID(id)
			d := &x.Def
			if x.Len() == 0 || d.Role.OfStacks() || !matches(name, meant(d.Name)) || b.Unit != "" && b.Unit != d.Unit {
				continue
			}
			r := Result{Budget: b, What: d.Name, Unit: d.Unit, Track: d.Track, Collector: model.NoCollector, Series: id}
			if t := p.s.Track(d.Track); t != nil {
				r.Thread = t.Title()
			}
			if b.Thread != "" && !matches(thread, meant(r.Thread)) {
				continue
			}
			st := x.Stats(p.part.BeginNs, p.part.EndNs)
			if st.Estimated && b.At != Min && b.At != Mean && b.At != Max && b.At != Sum {
				st = x.ExactStats(p.part.BeginNs, p.part.EndNs)
			}
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
			p.judged(r)
		}
	}
}
