package find

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/args"
	"framescope/model/lanes"
	"framescope/model/spans"
	"framescope/model/store"
)

// ArgGroup sums up calls that have the same value for an argument.
type ArgGroup struct {
	Value        model.ArgValue
	Count        int64
	SumNs        int64 // their lengths, one after the other
	MinNs, MaxNs int64
}

const (
	// MostArgGroups is how many values are told apart at most: those with the greatest sums.
	MostArgGroups = 1000

	// mostArgValues bounds the values that a part of the lanes gathers: calls with a value that comes
	// behind so many others count for the rest.
	mostArgValues = 1 << 16
)

// ByArg sums up the calls that an expression finds by the value that they have for an argument, a little
// at a time. The zero value is ready for Start.
type ByArg struct {
	// Groups are those with the greatest sums, once Step has returned true; Rest sums up the calls with
	// other values, which has none of its own. All sums up both.
	Groups    []ArgGroup
	Rest, All ArgGroup

	search spans.CallSearch
	parts  []*argSums
}

// Start begins with the calls on some tracks that begin in [t0, t1), or go on in it, and have an argument
// of a key.
func (x *ByArg) Start(s *store.Session, e *Expr, key string, tracks []model.TrackID, t0, t1 int64) {
	x.Groups, x.Rest, x.All, x.parts = x.Groups[:0], noCalls(), noCalls(), x.parts[:0]
	q := e.Argued(key).Query(s, tracks, t0, t1)
	q.Bare, q.Limit = true, 1
	q.Seen = func() func(spans.Ref, []lanes.Found) {
		p := &argSums{table: s.Args(), key: key, rest: noCalls(), at: map[model.ArgValue]int{}}
		x.parts = append(x.parts, p)
		return p.add
	}
	x.search.Start(s.Spans(), q)
}

// Step goes on for about as many spans as work says, and tells whether that was all.
func (x *ByArg) Step(work int64) (done bool) {
	if !x.search.Step(work) {
		return false
	}
	if x.parts != nil {
		x.sum()
		x.parts = nil
	}
	return true
}

// Progress returns the share of the calls that was looked at, from 0 to 1.
func (x *ByArg) Progress() float64 { return x.search.Progress() }

// Visited returns the work done: spans and list entries looked at.
func (x *ByArg) Visited() int64 { return x.search.Visited }

func noCalls() ArgGroup { return ArgGroup{MinNs: math.MaxInt64} }

// sum puts together what the parts have.
func (x *ByArg) sum() {
	at := map[model.ArgValue]int{}
	for _, p := range x.parts {
		x.Rest.add(&p.rest)
		for i := range p.groups {
			g := &p.groups[i]
			k, ok := at[g.Value]
			if !ok {
				k = len(x.Groups)
				at[g.Value], x.Groups = k, append(x.Groups, ArgGroup{Value: g.Value, MinNs: math.MaxInt64})
			}
			x.Groups[k].add(g)
		}
	}
	slices.SortFunc(x.Groups, func(a, b ArgGroup) int {
		return cmp.Or(cmp.Compare(b.SumNs, a.SumNs), cmp.Compare(b.Count, a.Count), CompareArgs(a.Value, b.Value))
	})
	for i := range x.Groups {
		if i >= MostArgGroups {
			x.Rest.add(&x.Groups[i])
		} else {
			x.All.add(&x.Groups[i])
		}
	}
	x.Groups = x.Groups[:min(len(x.Groups), MostArgGroups)]
	x.All.add(&x.Rest)
}

// CompareArgs orders values: numbers before texts.
func CompareArgs(a, b model.ArgValue) int {
	if a.Kind != model.ArgText && b.Kind != model.ArgText {
		sign, _ := compareNumbers(a, b)
		return cmp.Or(sign, cmp.Compare(a.Bits(), b.Bits()))
	}
	return cmp.Or(cmp.Compare(min(b.Kind, 1), min(a.Kind, 1)), cmp.Compare(a.Text, b.Text))
}

func (g *ArgGroup) add(x *ArgGroup) {
	g.Count, g.SumNs = g.Count+x.Count, g.SumNs+x.SumNs
	g.MinNs, g.MaxNs = min(g.MinNs, x.MinNs), max(g.MaxNs, x.MaxNs)
}

// argSums are those of a part of the lanes.
type argSums struct {
	table  *args.Table
	key    string
	id     args.KeyID // of the key
	rev    uint64     // of the table, as of which that and the cursor hold
	lane   spans.Ref
	cursor args.Cursor
	some   bool // there is a cursor

	at     map[model.ArgValue]int
	groups []ArgGroup
	rest   ArgGroup
}

// add adds calls of a lane, in order of time, which all have the argument.
func (p *argSums) add(of spans.Ref, found []lanes.Found) {
	if !p.some || p.rev != p.table.Revision() || of.Track != p.lane.Track || of.Lane != p.lane.Lane {
		p.id, p.rev = args.KeyID(slices.Index(p.table.Keys(), p.key)), p.table.Revision()
		p.cursor.Reset(p.table, of.Track, int(of.Lane))
		p.lane, p.some = of, true
	}
	for i := range found {
		f := &found[i]
		if !p.cursor.To(f.Index) || p.cursor.Index() != f.Index {
			continue
		}
		for _, c := range p.cursor.Each() {
			if c.Key == p.id {
				p.group(p.table.Value(c)).add(&ArgGroup{Count: 1, SumNs: f.Ns, MinNs: f.Ns, MaxNs: f.Ns})
			}
		}
	}
}

// group returns the sums of a value.
func (p *argSums) group(v model.ArgValue) *ArgGroup {
	k, ok := p.at[v]
	if !ok {
		if k = len(p.groups); k == mostArgValues {
			return &p.rest
		}
		p.at[v], p.groups = k, append(p.groups, ArgGroup{Value: v, MinNs: math.MaxInt64})
	}
	return &p.groups[k]
}
