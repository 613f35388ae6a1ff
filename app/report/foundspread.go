package report

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/args"
	"framescope/model/measure"
	"framescope/model/spans"
	"framescope/model/store"
)

// foundSpread is how the lengths of found calls spread; --stats of a report has it.
type foundSpread struct {
	Self   *int64   `json:"self_ns,omitempty"` // of all calls, without callees; left out with asynchronous spans
	Median *float64 `json:"median_ns,omitempty"`
	P95    *int64   `json:"p95_ns,omitempty"`
	P99    *int64   `json:"p99_ns,omitempty"`
	StdDev *float64 `json:"std_dev_ns,omitempty"`
}

// foundArg is the numbers that found calls have as an argument.
type foundArg struct {
	Argument string  `json:"argument"` // its key
	Values   int64   `json:"count"`    // how many calls have a number there
	Sum      float64 `json:"sum"`
	Mean     float64 `json:"mean"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
}

// foundLengths is the lengths and self times of calls.
type foundLengths struct {
	ns    []int64
	self  int64
	async bool // some have no self time
}

// add adds other calls.
func (l *foundLengths) add(other *foundLengths) {
	l.ns = append(l.ns, other.ns...)
	l.self += other.self
	l.async = l.async || other.async
}

// spread sorts the lengths and returns their figures.
func (l *foundLengths) spread() (f foundSpread) {
	if len(l.ns) == 0 {
		return f
	}
	slices.Sort(l.ns)
	n := int64(len(l.ns))
	low, high := measure.Middle(n)
	median := (float64(l.ns[low]) + float64(l.ns[high])) / 2
	p95, p99 := l.ns[measure.Rank(n, 95)], l.ns[measure.Rank(n, 99)]
	sum, squares := 0.0, 0.0
	for _, ns := range l.ns {
		sum += float64(ns)
	}
	mean := sum / float64(n)
	for _, ns := range l.ns {
		squares += (float64(ns) - mean) * (float64(ns) - mean)
	}
	deviation := math.Sqrt(squares / float64(n))
	f = foundSpread{Median: &median, P95: &p95, P99: &p99, StdDev: &deviation}
	if self := l.self; !l.async {
		f.Self = &self
	}
	return f
}

// foundValues gathers what --stats shows besides times: lengths by place, and numbers of arguments by key.
type foundValues struct {
	s       *store.Session
	lengths map[foundPlace]*foundLengths
	args    map[args.KeyID]*foundArg
	hard    []hardCall
}

// hardCall is a call whose self time needs the call tree of its time, which the search must not use.
type hardCall struct {
	lane spans.Ref
	call spans.Found
}

func newFoundValues(s *store.Session) *foundValues {
	return &foundValues{s: s, lengths: map[foundPlace]*foundLengths{}, args: map[args.KeyID]*foundArg{}}
}

// add takes found calls of a lane, in order of time.
func (v *foundValues) add(of spans.Ref, found []spans.Found, below *spans.Below) {
	cursor := v.s.Args().Cursor(of.Track, int(of.Lane))
	for i := range found {
		f := &found[i]
		l := v.at(foundPlace{of.Track, f.Path})
		l.ns = append(l.ns, f.Ns)
		if _, id := v.s.Path(f.Path); v.s.Collector(id).Async {
			l.async = true
		} else {
			self, _, ok := v.s.Spans().SelfByRow(of, f, below)
			if l.self += self; !ok {
				v.hard = append(v.hard, hardCall{of, *f})
			}
		}
		if cursor.To(f.Index) && cursor.Index() == f.Index {
			v.addArgs(cursor.Each())
		}
	}
}

// finish adds the self times that were left, after the search.
func (v *foundValues) finish() {
	for i := range v.hard {
		c := &v.hard[i]
		self, _ := v.s.Spans().SelfNs(c.lane, &c.call)
		v.at(foundPlace{c.lane.Track, c.call.Path}).self += self
	}
	v.hard = nil
}

// at returns the lengths of a thread's calls along a call path.
func (v *foundValues) at(p foundPlace) *foundLengths {
	l := v.lengths[p]
	if l == nil {
		l = &foundLengths{}
		v.lengths[p] = l
	}
	return l
}

// addArgs takes the arguments of a call.
func (v *foundValues) addArgs(cells []args.Cell) {
	for _, c := range cells {
		if c.Kind == model.ArgText {
			continue
		}
		x := v.s.Args().Value(c).Float()
		a := v.args[c.Key]
		if a == nil {
			a = &foundArg{Argument: v.s.Args().Keys()[c.Key], Min: x, Max: x}
			v.args[c.Key] = a
		}
		a.Values++
		a.Sum += x
		a.Min, a.Max = min(a.Min, x), max(a.Max, x)
	}
}

// argsByName returns the numbers of arguments, by name.
func (v *foundValues) argsByName() (list []foundArg) {
	for _, a := range v.args {
		a.Mean = a.Sum / float64(a.Values)
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b foundArg) int { return cmp.Compare(a.Argument, b.Argument) })
	return list
}
