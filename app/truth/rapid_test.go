package truth

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/calls"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/widgets/details"
)

// Sessions that nobody thought of: threads with frames that are lost, that leave time between them
// and whose clock steps back, calls that recur and go on through frames, counters, what is under
// way beside others of its kind, and sampled stacks. All that panels and reports say of them is
// compared as it is of recordings.
func TestSessionsThatNobodyThoughtOf(t *testing.T) {
	seen, nth, compared := map[string]int{}, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		x := subjectOf("rapid", drawSession(t, false))
		parts := x.parts()
		if len(parts) == 0 {
			return
		}
		p := &parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")]
		if n := p.last - p.first; n >= 0 && rapid.Bool().Draw(t, "other range") {
			track := x.s.Track(p.track)
			p.first = rapid.IntRange(0, track.NumFrames()-1).Draw(t, "first")
			p.last = rapid.IntRange(p.first, min(p.first+n, track.NumFrames()-1)).Draw(t, "last")
			p.t0, p.t1 = p.times(p.track, p.first, p.last)
		}
		nth++
		compared += p.compareReport(t)
		p.comparePanels(t, rapid.IntRange(0, 94).Draw(t, "where it is pointed at"), comparedOf{tables: seen, tips: seen})
		if p.track != model.NoTrack {
			p.checkInvariants(t)
		}
	})
	testkit.That(t, nth <= 20 || compared >= 500 && len(seen) >= 30,
		"only %d numbers were compared, of %d kinds", compared, len(seen))
}

// Sessions whose frames overlap, and whose frames come in reversed order: the times of frames are of
// what came with them, and reports, tables and tooltips say so.
func TestSessionsWhoseFramesOverlap(t *testing.T) {
	compared, numbers, told := 0, 0, map[string]int{}
	var tree spans.Tree
	rapid.Check(t, func(t *rapid.T) {
		x := subjectOf("overlap", drawSession(t, true))
		parts := x.parts()
		one, nth := rapid.IntRange(0, 9).Draw(t, "part"), rapid.IntRange(0, 94).Draw(t, "where it is pointed at") // see sweep
		for k, p := range parts {
			p.checkInvariants(t)
			numbers += p.compareReport(t)
			if k == one%len(parts) {
				p.comparePanels(t, nth, comparedOf{tables: told, tips: told})
			}
			for i := p.first; i <= p.last; i++ {
				want, seen := p.insideOf(p.track, i, i), 0
				for _, in := range x.s.FrameTotals(p.track, i, i, &tree, nil) {
					if f := want[in.Collector]; f == nil || f.values[0] != float64(in.Total) {
						t.Errorf("%s: frame %d of %v: %+v, want %+v", &p, i, x.s.Track(p.track).Frame(i), in, f)
					}
					seen++
				}
				compared += seen
				testkit.That(t, seen == len(want), "%s: frame %d: %d collectors, want %d", &p, i, seen, len(want))
			}
		}
	})
	testkit.That(t, compared >= 100 && numbers >= 500 && len(told) >= 30,
		"only %d and %d numbers were compared, and %v", compared, numbers, told)
}

// writer makes a session.
type writer struct {
	overlap bool // frames overlap, or come in reversed order
	t       *rapid.T
	s       *store.Session
	known   map[[2]int64]model.PathID
}

const (
	names      = 6 // collectors with times, the root among them; a counter and one below it follow
	counterTop = model.CollectorID(names)
)

func drawSession(t *rapid.T, overlap bool) *store.Session {
	w := &writer{overlap: overlap, t: t, s: store.NewSession(), known: map[[2]int64]model.PathID{}}
	w.s.Apply(model.Info{Source: "made", Program: "made", File: true, PID: -1})
	for id := range model.CollectorID(names) {
		parent := model.CollectorID(0)
		if id > 2 {
			parent = model.CollectorID(rapid.IntRange(0, int(id)-1).Draw(t, "named below"))
		}
		name := string(rune('A' + id))
		if id == 0 {
			name = "Frame"
		}
		w.s.Apply(model.CollectorDef{ID: id, Name: name, Parent: parent, Sort: -1})
	}
	w.s.Apply(model.CollectorDef{ID: counterTop, Name: "Count", Parent: 0, Sort: -1, Unit: "things"})
	w.s.Apply(model.CollectorDef{ID: counterTop + 1, Name: "Part", Parent: counterTop, Sort: -1, Unit: "things"})
	framed := overlap || rapid.Bool().Draw(t, "with frames")
	for id := range model.TrackID(rapid.IntRange(1, 3).Draw(t, "threads")) {
		kind := "calls"
		if !framed {
			kind = rapid.SampledFrom([]string{"calls", "samples", "streams"}).Draw(t, "kind")
		}
		switch kind {
		case "samples":
			w.sampled(id)
		case "streams":
			w.streams(id)
		default:
			w.called(id, framed)
		}
	}
	w.s.Apply(model.End{})
	return w.s
}

