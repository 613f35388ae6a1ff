package why

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
)

// Cause is what hitches with one root cause have in common.
type Cause struct {
	Of        model.TrackID     // the track with the hitches
	Role      model.TrackID     // of the root cause, see Link
	Collector model.CollectorID // of the root cause
	Within    model.CollectorID // of a wait, see Link
	// NoProcessor: a thread was Runnable, whatever it was in; Collector and Within are 0.
	NoProcessor bool
}

// Cause returns what the hitch has in common with others.
func (h *Hitch) Cause() Cause {
	if h.Root.State == Runnable {
		return Cause{Of: h.Of.Track, Role: h.Root.Role, NoProcessor: true}
	}
	return Cause{h.Of.Track, h.Root.Role, h.Root.Collector, h.Root.Within, false}
}

// Group is the hitches of a track that have one root cause.
type Group struct {
	Cause
	Track   model.TrackID // of the worst root cause
	Threads int           // on how many threads of one role the causes are
	How     How           // of the worst
	Hitches []Hitch
	Worst   Hitch
	// PeriodNs is the middle of the times from one to the next, 0 where there are fewer than three; they
	// are Regular where there are at least three such times, half of them are within a quarter of it, and
	// the hitches are not one burst.
	PeriodNs int64
	Regular  bool
	// Trend is by how much the excess of the newer half is over that of the older half, as a share of
	// that: 0.5 is half as much again. It is 0 where that may well be chance, by a rank test at 5 %.
	Trend float64
}

// Groups appends the explained hitches of a track, grouped by root cause, greatest total excess
// first. It reuses the memory behind the end of out.
func (e *Engine) Groups(track model.TrackID, out []Group) []Group {
	return e.GroupsOf(e.Hitches(track), out)
}

// GroupsOf is Groups for some hitches, in order, of a track or of several.
func (e *Engine) GroupsOf(all []Hitch, out []Group) []Group {
	from := len(out)
	for _, h := range all {
		k := from
		for k < len(out) && out[k].Cause != h.Cause() {
			k++
		}
		if k == len(out) {
			var hitches []Hitch
			if k < cap(out) {
				hitches = out[:k+1][k].Hitches[:0]
			}
			out = append(out, Group{Cause: h.Cause(), Track: h.Root.Track, Hitches: hitches})
		}
		g := &out[k]
		g.Hitches = append(g.Hitches, h)
		if h.DurationNs > g.Worst.DurationNs {
			g.Worst, g.How, g.Track = h, h.Root.How, h.Root.Track
		}
	}
	for k := from; k < len(out); k++ {
		e.times = out[k].finish(e.times)
		out[k].Threads = out[k].threads()
	}
	slices.SortStableFunc(out[from:], func(a, b Group) int { return cmp.Compare(b.ExcessNs(), a.ExcessNs()) })
	return out
}

// roleOf returns the first thread of the same role: its name differs in the number at the end alone. It is chance
// which worker does a job. A thread without others of its role stands for itself.
func (e *Engine) roleOf(id, of model.TrackID) model.TrackID {
	t := e.s.Track(id)
	if t == nil || id == of || !t.Def.Kind.Calls() {
		return id
	}
	for other := range id {
		if x := e.s.Track(other); other != of && x.Def.Kind == t.Def.Kind && sameRole(x.Def.Name, t.Def.Name) {
			return other
		}
	}
	return id
}

// sameRole reports whether names are those of threads of one role.
func sameRole(a, b string) bool {
	const digits = "0123456789"
	x, y := strings.TrimRight(a, digits), strings.TrimRight(b, digits)
	return x != "" && x == y && len(x) < len(a) && len(y) < len(b)
}

// threads counts the threads that the causes are on.
func (g *Group) threads() (n int) {
	for i := range g.Hitches {
		on := g.Hitches[i].Root.Track
		if !slices.ContainsFunc(g.Hitches[:i], func(h Hitch) bool { return h.Root.Track == on }) {
			n++
		}
	}
	return n
}

// ExcessNs returns the total time of its hitches over the typical.
func (g *Group) ExcessNs() (ns int64) {
	for i := range g.Hitches {
		ns += g.Hitches[i].ExcessNs
	}
	return ns
}

// finish finds out the period and the trend, in memory that it returns.
func (g *Group) finish(times []int64) []int64 {
	n := len(g.Hitches)
	if n >= 3 {
		times = times[:0]
		for i := range n - 1 {
			times = append(times, g.Hitches[i+1].BeginNs-g.Hitches[i].BeginNs)
		}
		slices.Sort(times)
		far := (n - 2) / 4
		g.PeriodNs = times[(n-2)/2]
		g.Regular = n >= 4 && 4*(g.PeriodNs-times[far]) <= g.PeriodNs && 4*(times[n-2-far]-g.PeriodNs) <= g.PeriodNs &&
			g.PeriodNs > 2*g.Hitches[n/2].DurationNs
	}
	return g.findTrend(times)
}

// findTrend compares the newer half with the older one by a rank test (Mann and Whitney's, by its
// normal approximation), in memory that it returns.
func (g *Group) findTrend(times []int64) []int64 {
	const fewest = 4 // per half: fewer give the test no power
	n, half := len(g.Hitches), len(g.Hitches)/2
	if half < fewest {
		return times
	}
	times = times[:0]
	for i := range g.Hitches {
		times = append(times, g.Hitches[i].ExcessNs)
	}
	older, newer := times[:half], times[n-half:]
	slices.Sort(older)
	slices.Sort(newer)
	above, m := 0.0, float64(half) // pairs in which the newer is above the older
	for _, ns := range newer {
		below, _ := slices.BinarySearch(older, ns)
		upTo, _ := slices.BinarySearch(older, ns+1)
		above += float64(below+upTo) / 2
	}
	const fivePercent = 1.96
	if math.Abs(above-m*m/2) >= fivePercent*m*math.Sqrt((2*m+1)/12) {
		was, is := older[(half-1)/2], newer[(half-1)/2]
		g.Trend = float64(is-was) / float64(max(was, 1))
	}
	return times
}
