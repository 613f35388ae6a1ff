package flare

import (
	"math"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// pathSums is what a call path has in the three measures.
type pathSums struct{ ms, cpuNs, samples int64 }

// toRoot calls f with each call path of a stack, the names joined from the outermost in.
func toRoot(rec *Recording, stack []MethodID, f func(path string)) {
	path := ""
	for _, id := range slices.Backward(stack) {
		path += ";" + rec.Method(id)
		f(path)
	}
}

// piecesOf adds up the pieces of a thread's time by call path. CPU time goes to code, which is told by
// such names; where nothing but waits was sampled between two readings of the clock it is spread over
// all of that time.
func piecesOf(rec *Recording, th *Thread, code map[string]bool, startMs, endMs int64) map[string]pathSums {
	out := map[string]pathSums{}
	pieces := Pieces(th, startMs, endMs)
	isCode := func(p *Piece) (is bool) {
		toRoot(rec, th.Records[p.Index].Stack, func(path string) { is = code[path] })
		return is
	}
	reading, last := make([]int, len(th.Records)), th.Records[0] // how often the clock changed up to a record
	for k := 1; k < len(th.Records); k++ {
		reading[k] = reading[k-1]
		if r := th.Records[k]; r.CPUNs < last.CPUNs || r.CPUNs > last.CPUNs && r.TimeMs > last.TimeMs {
			reading[k], last = reading[k]+1, r
		}
	}
	for i := 0; i < len(pieces); {
		end, cpu, ran := i, int64(0), int64(0)
		for ; end < len(pieces) && reading[pieces[end].Index] == reading[pieces[i].Index]; end++ {
			p := &pieces[end]
			if cpu += p.CPUNs; isCode(p) {
				ran += p.EndMs - p.BeginMs
			}
		}
		for ; i < end; i++ {
			if p := &pieces[i]; ran > 0 {
				if p.CPUNs = 0; isCode(p) {
					p.CPUNs = int64(float64(cpu) * float64(p.EndMs-p.BeginMs) / float64(ran))
				}
			}
		}
	}
	for _, p := range pieces {
		toRoot(rec, th.Records[p.Index].Stack, func(path string) {
			x := out[path]
			out[path] = pathSums{x.ms + p.EndMs - p.BeginMs, x.cpuNs + p.CPUNs, x.samples}
		})
	}
	for _, r := range th.Records {
		if r.TimeMs >= startMs && r.TimeMs < endMs {
			toRoot(rec, r.Stack, func(path string) {
				x := out[path]
				out[path] = pathSums{x.ms, x.cpuNs, x.samples + 1}
			})
		}
	}
	return out
}

// firstSampleNs is the session time of a track's first sample.
func firstSampleNs(s *store.Session, track model.TrackID) int64 {
	begin, _, _ := ofRole(s, track, model.RoleStack).Bounds()
	return begin
}

// In whole recordings and in parts of them the trees of a session are those made of the raw records,
// and the CPU time of a thread is that of its tree and, in whole steps, of the series of the API.
func TestMeasuresEqualTheRecordsOwn(t *testing.T) {
	var of *store.Session
	var code map[string]bool
	eachTrack(t, func(t *testing.T, rec *Recording, th *Thread, s *store.Session, track *store.Track) {
		if of != s {
			of, code = s, codeOf(s)
		}
		first := th.Records[0].TimeMs
		zeroMs := first - firstSampleNs(s, track.Def.ID)/1e6
		parts := [][2]int64{{0, 1 << 40}, {1000, 2000}, {12_345, 12_346}, {20_003, 41_777}, {59_000, 70_000}}
		for _, part := range parts {
			want := piecesOf(rec, th, code, zeroMs+part[0], zeroMs+part[1])
			for _, m := range []spans.Measure{spans.MeasureDuration, spans.MeasureCPU, spans.MeasureSamples} {
				compareMeasure(t, s, track, m, part, want, int64(len(th.Records)))
			}
		}
		if len(th.Records[0].Stack) == 0 {
			return
		}
		used := Used(th, 20)
		for _, part := range [][2]int64{{0, 1 << 40}, {1000, 2000}, {20_000, 41_760}} {
			from, to := first+part[0], first+part[1]
			begin, end := (from-zeroMs)*1e6, min((to-zeroMs)*1e6, model.MaxTime)
			ns, ok := s.Spans().CPUTime(track.Def.ID, begin, end)
			var tree spans.Tree
			s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{track.Def.ID}, begin, end, &tree)
			pieces, roots := 0.0, int64(0)
			for _, p := range Pieces(th, from, to) {
				pieces += float64(p.CPUNs)
			}
			for _, n := range tree.Nodes {
				if n.Parent < 0 {
					roots += n.Total
				}
			}
			us := float64(SumCPU(&used, from, to, 20, false).TotalUs)
			near := math.Abs(ns-pieces) <= float64(len(th.Records))+1 && math.Abs(ns/1000-us) <= 2
			if !ok || int64(ns) != roots || !near {
				t.Errorf("%s of %v ms: %.0f ns, its tree %d, the API's tree %.0f, its series %.0f µs",
					track.Title(), part, ns, roots, pieces, us)
			}
		}
	})
}

// codeOf tells of the names of call paths whether what has them is code.
func codeOf(s *store.Session) map[string]bool {
	out := map[string]bool{}
	names := []string{""}
	for p := model.PathID(1); ; p++ {
		up, c := s.Path(p)
		if c == model.NoCollector {
			return out
		}
		names = append(names, names[up]+";"+methodName(s, c))
		out[names[p]] = s.Spans().StateOf(p) == spans.StateReady
	}
}

