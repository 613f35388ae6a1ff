package why

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
	"framescope/model/store"
)

// Sampled stacks have neither frames nor calls that could be longer than others. For a range of time,
// this file finds the methods with more samples than chance allows, judged by their share elsewhere.

// Stretch is the time [BeginNs, EndNs).
type Stretch struct{ BeginNs, EndNs int64 }

func (x Stretch) has(ns int64) bool { return ns >= x.BeginNs && ns < x.EndNs }

// Surplus is a method that has more samples in a stretch of time than chance allows.
type Surplus struct {
	Track     model.TrackID
	Collector model.CollectorID
	Self      bool // it is innermost in them; else they have it on their stack
	Baseline  bool // elsewhere is another session
	// There and Elsewhere are how many samples of the thread have it, OfThere and OfElsewhere how many
	// there are.
	There, OfThere, Elsewhere, OfElsewhere int64
	// Error and ErrorElsewhere are the standard deviations of the shares, as far as sampling causes
	// them; samples in a row with the information of a single one count once.
	Error, ErrorElsewhere float64
	// P is how likely it is that it has so many by chance, corrected for the number of tests.
	P float64
}

// Share returns the share of the samples there that have it, and of those elsewhere.
func (x *Surplus) Share() (there, elsewhere float64) {
	return float64(x.There) / float64(max(x.OfThere, 1)), float64(x.Elsewhere) / float64(max(x.OfElsewhere, 1))
}

// Surpluses is the result for a range of time.
type Surpluses struct {
	List                 []Surplus // those that chance does not explain, greatest first
	Best                 Surplus   // the one over most of the rest; OfThere is 0 without one
	Tests                int       // how many were made
	Threads              int       // that have samples in both
	OfThere, OfElsewhere int64     // samples of these
}

// leastSamples is the fewest samples of a thread with a method that are tested: with fewer, no order
// would be rare enough. A method in all samples is not tested either.
const leastSamples = 6

// Samples returns the methods of some threads with more samples in one range of time than chance
// allows, against another, or against all the rest of the recording. Cost: O(samples) for each method
// of each thread with enough of them.
func Samples(s *store.Session, tracks []model.TrackID, there, elsewhere Stretch) Surpluses {
	f := NewSampleSearch(s, tracks, there, elsewhere)
	for !f.Step(math.MaxInt64) {
	}
	return f.Found()
}

// SamplesOver is Samples against a range of another session, with threads and methods matched by name.
func SamplesOver(
	s *store.Session, tracks []model.TrackID, there Stretch, other *store.Session, elsewhere Stretch,
) Surpluses {
	f := NewSampleSearch(s, tracks, there, elsewhere)
	f.other = other
	for !f.Step(math.MaxInt64) {
	}
	return f.Found()
}

// SampleSearch is Samples, a piece at a time.
type SampleSearch struct {
	surplusFinder
	tracks []model.TrackID // that are left
	done   bool
}

// NewSampleSearch returns a search that has not begun.
func NewSampleSearch(s *store.Session, tracks []model.TrackID, there, elsewhere Stretch) *SampleSearch {
	return &SampleSearch{surplusFinder: surplusFinder{s: s, there: there, elsewhere: elsewhere},
		tracks: slices.Clone(tracks)}
}

// Step continues until about that many samples were read, the same one for each test. true: the
// search is over.
func (f *SampleSearch) Step(samples int64) (done bool) {
	for until := f.looked + min(samples, math.MaxInt64-f.looked); !f.done && f.looked < until; {
		switch {
		case f.samples != nil:
			if f.read(until) {
				f.samples = nil
				f.list()
			}
		case len(f.order) > 0:
			f.test(f.of, f.order[0], f.methods[f.order[0]])
			f.order = f.order[1:]
		case len(f.tracks) > 0:
			f.begin(f.tracks[0])
			f.tracks = f.tracks[1:]
		default:
			f.finish()
			f.done = true
		}
	}
	return f.done
}

// Found returns the results; it is empty until the search is over.
func (f *SampleSearch) Found() Surpluses { return f.out }

