package truth

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"framescope/app/report"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/widgets/details"
)

// waitsTold is what the command why --waits says of a path.
type waitsTold struct {
	Path  string
	Waits []staysTold
}

type staysTold struct {
	Element, How string
	Timed        int64
	Mean         float64 `json:"mean_ns"`
	Median       float64 `json:"median_ns"`
	P99          float64 `json:"p99_ns"`
	Share        float64
	Fill         *float64 `json:"fill_median"`
	FillMax      *float64 `json:"fill_max"`
}

// Of a pipeline the headline says where buffers wait, as the command why --waits does of the longest
// path, and both as the samples give it.
func TestWhereBuffersWait(t *testing.T) {
	for _, name := range []string{"latency-tee-queues.log.gz", "all-audio-chain.log.gz"} {
		s := open(t, filepath.Join(recordings.Root(t), "testdata", "gsttrace", name)).s
		var told []waitsTold
		tellWhy(t, s, report.WhyOptions{Waits: true}, &told)
		rig := whyRig(s)
		pane, head := &details.Panel{}, &details.Why{}
		head.Meet(func(string) panel.Panel { return pane })
		links := 0
		for _, w := range told {
			way := slices.IndexFunc(tracksOf(s), func(id model.TrackID) bool { return s.Track(id).Title() == w.Path })
			rig.Env.View.SetTrack(model.TrackID(way))
			settle(rig, pane)
			settle(rig, head)
			got := map[int]map[string]float64{}
			for _, f := range head.Facts(rig.Env, nil) {
				if got[f.Row] == nil {
					got[f.Row] = map[string]float64{}
				}
				got[f.Row][f.Measure] = f.Value
			}
			for i, l := range w.Waits {
				links++
				x := got[i]
				if _, how := x["flow "+l.How]; !how || x["flow share"] != l.Share || l.Timed > 0 && (x["flow median"] != l.Median || x["flow buffers"] != float64(l.Timed)) {
					t.Errorf("%s: %s: the headline says %v, why %+v", name, w.Path, x, l)
				}
				if l.How != "waits" && l.How != "works" {
					continue
				}
				var own []float64
				means := 0.0
				for _, e := range stopsOf(s, model.TrackID(way)) {
					all := tookAt(s, e[1])
					sum := 0.0
					for _, v := range all {
						sum += v
					}
					mean := sum / float64(len(all))
					if means += mean; e[0] == l.Element {
						own = all
					}
				}
				slices.Sort(own)
				sum := 0.0
				for _, v := range own {
					sum += v
				}
				mean, n := sum/float64(len(own)), len(own)
				if int64(n) != l.Timed || math.Abs(mean-l.Mean) > 1 || math.Abs(mean/means-l.Share) > 1e-6 ||
					l.Median < own[(n-1)/2]-1 || l.Median > own[n/2]+1 || l.P99 > own[n-1] || l.P99 < own[n*9/10] {
					t.Errorf("%s: %s: why says %+v, the samples give %d of %v, %v of %v", name, w.Path, l, n, mean, own[n/2], mean/means)
				}
			}
		}
		if links < 1 {
			t.Errorf("%s: nothing was told", name)
		}
	}
}

func tracksOf(s *store.Session) (out []model.TrackID) {
	for id := range model.TrackID(s.NumTracks()) {
		out = append(out, id)
	}
	return out
}

// stopsOf are the elements on a way, and the pads by which it leads.
func stopsOf(s *store.Session, way model.TrackID) (out [][2]string) {
	var p spans.Passage
	for lane := range s.Track(way).Lanes() {
		for _, b := range s.Spans().Visible(way, lane, 0, math.MaxInt64, 0, nil) {
			s.Spans().Passage(b.Ref, &p)
			for i := range p.Stops {
				stop := [2]string{s.Track(p.Stops[i].Ref.Track).Title(), s.Collector(p.Stops[i].Collector).Name}
				if p.Whole && !slices.Contains(out, stop) {
					out = append(out, stop)
				}
			}
		}
	}
	return out
}

// tookAt are the times that buffers took up to a pad of an element.
func tookAt(s *store.Session, pad string) (out []float64) {
	for id := range model.SeriesID(s.Series().Len()) {
		if x := s.Series().ByID(id); x.Def.Role == model.RoleLatency && x.Def.Peer == model.NoObject && x.Def.Name == pad {
			for _, v := range x.Samples(math.MinInt64/2, math.MaxInt64/2, 0, nil) {
				out = append(out, v.Value)
			}
		}
	}
	return out
}
