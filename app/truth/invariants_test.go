package truth

import (
	"testing"

	"framescope/model"

	"framescope/model/spans"
)

// What holds of the numbers of any session, asked of the session itself.
func TestInvariants(t *testing.T) {
	checked := 0
	eachPart(t, func(t *testing.T, p *part) {
		if p.track != model.NoTrack {
			checked++
			p.checkInvariants(t)
		}
	})
	if checked < 50 {
		t.Errorf("only %d parts were checked", checked)
	}
}

func (p *part) checkInvariants(t complainer) {
	var tree spans.Tree
	one := []model.TrackID{p.track}
	p.s.Spans().Tree(one, p.t0, p.t1, &tree)
	p.checkTree(t, "range", &tree)
	if p.last >= p.first {
		p.s.FrameTree(one, p.track, p.first, p.last, &tree)
		p.checkTree(t, "frames", &tree)
		p.checkFrameSums(t)
	}
	p.checkProcessors(t)
	p.checkSamples(t)
	p.checkFills(t)
}

// overlapping are sessions in which one thread does two things at once, with the reason.
var overlapping = map[string]string{
	"holes":              "made to have spans that outlive their callers, beside others",
	"overlap":            "made of frames that overlap",
	"odd-tracks.pftrace": "made of two tracks of one thread",
}

// checkTree: nothing is negative, callees lie within their caller, and self adds up to the roots.
// Of what runs beside others of its kind nothing lies within.
func (p *part) checkTree(t complainer, of string, tree *spans.Tree) {
	roots, self, async := int64(0), int64(0), false
	within := make([]int64, len(tree.Nodes))
	for _, n := range tree.Nodes {
		async = async || n.Collector >= 0 && p.s.Collector(n.Collector).Async
		if n.Self < 0 || n.Total < n.Self || n.Count < 0 {
			t.Errorf("%s: %s: %s: total %d, self %d, %d times", p, of, p.callersOf(n.Path), n.Total, n.Self, n.Count)
		}
		self += n.Self
		if n.Parent < 0 {
			roots += n.Total
		} else if within[n.Parent] += n.Total; within[n.Parent] > tree.Nodes[n.Parent].Total {
			t.Errorf("%s: %s: %s: callees take %d of %d", p, of, p.callersOf(n.Path), within[n.Parent], tree.Nodes[n.Parent].Total)
		}
	}
	if self != roots || roots != tree.Total {
		t.Errorf("%s: %s: self adds up to %d, the roots to %d, in all %d", p, of, self, roots, tree.Total)
	}
	if of == "range" && !async && p.s.Track(p.track).Def.Kind.Calls() && overlapping[p.name] == "" && roots > p.t1-p.t0 {
		t.Errorf("%s: one thread took %d ns of %d", p, roots, p.t1-p.t0)
	}
}

// callersOf names a call path.
func (p *part) callersOf(path model.PathID) (names string) {
	for path != model.PathRoot {
		up, c := p.s.Path(path)
		names, path = p.s.Collector(c).Name+" "+names, up
	}
	return names
}

// checkFrameSums: no own time is negative, all of them are no more than the frame, and their sum is
// what the root's net is. Each frame counts once, however many threads have a part of it.
func (p *part) checkFrameSums(t complainer) {
	track := p.s.Track(p.track)
	for i := p.first; i <= p.last; i++ {
		f, sum := track.Frame(i), int64(0)
		for _, a := range p.s.Frames().Self(p.track, i, nil) {
			if a.Ns < 0 {
				t.Errorf("%s: frame %d: own time of %s is %d", p, f.Number, p.s.Collector(a.Collector).FullName, a.Ns)
			}
			sum += a.Ns
		}
		if step := p.s.Info().Clock.Step(f.End); sum > f.End-f.Begin+step {
			t.Errorf("%s: frame %d: own times add up to %d ns of %d", p, f.Number, sum, f.End-f.Begin)
		}
	}
	for _, st := range p.s.Frames().AllStats(p.track, false, p.first, p.last, nil) {
		if st.Frames != int64(p.last-p.first+1) || st.Present > st.Frames {
			t.Errorf("%s: %s is in %d of %d frames, of %d", p, p.s.Collector(st.Collector).FullName, st.Present, st.Frames, p.last-p.first+1)
		}
	}
	ledger := p.s.Ledger()
	for _, l := range ledger.Lines(nil) {
		if l.Key == "received" && l.N > p.framesOnce() {
			t.Errorf("%s: %d frames are counted, there are %d", p, l.N, p.framesOnce())
		}
	}
}