// path returns the path of a collector below another.
func (w *writer) path(parent model.PathID, c model.CollectorID) model.PathID {
	key := [2]int64{int64(parent), int64(c)}
	if w.known[key] == 0 {
		w.known[key] = model.PathID(len(w.known) + 1)
		w.s.Apply(model.PathDef{ID: w.known[key], Parent: parent, Collector: c})
	}
	return w.known[key]
}

// calls makes calls in [begin, end), each within its caller.
func (w *writer) calls(begin, end int64, parent model.PathID, lane uint16, out []model.Span) []model.Span {
	if lane > 4 {
		return out
	}
	for range rapid.IntRange(0, 3).Draw(w.t, "calls") {
		if end-begin < 2 {
			break
		}
		from := rapid.Int64Range(begin, end-1).Draw(w.t, "from")
		to := rapid.Int64Range(from, end).Draw(w.t, "to")
		path := w.path(parent, model.CollectorID(rapid.IntRange(1, names-1).Draw(w.t, "collector")))
		out = append(out, model.Span{Begin: from, End: to, Path: path, Lane: lane})
		out = w.calls(from, to, path, lane+1, out)
		begin = max(to, from+1)
	}
	return out
}

// called makes a thread with calls, in frames or without.
func (w *writer) called(id model.TrackID, framed bool) {
	w.s.Apply(model.TrackDef{ID: id, Name: "thread " + string(rune('a'+id)), Index: int(id)})
	if !framed {
		b := model.Batch{Track: id, Spans: w.calls(0, 1_000_000, model.PathRoot, 0, nil)}
		slices.SortStableFunc(b.Spans, func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		w.s.Append(&b)
		return
	}
	at, number := int64(1_000_000), int64(rapid.IntRange(0, 3).Draw(w.t, "first number"))
	reversed := w.overlap && rapid.Bool().Draw(w.t, "reversed") // numbers count down while time goes on
	overlap := w.overlap && !reversed
	var until [64 * 6]int64 // by lane
	var list []*model.Batch
	for range rapid.IntRange(1, 12).Draw(w.t, "frames") {
		switch rapid.IntRange(0, 6).Draw(w.t, "before it") {
		case 0: // some are lost
			number += int64(rapid.IntRange(1, 3).Draw(w.t, "lost"))
			at += 20_000
		case 1: // time that is in none
			at += rapid.Int64Range(1, 20_000).Draw(w.t, "between")
		case 2, 3:
			if overlap { // it begins before the one before ended, or its clock went back
				at -= rapid.Int64Range(1, 30_000).Draw(w.t, "back")
			}
		}
		length := rapid.Int64Range(1, 20_000).Draw(w.t, "length")
		if reversed {
			at -= length
		}
		b := &model.Batch{HasFrame: true, Track: id, Number: number, Begin: at, End: at + length}
		lane := uint16(0) // below those of frames that have not ended
		for slices.ContainsFunc(until[lane:lane+6], func(end int64) bool { return end > b.Begin }) {
			lane += 6
		}
		b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End, Path: w.path(model.PathRoot, 0)})
		b.Spans = w.calls(b.Begin, b.End, b.Spans[0].Path, 1, b.Spans)
		for i := range b.Spans {
			b.Spans[i].Lane += lane
			until[b.Spans[i].Lane] = max(until[b.Spans[i].Lane], b.Spans[i].End)
		}
		slices.SortStableFunc(b.Spans, func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		b.Self = w.alone(b.Spans)
		if rapid.Bool().Draw(w.t, "counter") {
			part := float64(rapid.IntRange(0, 40).Draw(w.t, "part"))
			b.Levels = append(b.Levels, model.Level{Collector: counterTop, Time: at, Value: part + float64(rapid.IntRange(0, 9).Draw(w.t, "own"))},
				model.Level{Collector: counterTop + 1, Time: at, Value: part})
		}
		list = append(list, b)
		if number++; !reversed {
			at = b.End
		}
	}
	if !reversed {
		for _, b := range list {
			w.s.Append(b)
		}
		return
	}
	for i := range slices.Backward(list) { // each comes after all that follow it, which come again
		for k, b := range list[i:] {
			b.Rewind = k == 0
			w.s.Append(b)
		}
	}
}

