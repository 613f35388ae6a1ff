package truth

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// plain is a session, one span at a time: slow, and simple enough to be believed.
type plain struct {
	s      *store.Session
	spans  map[model.TrackID][]span   // in the order of their beginnings, callers first
	arrows *flowsOf                   // nil: not asked for yet
	beside map[model.PathID]bool      // of spans that are no calls: all of them count
	async  map[model.CollectorID]bool // of which spans are no calls, but things that are under way at the same time
	called map[*span]call             // what was worked out already
	counts map[string]float64         // of things, once they were counted
}

// span is a call. It counts for one call path after another: when its caller ends before it does,
// its caller's caller is its caller from then on.
type span struct {
	spans.Bar
	pieces []piece
}

// piece is a call path for which a span counts, until the next one begins.
type piece struct {
	begin int64
	path  model.PathID
}

func newPlain(s *store.Session) *plain {
	p := &plain{s: s, spans: map[model.TrackID][]span{}, async: map[model.CollectorID]bool{}, beside: map[model.PathID]bool{},
		called: map[*span]call{}, counts: map[string]float64{}}
	paths := map[[2]int64]model.PathID{}
	for id := model.PathID(1); int(id) <= s.Paths().Len(); id++ {
		up, c := s.Path(id)
		paths[[2]int64{int64(up), int64(c)}] = id
	}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		var all []span
		for lane := range t.Lanes() {
			bars := s.Spans().Visible(id, lane, math.MinInt64/2, math.MaxInt64/2, 0, nil)
			all = slices.Grow(all, len(bars))
			for _, b := range bars {
				all = append(all, span{b, []piece{{b.Begin, b.Path}}})
				if !t.Def.Kind.Calls() {
					p.async[b.Collector] = true
				}
			}
		}
		slices.SortStableFunc(all, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Lane, b.Ref.Lane))
		})
		findCallers(s, all, paths, t.Def.Kind.Calls())
		for i := range all {
			for _, part := range all[i].pieces {
				p.beside[part.path] = p.beside[part.path] || !t.Def.Kind.Calls()
			}
		}
		p.spans[id] = all
	}
	return p
}

// running is a span that has not ended, and its caller.
type running struct {
	span   *span
	caller *running
}

func (r *running) path() model.PathID { return r.span.pieces[len(r.span.pieces)-1].path }

// findCallers goes through the spans of a thread in time, and notes when they come to another call
// path. What is no call, and under way beside others of its path, lies inside what it came from.
func findCallers(s *store.Session, all []span, paths map[[2]int64]model.PathID, calls bool) {
	var open []*running // in the order of their beginnings
	end := func(until int64) {
		for {
			k := -1
			for i, r := range open { // of those that end at one time the innermost first
				if r.span.End < until && (k < 0 || r.span.End <= open[k].span.End) {
					k = i
				}
			}
			if k < 0 {
				return
			}
			over := open[k]
			open = slices.Delete(open, k, k+1)
			moved := map[*running]bool{}
			for _, r := range open[k:] {
				switch {
				case r.caller == over:
					r.caller = over.caller
				case !moved[r.caller]:
					continue
				}
				moved[r] = true
				up := model.PathRoot
				if r.caller != nil {
					up = r.caller.path()
				}
				if path, ok := paths[[2]int64{int64(up), int64(r.span.Collector)}]; ok {
					r.span.pieces = append(r.span.pieces, piece{over.span.End, path})
				}
			}
		}
	}
	for i := range all {
		x := &all[i]
		end(x.Begin)
		r := &running{span: x}
		if up, _ := s.Path(x.Path); up != model.PathRoot {
			came, _ := s.Spans().FramesOf(x.Ref, x.Begin)
			for _, c := range slices.Backward(open) {
				if with, _ := s.Spans().FramesOf(c.span.Ref, x.Begin); c.path() == up && with == came && (calls || c.span.End >= x.End) {
					r.caller = c
					break
				}
			}
		}
		open = append(open, r)
	}
	end(math.MaxInt64)
}

// node is a call path in a range: total with callees, self without, both cut to the range; calls
// are the spans that touch it.
type node struct {
	path, parent       model.PathID
	collector          model.CollectorID
	total, self, calls int64
}

// sums is what ran in a range, by call path and by collector.
type sums struct {
	nodes map[model.PathID]*node
	of    map[model.CollectorID]*figures
	total int64 // of the roots
}

