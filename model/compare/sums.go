package compare

import (
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Summed is the subject of sums: a measure that both sessions have.
type Summed struct {
	Measures [2]spans.Measure
	Unit     string // ns, B, or another word; empty for counts
}

// Share returns which part of all of a side a sum is, 0 of nothing.
func (r *Result) Share(f *Figure, side int) float64 {
	if of := r.Totals[side]; of > 0 {
		return [...]float64{f.A, f.B}[side] / of
	}
	return 0
}

// timeless reports whether a side has no times, so that sums are all there is.
func timeless(sides *[2]Side) bool {
	return sides[0].Session.Info().Sampling.Timeless || sides[1].Session.Info().Sampling.Timeless
}

// Summables returns the measures that both sides have sums of if one of them has no times, the one
// that A shows first at the beginning; nothing if both have times.
func Summables(a, b *Side) (out []Summed) {
	sides := [2]Side{*a, *b}
	if !timeless(&sides) {
		return nil
	}
	var all [2][]spans.Measure
	for i := range sides {
		all[i] = sides[i].Session.Spans().Measures(sides[i].summed(), nil)
	}
	for _, m := range all[0] {
		for _, n := range all[1] {
			v, weighed := a.Session.Spans().Weight(m)
			w, too := b.Session.Spans().Weight(n)
			if weighed != too || weighed && v != w || !weighed && m != n {
				continue
			}
			x := Summed{Measures: [2]spans.Measure{m, n}, Unit: v.Unit}
			if m == spans.MeasureDuration || m == spans.MeasureCPU {
				x.Unit = "ns"
			}
			out = append(out, x)
			break
		}
	}
	return out
}

// summed are the tracks of a side that anything is summed up of.
func (s *Side) summed() (out []model.TrackID) {
	eachSummed(s, func(id model.TrackID, _ *store.Track) { out = append(out, id) })
	return out
}

// eachSummed is each of the tracks that anything is summed up of.
func eachSummed(s *Side, fn func(id model.TrackID, t *store.Track)) {
	for id := range model.TrackID(s.Session.NumTracks()) {
		t := s.Session.Track(id)
		if t != nil && s.has(id) && t.Def.Kind.Calls() && len(s.Session.Spans().Measures([]model.TrackID{id}, nil)) > 0 {
			fn(id, t)
		}
	}
}

// runSums compares sums.
func (c *Comparison) runSums(yield func(cost int) bool) {
	all := Summables(&c.sides[0], &c.sides[1])
	if len(all) == 0 {
		c.result.Sums, c.done = &Summed{}, true
		return
	}
	c.result.Sums = &all[min(max(c.sum, 0), len(all)-1)]
	c.summedThreads()
	for k := range c.result.Threads {
		for side := range c.sides {
			if !yield(c.gatherSums(k, side)) {
				return
			}
		}
	}
	for _, rows := range [][]row{c.rows.collectors, c.rows.paths} {
		for i := range rows {
			rows[i].sum()
		}
	}
	c.order()
	c.done, c.rows = true, rowTable{}
}

// summedThreads finds the threads of both sides: those of one kin are one. Where none of A is one of B,
// as one of the two has stacks of no thread, all of each side are.
func (c *Comparison) summedThreads() {
	list := kins(&c.sides, eachSummed)
	if !slices.ContainsFunc(list, func(k kin) bool { return len(k.tracks[0]) > 0 && len(k.tracks[1]) > 0 }) {
		c.add("all threads", kin{tracks: [2][]model.TrackID{c.sides[0].summed(), c.sides[1].summed()}})
		return
	}
	for _, k := range list {
		c.add(k.name, k)
	}
}

// gatherSums adds up one thread of one side, and returns the cost.
func (c *Comparison) gatherSums(thread, side int) (cost int) {
	th, s := &c.result.Threads[thread], &c.sides[side]
	if len(th.All[side]) == 0 {
		return 1
	}
	u := &unit{thread: thread, side: side, table: s.Session.Collectors()}
	s.Session.Spans().TreeOf(c.result.Sums.Measures[side], th.All[side], s.BeginNs, s.EndNs, &c.tree)
	th.Frames[side], th.Looked[side] = 1, 1
	c.result.Totals[side] += float64(c.tree.Total)
	c.each(u, func(v *values, total, self, count int64) {
		v.sums[0] += total
		v.sums[1] += self
		v.calls += count
	})
	return len(c.tree.Nodes) + 1
}

// sum fills in the figures of a row of sums.
func (r *row) sum() {
	for k, f := range [...]*Figure{&r.Total, &r.Self} {
		f.Known = k == 0 || !r.async
		f.A, f.B = float64(r.sides[0].sums[k]), float64(r.sides[1].sums[k])
		f.untested()
		f.Lack = LacksTimes
		if f.only(true); f.A == f.B {
			f.Verdict = Identical
		}
	}
}