// alone works out own times: of each span what no span of the next lane covers.
func (w *writer) alone(list []model.Span) []model.CollectorTime {
	var of [names]model.CollectorTime
	for i, sp := range list {
		_, c := w.s.Path(sp.Path)
		of[c].Count++
		of[c].Ns += sp.End - sp.Begin
		for k, in := range list {
			if k != i && in.Lane == sp.Lane+1 && in.Begin >= sp.Begin && in.End <= sp.End && in.End > in.Begin {
				of[c].Ns -= in.End - in.Begin
			}
		}
	}
	var out []model.CollectorTime
	for c := range of {
		if of[c].Collector = model.CollectorID(c); of[c].Count > 0 {
			out = append(out, of[c])
		}
	}
	return out
}

// streams makes a way through the program on which much is under way at a time.
func (w *writer) streams(id model.TrackID) {
	w.s.Apply(model.TrackDef{ID: id, Name: "way " + string(rune('a'+id)), Index: int(id), Kind: model.TrackStream})
	path := w.path(model.PathRoot, model.CollectorID(rapid.IntRange(1, names-1).Draw(w.t, "collector")))
	b, at, until := model.Batch{Track: id}, int64(0), [8]int64{}
	for range rapid.IntRange(1, 30).Draw(w.t, "passages") {
		at += rapid.Int64Range(0, 10_000).Draw(w.t, "after")
		end := at + rapid.Int64Range(1, 40_000).Draw(w.t, "length")
		for lane := range until {
			if until[lane] <= at {
				until[lane] = end
				b.Spans = append(b.Spans, model.Span{Begin: at, End: end, Path: path, Lane: uint16(lane)})
				break
			}
		}
	}
	w.s.Append(&b)
}

// sampled makes a thread whose stack is sampled: a span for each run of samples with the same path.
func (w *writer) sampled(id model.TrackID) {
	w.s.Apply(model.TrackDef{ID: id, Name: "thread " + string(rune('a'+id)), Index: int(id)})
	series := model.SeriesID(id)
	for k := range series + 1 { // ids are dense
		if w.s.Series().ByID(k) == nil {
			w.s.Apply(model.SeriesDef{
				ID: k, Name: "stack " + string(rune('a'+k)), Group: "samples", Role: model.RoleStack, Kind: model.SeriesEvent, Track: model.TrackID(k),
				Object: model.NoObject, Peer: model.NoObject,
			})
		}
	}
	b, at := model.Batch{Track: id}, int64(0)
	var stack []model.PathID // of the sample before
	var open []int           // their spans
	for range rapid.IntRange(2, 30).Draw(w.t, "samples") {
		keep := rapid.IntRange(0, len(stack)).Draw(w.t, "callers that stay")
		next := slices.Clone(stack[:keep])
		for range rapid.IntRange(0, 4-min(len(next), 4)).Draw(w.t, "new ones") {
			parent := model.PathRoot
			if n := len(next); n > 0 {
				parent = next[n-1]
			}
			next = append(next, w.path(parent, model.CollectorID(rapid.IntRange(1, names-1).Draw(w.t, "collector"))))
		}
		same := 0
		for same < min(len(stack), len(next)) && stack[same] == next[same] {
			same++
		}
		open = open[:same]
		for lane := same; lane < len(next); lane++ {
			open = append(open, len(b.Spans))
			b.Spans = append(b.Spans, model.Span{Begin: at, Path: next[lane], Lane: uint16(lane)})
		}
		innermost := model.PathRoot
		if len(next) > 0 {
			innermost = next[len(next)-1]
		}
		b.Samples = append(b.Samples, model.Sample{Series: series, Time: at, Value: float64(innermost)})
		at += rapid.Int64Range(1_000, 20_000).Draw(w.t, "distance")
		for _, i := range open {
			b.Spans[i].End = at
		}
		stack = next
	}
	b.Samples = append(b.Samples, model.Sample{Series: series, Time: at, Value: 0})
	w.s.Append(&b)
}