// figures are those of a collector: of recursive calls the outermost counts for the total, of what is no call all; least,
// mean and greatest are of whole calls.
type figures struct {
	total, self, calls, least, most int64
	mean                            float64
	longest                         int64 // begin of the first of the longest
}

// touches tells whether a span is in [t0, t1): one that has no length where it begins in it.
func (x *span) touches(t0, t1 int64) bool { return x.Begin < t1 && (x.End > t0 || x.Begin >= t0) }

// inFrames is the part of a span that came with the frames among which the one at a position is.
func (p *plain) inFrames(x *span, position int64) (begin, end int64, ok bool) {
	search := func(beyond func(from, to int64) bool) int64 { // the first moment that is
		return x.Begin + int64(sort.Search(int(max(x.End-x.Begin, 1)), func(k int) bool {
			return beyond(p.s.Spans().FramesOf(x.Ref, x.Begin+int64(k)))
		}))
	}
	begin = search(func(_, to int64) bool { return to > position })
	end = min(search(func(from, _ int64) bool { return from > position }), x.End)
	if from, to := p.s.Spans().FramesOf(x.Ref, begin); position < from || position >= to {
		return begin, end, false
	}
	return begin, end, end > begin || begin == x.Begin
}

// sums works out what ran on tracks in [t0, t1).
func (p *plain) sums(tracks []model.TrackID, t0, t1 int64) *sums { return p.sumsOf(tracks, t0, t1, -1) }

// sumsOf is sums of what came with the frames among which the one at a position is; -1: with any.
func (p *plain) sumsOf(tracks []model.TrackID, t0, t1, position int64) *sums {
	if list := p.weights(); p.timeless() && len(list) > 0 {
		return p.stood(tracks, list[0])
	}
	out := &sums{nodes: map[model.PathID]*node{}, of: map[model.CollectorID]*figures{}}
	var whole = map[model.CollectorID]float64{}
	var at func(path model.PathID) *node
	at = func(path model.PathID) *node {
		n := out.nodes[path]
		if n == nil {
			parent, c := p.s.Path(path)
			n = &node{path: path, parent: parent, collector: c}
			out.nodes[path] = n
			if parent != model.PathRoot {
				at(parent)
			}
		}
		return n
	}
	for _, id := range tracks {
		for i := range p.spans[id] {
			x := &p.spans[id][i]
			if x.Begin >= t1 {
				break
			}
			if !x.touches(t0, t1) {
				continue
			}
			begin, end, counted := max(x.Begin, t0), min(x.End, t1), -1
			if position >= 0 {
				from, to, ok := p.inFrames(x, position)
				if begin, end = max(begin, from), min(end, to); !ok || end < begin || end == begin && x.End > x.Begin {
					continue
				}
			}
			for k, part := range x.pieces {
				to := end
				if k+1 < len(x.pieces) {
					to = min(to, x.pieces[k+1].begin)
				}
				if from := max(part.begin, begin); to > from || k == len(x.pieces)-1 && begin >= x.Begin && counted < 0 {
					n := at(part.path)
					n.total += max(to-from, 0)
					if counted < 0 { // once, where its first part is
						n.calls++
						counted = k
					}
				}
			}
			if x.Collector < 0 {
				continue // a path that was never defined has no name
			}
			f, ns := out.of[x.Collector], x.End-x.Begin
			if f == nil {
				f = &figures{least: ns, most: ns, longest: x.Begin}
				out.of[x.Collector] = f
			}
			if f.calls++; ns > f.most {
				f.most, f.longest = ns, x.Begin
			}
			f.least = min(f.least, ns)
			whole[x.Collector] += float64(ns)
		}
	}
	for _, n := range out.nodes {
		n.self += n.total
		if n.parent == model.PathRoot {
			out.total += n.total
		} else {
			out.nodes[n.parent].self -= n.total
		}
	}
	for _, n := range out.nodes {
		f := out.of[n.collector]
		if f == nil {
			continue // only above others, and not in the range itself
		}
		f.self += n.self
		if p.beside[n.path] || !p.within(n.parent, n.collector) {
			f.total += n.total
		}
	}
	for c, f := range out.of {
		f.mean = whole[c] / float64(f.calls)
	}
	return out
}

// within tells whether a collector is on a call path.
func (p *plain) within(path model.PathID, c model.CollectorID) bool {
	for path != model.PathRoot {
		up, of := p.s.Path(path)
		if of == c {
			return true
		}
		path = up
	}
	return false
}