// framesOnce is how many frames a session has: those of the main thread, and of threads that have
// frames of their own.
func (p *plain) framesOnce() (n int64) {
	main := p.s.Track(p.s.MainTrack())
	for id := range model.TrackID(p.s.NumTracks()) {
		if t := p.s.Track(id); t != nil && (t == main || !main.Def.Main) {
			n += int64(t.NumFrames()) + t.Evicted()
		}
	}
	return n
}

// checkProcessors: no thread takes more than one processor, and all together no more than there
// are.
func (p *part) checkProcessors(t complainer) {
	if cpu, ok := p.s.Spans().CPUTime(p.track, p.t0, p.t1); ok && (cpu < 0 || cpu > float64(p.t1-p.t0)*1.001) {
		t.Errorf("%s: CPU time %v in %d", p, cpu, p.t1-p.t0)
	}
	if load, ok := p.s.Spans().CPULoad(p.track, p.t0, p.t1); ok && !(load >= 0 && load <= 1.001) {
		t.Errorf("%s: takes %v processors", p, load)
	}
	if busy := p.busy(p.track, p.t0, p.t1); busy < 0 || busy > p.t1-p.t0 {
		t.Errorf("%s: busy for %d ns of %d", p, busy, p.t1-p.t0)
	}
	var tree spans.Tree
	if has := p.s.Spans().Measures([]model.TrackID{p.track}, nil); len(has) > 1 {
		for _, m := range has {
			p.s.Spans().TreeOf(m, []model.TrackID{p.track}, p.t0, p.t1, &tree)
			if m == spans.MeasureCPU && tree.Total > p.t1-p.t0 {
				t.Errorf("%s: CPU time of methods %d in %d", p, tree.Total, p.t1-p.t0)
			}
		}
	}
}

// checkSamples: a sample is in [t0, t1) when its time is, wherever samples are counted; so ranges
// side by side have together what both have, and the trees of stacks as many as their series.
func (p *part) checkSamples(t complainer) {
	mid := p.t0 + (p.t1-p.t0)/2
	for id := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(id)
		if id > 40 || x.Len() == 0 {
			continue
		}
		if begin, _, ok := x.Bounds(); ok && begin > p.t0 && begin < p.t1 {
			mid = begin // a sample lies at the edge
		}
		all := x.Stats(p.t0, p.t1)
		a, b := x.Stats(p.t0, mid), x.Stats(mid, p.t1)
		bins, n := x.Bins(p.t0, p.t1, 3, nil), int64(0)
		for _, bin := range bins {
			n += bin.N
		}
		if listed := int64(len(x.Samples(p.t0, p.t1, 0, nil))); a.N+b.N != all.N || n != all.N || listed != all.N+all.Gaps {
			t.Errorf("%s: %s: %d + %d samples in two halves, %d in bins, %d listed, %d in all", p, x.Def.Name, a.N, b.N, n, listed, all.N)
		}
		if x.Def.Role != model.RoleStack || x.Def.Track != p.track || p.timeless() { // see checkWeights
			continue
		}
		empty := int64(0)
		for _, v := range x.Samples(p.t0, p.t1, 0, nil) {
			if v.Value == float64(model.PathRoot) {
				empty++
			}
		}
		var tree spans.Tree
		for _, m := range []spans.Measure{spans.MeasureSamples, spans.MeasureCPU} {
			p.s.Spans().TreeOf(m, []model.TrackID{p.track}, p.t0, p.t1, &tree)
			roots := int64(0)
			for _, n := range tree.Nodes {
				if n.Parent < 0 {
					roots += n.Count
				}
			}
			if roots+empty != all.N {
				t.Errorf("%s: %d samples in the tree of measure %d, %d without a stack, %d in all", p, roots, m, empty, all.N)
			}
		}
	}
}

// checkFills: nothing holds less than nothing.
func (p *part) checkFills(t complainer) {
	for id := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(id)
		if x.Def.Role != model.RoleLevel || x.Len() == 0 {
			continue
		}
		if v := p.samples(id, p.t0, p.t1); v.n > 0 && v.least < 0 {
			t.Errorf("%s: %s %s falls to %v", p, x.Def.Group, x.Def.Name, v.least)
		}
	}
}