// foldedFile writes so many different stacks.
func foldedFile(t *testing.T, stacks int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i := range stacks {
		for range 6 {
			fmt.Fprintf(&b, "fn%d;", rng.IntN(200))
		}
		fmt.Fprintf(&b, "leaf%d %d\n", i%50, 1+rng.IntN(9))
	}
	path := filepath.Join(t.TempDir(), "stacks.folded")
	testkit.OK(t, os.WriteFile(path, []byte(b.String()), 0o644))
	return path
}

// All panels of a window show one call tree, which is made once, with bounded work in each tick. Until it is
// there they have no figures, and then all of them state the figures of a tree that is made in one go.
func TestPanelsShareATree(t *testing.T) {
	s := open(t, foldedFile(t, 20_000)).s
	rig := whyRig(s)
	rig.Env.Paced = true
	pane, head := &details.Panel{}, &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	graph, tree := flame.New(model.NoCollector), calls.NewTree()
	all := []panel.Panel{head, graph, tree, pane, tables.NewLossesPanel()}
	const work = 20_000
	table := s.Spans()
	before, _ := table.Shared()
	ticks, sums, waited := 0, 0, false
	for ; ticks < 1000; ticks++ {
		table.Pace(work)
		for _, p := range all {
			rig.Tick(p)
		}
		_, left := table.Shared()
		if left < -work { // the range is summed in one go, and whoever comes after that waits
			sums++
		}
		if left > 0 && ticks > 0 {
			break // nothing is left to do
		}
		waited = waited || len(tree.Facts(rig.Env, nil)) == 0
	}
	testkit.That(t, sums <= 1, "%d ticks took more than twice their work", sums)
	testkit.That(t, ticks >= 20 && ticks != 1000 && waited,
		"the tree came after %d ticks; no rows before that: %v", ticks, waited)
	for range 5 {
		table.Pace(work)
		for _, p := range all {
			rig.Tick(p)
		}
	}
	after, _ := table.Shared()
	testkit.That(t, after == before+1, "%d trees were made", after-before)
	table.Pace(0) // what is there needs no work
	tracks := rig.Env.View.Look().VisibleTracks()
	t0, t1, _ := rig.Env.View.TimeRange()
	want := table.Whole(spans.MeasureSamples, tracks, t0, t1)
	for _, p := range []panel.Panel{graph, tree} {
		mode := strings.ReplaceAll(p.Mode(rig.Env), "\u202f", "")
		testkit.That(t, strings.Contains(mode, fmt.Sprint(want.Total)), "%q does not state the total of %d", mode, want.Total)
	}
	hot, ok := want.Hottest(model.NoCollector, nil)
	facts := head.Facts(rig.Env, nil)
	named := slices.ContainsFunc(facts, func(f panel.Fact) bool { return f.Name == s.Collector(hot.Collector).Name })
	testkit.That(t, ok && named, "the headline does not name %q: %+v", s.Collector(hot.Collector).Name, facts)
}

// What holds of the numbers of any session, asked of the session itself.
func TestInvariants(t *testing.T) {
	checked := 0
	eachPart(t, func(t *testing.T, p *part) {
		if p.track != model.NoTrack {
			checked++
			p.checkInvariants(t)
		}
	})
	testkit.That(t, checked >= 50, "only %d parts were checked", checked)
}