// finish corrects the probabilities, and keeps the results that chance does not explain.
func (f *surplusFinder) finish() {
	p := make([]float64, len(f.found))
	for i := range p {
		p[i] = f.found[i].P
	}
	compare.Correct(p)
	for i := range f.found {
		x := &f.found[i]
		if x.P = p[i]; x.P < compare.ErrorRate {
			f.out.List = append(f.out.List, *x)
		} else if f.out.Best.OfThere == 0 || x.excess() > f.out.Best.excess() {
			f.out.Best = *x
		}
	}
	slices.SortStableFunc(f.out.List, func(a, b Surplus) int { return cmp.Compare(b.excess(), a.excess()) })
	f.out.Tests = len(f.found)
}

// excess is how many samples there it has more than it would have at the rate elsewhere.
func (x *Surplus) excess() float64 {
	_, elsewhere := x.Share()
	return float64(x.There) - elsewhere*float64(x.OfThere)
}

// surplusFinder is the work of Samples, of one thread after another.
type surplusFinder struct {
	s                *store.Session
	other            *store.Session // session of elsewhere; nil: s
	there, elsewhere Stretch
	found            []Surplus
	out              Surpluses
	looked           int64 // at samples

	of      model.TrackID
	samples *spans.Series // that are being read
	beside  *spans.Series // of the other session, which are read next
	inOther bool          // those of the other session are read
	next    int64         // the position of the next one
	order   []methodKey   // that are left to be tested
	methods map[methodKey][]int32

	stacks []stack                      // each that occurs
	at     map[stack]int32              // its index
	names  map[string]model.CollectorID // of the session, by full name
	sides  [2][]int32                   // of the samples, in order: the indices of their stacks
	has    []bool                       // by stack
	values [2][]float64
}

// stack is one of either session.
type stack struct {
	path    model.PathID
	ofOther bool // of the other one
}

// methodKey is a method as it is tested.
type methodKey struct {
	collector model.CollectorID
	self      bool
}

// begin begins with a thread.
func (f *surplusFinder) begin(id model.TrackID) {
	f.of, f.order = id, nil
	f.samples, f.beside, f.inOther = samplesOf(f.s, id), nil, false
	if f.samples == nil {
		return
	}
	if f.other != nil {
		if f.beside = f.sameThread(id); f.beside == nil {
			f.samples = nil
			return
		}
	}
	f.next, _ = f.samples.Positions()
	f.stacks, f.at = f.stacks[:0], map[stack]int32{}
	for side := range f.sides {
		f.sides[side] = f.sides[side][:0]
	}
}