// busy is how long at least one span of a track ran in [t0, t1).
func (p *plain) busy(id model.TrackID, t0, t1 int64) (ns int64) {
	to := t0
	for i := range p.spans[id] {
		x := &p.spans[id][i]
		if begin, end := max(x.Begin, to), min(x.End, t1); end > begin {
			ns += end - begin
			to = end
		}
	}
	return ns
}

// framed are the figures of a collector over frames: of its net time or of its level, in ns or its
// unit.
type framed struct {
	values          []float64 // of each frame, 0 where there was nothing
	own             []float64 // the own time of each frame
	numbers         []int64   // of the frames
	present, starts int64
}

// framed works out the figures of every collector over the frames [first, last] of a track.
func (p *plain) framed(id model.TrackID, levels bool, first, last int) map[model.CollectorID]*framed {
	out := map[model.CollectorID]*framed{}
	for i := first; i <= last; i++ {
		net, there, given := map[model.CollectorID]float64{}, map[model.CollectorID]bool{}, map[model.CollectorID]bool{}
		// A time counts for all whose names it is below; a level only as far as one that was sent itself,
		// which has it in it, and not for the root, as counters of different units have no sum.
		add := func(c model.CollectorID, v float64) {
			net[c] += v
			there[c] = true
			for guard := 0; c != 0 && guard < 64; guard++ {
				if c = p.s.Collector(c).Parent; given[c] || levels && c == 0 {
					break
				}
				net[c] += v
				there[c] = true
			}
		}
		get := func(c model.CollectorID) *framed {
			f := out[c]
			if f == nil {
				f = p.newFramed(id, first, last)
				out[c] = f
			}
			return f
		}
		if levels {
			sent := p.s.Frames().Levels(id, i, nil)
			for _, l := range sent {
				given[l.Collector] = true
			}
			for _, l := range sent {
				add(l.Collector, l.Value)
			}
		} else {
			for _, a := range p.s.Frames().Self(id, i, nil) {
				add(a.Collector, float64(a.Ns))
				get(a.Collector).own[i-first] += float64(a.Ns)
				get(a.Collector).starts += int64(a.Count)
			}
		}
		for c := range there {
			f := get(c)
			f.values[i-first] = net[c]
			f.present++
		}
	}
	return out
}

func (p *plain) newFramed(id model.TrackID, first, last int) *framed {
	f := &framed{values: make([]float64, last-first+1), own: make([]float64, last-first+1)}
	for i := first; i <= last; i++ {
		f.numbers = append(f.numbers, p.s.Track(id).Frame(i).Number)
	}
	return f
}

// times are when the first of some frames begins and the last of them ends.
func (p *plain) times(id model.TrackID, first, last int) (begin, end int64) {
	begin, end = math.MaxInt64, math.MinInt64
	for i := first; i <= last; i++ {
		f := p.s.Track(id).Frame(i)
		begin, end = min(begin, f.Begin), max(end, f.End)
	}
	return begin, end
}

// insideOf works out the times with callees: of each frame the total of what ran in it.
func (p *plain) insideOf(id model.TrackID, first, last int) map[model.CollectorID]*framed {
	out := map[model.CollectorID]*framed{}
	for i := first; i <= last; i++ {
		fr := p.s.Track(id).Frame(i)
		for c, ran := range p.sumsOf([]model.TrackID{id}, fr.Begin, fr.End, int64(i)).of {
			if out[c] == nil {
				out[c] = p.newFramed(id, first, last)
			}
			out[c].values[i-first] = float64(ran.total)
		}
	}
	return out
}

// maxFrame is the number of the first frame with the greatest value.
func (f *framed) maxFrame() (number int64) {
	most := math.Inf(-1)
	for i, v := range f.values {
		if v > most {
			most, number = v, f.numbers[i]
		}
	}
	return number
}

func (f *framed) sum() (v float64) {
	for _, x := range f.values {
		v += x
	}
	return v
}

func (f *framed) mean() float64 { return f.sum() / float64(len(f.values)) }

// rank returns the value that a share of all is at most, by nearest rank.
func (f *framed) rank(share float64) float64 {
	sorted := slices.Sorted(slices.Values(f.values))
	return sorted[min(max(int(math.Ceil(share*float64(len(sorted))))-1, 0), len(sorted)-1)]
}