func (p *part) checkInvariants(t testkit.T) {
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
var overlapping = testkit.Words("testdata/reasons.txt", "overlapping")

// checkTree: nothing is negative, callees lie within their caller, and self adds up to the roots.
// Of what runs beside others of its kind nothing lies within.
func (p *part) checkTree(t testkit.T, of string, tree *spans.Tree) {
	roots, self, async := int64(0), int64(0), false
	within := make([]int64, len(tree.Nodes))
	for _, n := range tree.Nodes {
		async = async || n.Collector >= 0 && p.s.Collector(n.Collector).Async
		testkit.That(t, n.Self >= 0 && n.Total >= n.Self && n.Count >= 0,
			"%s: %s: %s: total %d, self %d, %d times", p, of, p.callersOf(n.Path), n.Total, n.Self, n.Count)
		self += n.Self
		if n.Parent < 0 {
			roots += n.Total
		} else if within[n.Parent] += n.Total; within[n.Parent] > tree.Nodes[n.Parent].Total {
			t.Errorf("%s: %s: %s: callees take %d of %d", p, of, p.callersOf(n.Path), within[n.Parent], tree.Nodes[n.Parent].Total)
		}
	}
	testkit.That(t, self == roots && roots == tree.Total,
		"%s: %s: self adds up to %d, the roots to %d, in all %d", p, of, self, roots, tree.Total)
	testkit.That(t, of != "range" || async || !p.s.Track(p.track).Def.Kind.Calls() || overlapping[p.name] != "" ||
		roots <= p.t1-p.t0, "%s: one thread took %d ns of %d", p, roots, p.t1-p.t0)
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
func (p *part) checkFrameSums(t testkit.T) {
	track := p.s.Track(p.track)
	for i := p.first; i <= p.last; i++ {
		f, sum := track.Frame(i), int64(0)
		for _, a := range p.s.Frames().Self(p.track, i, nil) {
			testkit.That(t, a.Ns >= 0,
				"%s: frame %d: own time of %s is %d", p, f.Number, p.s.Collector(a.Collector).FullName, a.Ns)
			sum += a.Ns
		}
		testkit.That(t, sum <= f.End-f.Begin+p.s.Info().Clock.Step(f.End),
			"%s: frame %d: own times add up to %d ns of %d", p, f.Number, sum, f.End-f.Begin)
	}
	for _, st := range p.s.Frames().AllStats(p.track, false, p.first, p.last, nil) {
		if st.Frames != int64(p.last-p.first+1) || st.Present > st.Frames {
			t.Errorf("%s: %s is in %d of %d frames, of %d", p, p.s.Collector(st.Collector).FullName, st.Present, st.Frames, p.last-p.first+1)
		}
	}
	ledger := p.s.Ledger()
	for _, l := range ledger.Lines(nil) {
		testkit.That(t, l.Key != "received" || l.N <= p.framesOnce(),
			"%s: %d frames are counted, there are %d", p, l.N, p.framesOnce())
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
func (p *part) checkProcessors(t testkit.T) {
	cpu, ok := p.s.Spans().CPUTime(p.track, p.t0, p.t1)
	testkit.That(t, !ok || cpu >= 0 && cpu <= float64(p.t1-p.t0)*1.001, "%s: CPU time %v in %d", p, cpu, p.t1-p.t0)
	load, ok := p.s.Spans().CPULoad(p.track, p.t0, p.t1)
	testkit.That(t, !ok || load >= 0 && load <= 1.001, "%s: takes %v processors", p, load)
	busy := p.busy(p.track, p.t0, p.t1)
	testkit.That(t, busy >= 0 && busy <= p.t1-p.t0, "%s: busy for %d ns of %d", p, busy, p.t1-p.t0)
	var tree spans.Tree
	if has := p.s.Spans().Measures([]model.TrackID{p.track}, nil); len(has) > 1 {
		for _, m := range has {
			p.s.Spans().TreeOf(m, []model.TrackID{p.track}, p.t0, p.t1, &tree)
			testkit.That(t, m != spans.MeasureCPU || tree.Total <= p.t1-p.t0,
				"%s: CPU time of methods %d in %d", p, tree.Total, p.t1-p.t0)
		}
	}
}

// checkSamples: a sample is in [t0, t1) when its time is, wherever samples are counted; so ranges
// side by side have together what both have, and the trees of stacks as many as their series.
func (p *part) checkSamples(t testkit.T) {
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
			testkit.That(t, roots+empty == all.N,
				"%s: %d samples in the tree of measure %d, %d without a stack, %d in all", p, roots, m, empty, all.N)
		}
	}
}

// checkFills: nothing holds less than nothing.
func (p *part) checkFills(t testkit.T) {
	for id := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(id)
		if x.Def.Role != model.RoleLevel || x.Len() == 0 {
			continue
		}
		v := p.samples(id, p.t0, p.t1)
		testkit.That(t, v.n <= 0 || v.least >= 0, "%s: %s %s falls to %v", p, x.Def.Group, x.Def.Name, v.least)
	}
}