// list lists the methods that are to be tested, of samples that were read.
func (f *surplusFinder) list() {
	if len(f.sides[0]) == 0 || len(f.sides[1]) == 0 {
		return
	}
	f.has = make([]bool, len(f.stacks))
	f.out.Threads++
	f.out.OfThere += int64(len(f.sides[0]))
	f.out.OfElsewhere += int64(len(f.sides[1]))
	methods := map[methodKey][]int32{}
	var order []methodKey
	add := func(k methodKey, stack int32) {
		on, known := methods[k]
		if !known {
			order = append(order, k)
		}
		if n := len(on); n == 0 || on[n-1] != stack { // recursive calls are there once
			methods[k] = append(on, stack)
		}
	}
	for i, x := range f.stacks {
		for p, self := x.path, true; p != model.PathRoot; self = false {
			parent, c := f.method(x.ofOther, p)
			if self && c != model.NoCollector {
				add(methodKey{c, true}, int32(i))
			}
			if c != model.NoCollector {
				add(methodKey{c, false}, int32(i))
			}
			p = parent
		}
	}
	seen := map[string]bool{} // callers that are always there together are tested once: the innermost
	var name []byte
	for _, k := range order {
		name = name[:0]
		for _, i := range methods[k] {
			name = append(name, byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
		}
		if !seen[string(name)] {
			seen[string(name)] = true
			f.order = append(f.order, k)
		}
	}
	f.methods = methods
}

// method returns the parent of a path of either session, and the method of the session that it is
// in; NoCollector if the session has none of its name.
func (f *surplusFinder) method(ofOther bool, p model.PathID) (parent model.PathID, c model.CollectorID) {
	if !ofOther {
		return f.s.Path(p)
	}
	parent, c = f.other.Path(p)
	if f.names == nil {
		f.names = map[string]model.CollectorID{}
		all := f.s.Collectors().Tree().All
		for i := range all {
			f.names[all[i].Title()] = all[i].ID
		}
	}
	if of := f.other.Collectors().ByID(c); of != nil {
		if same, ok := f.names[of.Title()]; ok {
			return parent, same
		}
	}
	return parent, model.NoCollector
}

// sameThread returns the sampled stacks of the thread of the other session that has the name of a thread of this
// one, nil where there is none.
func (f *surplusFinder) sameThread(id model.TrackID) *spans.Series {
	for i := range model.TrackID(f.other.NumTracks()) {
		if x := samplesOf(f.other, i); x != nil && f.other.Track(i).Title() == f.s.Track(id).Title() {
			return x
		}
	}
	return nil
}

// samplesOf returns the sampled stacks of a thread, nil where it has none.
func samplesOf(s *store.Session, id model.TrackID) *spans.Series {
	for _, series := range s.Series().ByTrack(id) {
		if x := s.Series().ByID(series); x.Def.Role == model.RoleStack && x.Len() > 0 {
			return x
		}
	}
	return nil
}

// read takes the samples of both sides until so many were looked at. true: it has all.
func (f *surplusFinder) read(until int64) bool {
	if !f.readOf(until) {
		return false
	}
	if f.beside == nil {
		return true
	}
	f.samples, f.beside, f.inOther = f.beside, nil, true
	f.next, _ = f.samples.Positions()
	return f.readOf(until)
}

// readOf is read of one session.
func (f *surplusFinder) readOf(until int64) bool {
	first, end := f.samples.Positions()
	for f.next = max(f.next, first); f.next < end && f.looked < until; f.next++ {
		f.looked++
		r, side := f.samples.Row(f.next), 0
		switch {
		case !f.inOther && f.there.has(r.Time):
		case f.inOther == (f.other != nil) && f.elsewhere.has(r.Time):
			side = 1
		default:
			continue
		}
		if r.Gap() {
			continue
		}
		of := stack{model.PathID(r.Value), f.inOther}
		at, known := f.at[of]
		if !known {
			at = int32(len(f.stacks))
			f.at[of] = at
			f.stacks = append(f.stacks, of)
		}
		f.sides[side] = append(f.sides[side], at)
	}
	return f.next >= end
}

// test tests a method that some stacks have.
func (f *surplusFinder) test(id model.TrackID, k methodKey, stacks []int32) {
	f.looked += int64(len(f.sides[0]) + len(f.sides[1]))
	clear(f.has)
	for _, i := range stacks {
		f.has[i] = true
	}
	x := Surplus{Track: id, Collector: k.collector, Self: k.self, Baseline: f.other != nil}
	var n [2]int64
	for side, samples := range f.sides {
		v := f.values[side][:0]
		for _, i := range samples {
			if f.has[i] {
				v = append(v, 1)
				n[side]++
			} else {
				v = append(v, 0)
			}
		}
		f.values[side] = v
	}
	x.There, x.OfThere, x.Elsewhere, x.OfElsewhere = n[0], int64(len(f.sides[0])), n[1], int64(len(f.sides[1]))
	if n[0]+n[1] < leastSamples || n[0]+n[1] == x.OfThere+x.OfElsewhere {
		return
	}
	a, b := x.Share()
	x.P = 1
	if a > b {
		x.P = compare.Surplus(f.values[0], f.values[1])
	}
	x.Error = shareError(a, f.values[0])
	x.ErrorElsewhere = shareError(b, f.values[1])
	f.found = append(f.found, x)
}

// shareError returns the standard deviation of a share of samples.
func shareError(share float64, x []float64) float64 {
	return math.Sqrt(share * (1 - share) * compare.AutocorrelationTime(x) / float64(len(x)))
}