// median is the mean of the middle two.
func (f *framed) median() float64 {
	sorted := slices.Sorted(slices.Values(f.values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// samples are the figures of a series over the samples in [t0, t1).
type samples struct {
	n, gaps                                     int64
	sum, least, mean, most, spread, first, last float64
	weighed                                     []weighed
	rate                                        float64
}

// weighed is a value and what it counts for: one, or the time for which it was in force.
type weighed struct{ value, weight float64 }

func (p *plain) samples(id model.SeriesID, t0, t1 int64) samples {
	x := p.s.Series().ByID(id)
	var out samples
	var firstAt, lastAt int64
	for _, v := range x.Samples(t0, t1, int(x.Len()), nil) {
		if v.Value != v.Value {
			out.gaps++
			continue
		}
		if out.n == 0 {
			out.first, firstAt = v.Value, v.Time
			out.least, out.most = v.Value, v.Value
		}
		out.last, lastAt = v.Value, v.Time
		out.n++
		out.sum += v.Value
		out.weighed = append(out.weighed, weighed{v.Value, 1})
		out.least, out.most = min(out.least, v.Value), max(out.most, v.Value)
	}
	if out.n == 0 {
		return out
	}
	if x.Def.Holds() { // until the next: all is by time
		var held []weighed
		all := x.Samples(math.MinInt64/2, math.MaxInt64/2, int(x.Len()), nil)
		for i := range len(all) - 1 {
			if ns := min(all[i+1].Time, t1) - max(all[i].Time, t0); ns > 0 && all[i].Value == all[i].Value {
				held = append(held, weighed{all[i].Value, float64(ns)})
				out.least, out.most = min(out.least, all[i].Value), max(out.most, all[i].Value)
			}
		}
		if len(held) > 0 {
			out.weighed = held
		}
	}
	slices.SortFunc(out.weighed, func(a, b weighed) int { return cmp.Compare(a.value, b.value) })
	area, all := 0.0, 0.0 // of what is above the least, so that equal values have just that mean
	for _, v := range out.weighed {
		area, all = area+(v.value-out.least)*v.weight, all+v.weight
	}
	out.mean = out.least + area/all
	for _, v := range out.weighed {
		out.spread += (v.value - out.mean) * (v.value - out.mean) * v.weight / all
	}
	out.spread = math.Sqrt(out.spread)
	switch {
	case x.Def.Kind == model.SeriesCounter && lastAt > firstAt:
		out.rate = (out.last - out.first) / (float64(lastAt-firstAt) / 1e9)
	case x.Def.Kind == model.SeriesEvent && t1 > t0 && out.n > 1: // what happened once has no rate
		out.rate = out.sum / (float64(t1-t0) / 1e9)
	}
	return out
}

func (x *samples) rank(share float64) float64 {
	all := 0.0
	for _, v := range x.weighed {
		all += v.weight
	}
	sum, need := 0.0, max(math.Ceil(share*all), 1)
	for _, v := range x.weighed {
		if sum += v.weight; sum >= need {
			return v.value
		}
	}
	return x.most
}

// stacks counts the samples of the stacks of a thread in a range: those with a collector on them,
// those with it innermost, and all that are not empty.
func (p *plain) stacks(id model.TrackID, t0, t1 int64) (with, innermost map[model.CollectorID]float64, all float64) {
	with, innermost = map[model.CollectorID]float64{}, map[model.CollectorID]float64{}
	for _, k := range p.s.Series().ByTrack(id) {
		x := p.s.Series().ByID(k)
		if x.Def.Role != model.RoleStack || x.Len() == 0 {
			continue
		}
		for _, v := range x.Samples(t0, t1, int(x.Len()), nil) {
			path := model.PathID(v.Value)
			if v.Value != v.Value || path == model.PathRoot {
				continue
			}
			all++
			_, c := p.s.Path(path)
			innermost[c]++
			for met := map[model.CollectorID]bool{}; path != model.PathRoot; path, _ = p.s.Path(path) {
				if _, c := p.s.Path(path); !met[c] {
					met[c] = true
					with[c]++
				}
			}
		}
		break
	}
	return with, innermost, all
}

// sampled tells whether the spans of a thread are runs of samples.
func (p *plain) sampled(id model.TrackID) bool {
	for _, k := range p.s.Series().ByTrack(id) {
		if x := p.s.Series().ByID(k); x.Def.Role == model.RoleStack && x.Len() > 0 {
			return true
		}
	}
	return false
}

// uncertainty is that of a total that n of all samples have.
func uncertainty(total, n, all float64) float64 {
	if n == 0 || all == 0 {
		return total
	}
	return math.Floor(total*math.Sqrt((1-min(n/all, 1))/n) + 0.5)
}
