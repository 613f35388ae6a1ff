package truth

import (
	"path/filepath"
	"slices"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// stopped is how the names of recordings begin in which the program stood still.
const stopped = "stops-"

// TestStops: call trees of frames and of time are the sums of what ran in all frames but the stops, and where only a stop
// is selected, of this.
func TestStops(t *testing.T) {
	x := open(t, filepath.Join(recordings.Root(t), "testdata", "spall", stopped+"v1.spall"))
	main := x.s.MainTrack()
	one, tr := []model.TrackID{main}, x.s.Track(main)
	last := tr.NumFrames() - 1
	stops := tr.Stops(0, last, nil)
	testkit.MustThat(t, len(stops) == 2 && !stops[0].Between && stops[1].Between, "%+v", stops)
	sum := func(of []int) (want *sums) {
		want = &sums{nodes: map[model.PathID]*node{}}
		for _, i := range of {
			f := tr.Frame(i)
			in := x.sums(one, f.Begin, f.End)
			want.total += in.total
			for p, n := range in.nodes {
				if want.nodes[p] == nil {
					want.nodes[p] = &node{}
				}
				want.nodes[p].total, want.nodes[p].calls = want.nodes[p].total+n.total, want.nodes[p].calls+n.calls
			}
		}
		return want
	}
	same := func(what string, tree *spans.Tree, want *sums) {
		t.Helper()
		testkit.Equal(t, tree.Total, want.total, "%s: total", what)
		testkit.Equal(t, len(tree.Nodes), len(want.nodes), "%s: calls", what)
		for _, n := range tree.Nodes {
			w := want.nodes[n.Path]
			testkit.That(t, w != nil && n.Total == w.total && n.Count == w.calls, "%s: %+v, want %+v", what, n, w)
		}
	}
	var frames []int
	for i := range last + 1 {
		if i != stops[0].Frame {
			frames = append(frames, i)
		}
	}
	var tree spans.Tree
	x.s.FrameTree(one, main, 0, last, &tree)
	same("frames", &tree, sum(frames))
	begin, end, _ := tr.FrameTimes(0, last)
	x.s.Spans().TreeOf(spans.MeasureDuration, one, begin, end, &tree)
	same("time", &tree, sum(frames))
	testkit.Equal(t, x.s.StoppedNs(begin, end), stops[0].End-stops[0].Begin+stops[1].End-stops[1].Begin, "stopped")
	x.s.FrameTree(one, main, stops[0].Frame, stops[0].Frame, &tree)
	same("a stop", &tree, sum([]int{stops[0].Frame}))
	x.s.Spans().TreeOf(spans.MeasureDuration, one, stops[0].Begin, stops[0].End, &tree)
	same("the time of a stop", &tree, sum([]int{stops[0].Frame}))
	testkit.That(t, len(x.s.OutsideFrames(main, &tree, nil)) == 0 && !slices.Contains(frames, stops[0].Frame), "calls lie outside of frames")
}