func compareMeasure(
	t *testing.T, s *store.Session, track *store.Track, m spans.Measure, part [2]int64, want map[string]pathSums, records int64,
) {
	t.Helper()
	var tree spans.Tree
	s.Spans().TreeOf(m, []model.TrackID{track.Def.ID}, part[0]*1e6, part[1]*1e6, &tree)
	there := 0
	for _, w := range want {
		long, sampled := m == spans.MeasureDuration && w.ms > 0, m != spans.MeasureDuration && w.samples > 0
		if long || sampled || m == spans.MeasureCPU && w.cpuNs > 0 {
			there++
		}
	}
	testkit.That(t, len(tree.Nodes) == there,
		"%s, measure %d of %d ms: %d call paths, want %d", track.Title(), m, part, len(tree.Nodes), there)
	names := make([]string, len(tree.Nodes))
	for i, n := range tree.Nodes {
		if n.Parent >= 0 {
			names[i] = names[n.Parent]
		}
		names[i] += ";" + methodName(s, n.Collector)
		w, same := want[names[i]]
		switch m {
		case spans.MeasureDuration:
			same = same && n.Total == w.ms*1e6
		case spans.MeasureSamples:
			same = same && n.Total == w.samples && n.Count == w.samples
		case spans.MeasureCPU: // the records' own figures are cut to whole ns at each piece
			same = same && math.Abs(float64(n.Total-w.cpuNs)) <= float64(records) && n.Count == w.samples
		}
		if !same {
			t.Errorf("%s, measure %d of %d ms: %s has %d in %d samples, want %+v",
				track.Title(), m, part, names[i], n.Total, n.Count, w)
		}
	}
}

// What is sampled has runs, and a total that its number of samples makes uncertain; what every sample
// has is certain.
func TestRunsAndTheirUncertainty(t *testing.T) {
	s := openDir(t, find(t, minutes[1]))
	worker := trackOf(s, 9).Def.ID
	testkit.MustThat(t, s.Spans().Sampled(worker) && s.Spans().AnySampled(), "it is not taken for sampled")
	want := map[string]struct {
		samples int64
		error   float64
	}{
		"java.lang.Thread.run()":                   {1153, 0},
		"shopapp.Workload$OrderService.validate()": {121, 5415e6 * math.Sqrt((1-121./1153)/121)},
	}
	for _, st := range s.Spans().Stats([]model.TrackID{worker}, math.MinInt64, math.MaxInt64, nil) {
		testkit.MustThat(t, st.Sampled && st.OfSamples == 1153, "%+v", st)
		name := methodName(s, st.Collector)
		if w, ok := want[name]; ok && (st.Samples != w.samples || math.Abs(float64(st.ErrorNs())-w.error) > 1) {
			t.Errorf("%s: %d samples, ± %d ns, want %+v", name, st.Samples, st.ErrorNs(), w)
		}
		delete(want, name)
	}
	testkit.That(t, len(want) == 0, "missing are %v", want)
}

// The search for long calls of a session finds what that in the raw records does.
func TestSlowCallsEqualTheRecordsOwn(t *testing.T) {
	for _, pattern := range minutes {
		dir := find(t, pattern)
		rec, s := readDir(t, dir), openDir(t, dir)
		var tracks []model.TrackID
		starts := map[int64]int64{} // ns of the first sample by thread
		for _, tr := range feedtest.Tracks(s) {
			tracks = append(tracks, tr.Def.ID)
			starts[int64(tr.Def.Index)] = firstSampleNs(s, tr.Def.ID)
		}
		var search spans.CallSearch
		hits := 0
		byName := map[string][]MethodID{} // overloaded methods share their name, and their collector
		for id, name := range rec.Methods {
			byName[name] = append(byName[name], id)
		}
		for name, ids := range byName {
			wanted := make([]bool, s.Collectors().Len())
			for c := range wanted {
				wanted[c] = methodName(s, model.CollectorID(c)) == name
			}
			for _, minMs := range []int64{1, 40, 150} {
				x := Search{Methods: ids, MinMs: minMs, MaxHits: 1 << 20, StartMs: -1, EndMs: -1}
				groups, limited, err := Find(t.Context(), rec, x, nil)
				testkit.MustThat(t, err == nil && !limited, "%v %v", err, limited)
				var want, got [][]int64 // thread, begin, length
				for _, g := range groups {
					for _, c := range g.Calls {
						want = append(want, []int64{c.Thread, starts[c.Thread]/1e6 + c.StartMs, c.Ms})
					}
				}
				search.Start(s.Spans(), spans.CallQuery{Tracks: tracks, T0: math.MinInt64, T1: math.MaxInt64,
					Wanted: wanted, MinNs: minMs * 1e6, Limit: 1 << 20})
				for !search.Step(1000) {
				}
				for _, c := range search.Calls() {
					got = append(got, []int64{int64(s.Track(c.Ref.Track).Def.Index), c.Begin / 1e6, c.Ns / 1e6})
				}
				slices.SortFunc(want, slices.Compare)
				slices.SortFunc(got, slices.Compare)
				testkit.That(t, slices.EqualFunc(want, got, slices.Equal),
					"%s: %s of %d ms: %d calls, want %d", dir, name, minMs, len(got), len(want))
				hits += len(got)
			}
		}
		testkit.That(t, hits != 0, "%s: nothing was found", dir)
	}
}
