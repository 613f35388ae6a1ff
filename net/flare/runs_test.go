package flare

import (
	"math"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/net/flare/flaretest"
)

// TestCPUTimeIsOne: in any range the CPU time of a thread is that of its call tree in the session
// and of the tree and the series of the API.
func TestCPUTimeIsOne(t *testing.T) {
	captures := flaretest.Captures(t)
	for _, pattern := range []string{"constructed-60s/127*", "recorded-60s/127*"} {
		dir := glob1(t, filepath.Join(captures, pattern))
		rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
		s := openCapture(t, dir)
		checked := 0
		for i := range s.NumTracks() {
			id := model.TrackID(i)
			th := rec.Thread(int64(s.Track(id).Def.Index))
			if th == nil || len(th.Records) < 2 || len(th.Records[0].Stack) == 0 {
				continue
			}
			zeroMs := th.Records[0].TimeMs - firstSampleNs(s, id)/1e6
			first := th.Records[0].TimeMs
			for _, part := range [][2]int64{{0, 1 << 40}, {1000, 2000}, {20_000, 41_760}} { // of whole steps
				from, to := first+part[0], first+part[1]
				ns, ok := s.Spans().CPUTime(id, (from-zeroMs)*1e6, min((to-zeroMs)*1e6, model.MaxTime))
				var tree paths.Tree
				s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{id}, (from-zeroMs)*1e6, min((to-zeroMs)*1e6, model.MaxTime), &tree)
				sum := 0.0
				for _, p := range Pieces(th, from, to) {
					sum += float64(p.CPUNs)
				}
				used := Used(th, 20)
				us := float64(SumCPU(&used, from, to, 20, false).TotalUs)
				roots := int64(0)
				for k := range tree.Nodes {
					if tree.Nodes[k].Parent < 0 {
						roots += tree.Nodes[k].Total
					}
				}
				if pieces := float64(len(th.Records)); !ok || int64(ns) != roots || math.Abs(ns-sum) > pieces+1 || math.Abs(ns/1000-us) > 2 {
					t.Errorf("%s of %v ms: session %.0f ns, its tree %d, the API's tree %.0f, its series %.0f µs", s.Track(id).Title(), part, ns, roots, sum, us)
				}
				checked++
			}
		}
		if checked == 0 {
			t.Errorf("%s: nothing was compared", dir)
		}
	}
}

// TestRunsAndTheirUncertainty: what is sampled has runs, and a total that its number of samples
// makes uncertain; what every sample has is certain.
func TestRunsAndTheirUncertainty(t *testing.T) {
	s := openCapture(t, find(t, "recorded-60s/127*"))
	var worker model.TrackID
	for i := range s.NumTracks() {
		if s.Track(model.TrackID(i)).Title() == "order-worker-1" {
			worker = model.TrackID(i)
		}
	}
	if !s.Spans().Sampled(worker) || !s.Spans().AnySampled() {
		t.Fatal("it is not taken for sampled")
	}
	seen := 0
	for _, st := range s.Spans().Stats([]model.TrackID{worker}, math.MinInt64, math.MaxInt64, nil) {
		if !st.Sampled || st.OfSamples != 1153 {
			t.Fatalf("%+v", st)
		}
		switch methodName(s, st.Collector) {
		case "java.lang.Thread.run()":
			if st.Samples != 1153 || st.ErrorNs() != 0 {
				t.Errorf("the outermost: %d samples, ± %d ns", st.Samples, st.ErrorNs())
			}
		case "shopapp.Workload$OrderService.validate()":
			if want := 5415e6 * math.Sqrt((1-121./1153)/121); st.Samples != 121 || math.Abs(float64(st.ErrorNs())-want) > 1 {
				t.Errorf("validate: %d samples, ± %d ns, want %.0f", st.Samples, st.ErrorNs(), want)
			}
		default:
			continue
		}
		seen++
	}
	if seen != 2 {
		t.Errorf("%d of two methods", seen)
	}
}
