package trace_test

import (
	"errors"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// TestWeights adds stacks of two threads, some of them twice: the session has the sum of each weight.
func TestWeights(t *testing.T) {
	k := &feedtest.Into{Session: store.NewSession()}
	k.Define(model.Info{Sampling: model.Sampling{Timeless: true}})
	n := trace.New(k, nil, "All")
	main, _ := n.Track("main", model.TrackDef{Name: "main"})
	audio, _ := n.Track("audio", model.TrackDef{Name: "audio"})
	a := n.Path(model.PathRoot, n.Collector([]byte("a")))
	b := n.Path(a, n.Collector([]byte("b")))
	s := trace.NewWeighted(nil, trace.WeightKind{Name: "space", Unit: "B"}, trace.WeightKind{Name: model.WeightSamples})
	for _, x := range []struct {
		track model.TrackID
		path  model.PathID
		w     [2]int64
	}{{main, b, [2]int64{100, 1}}, {audio, a, [2]int64{7, 2}}, {main, a, [2]int64{0, 4}}, {main, b, [2]int64{20, 3}}} {
		testkit.OK(t, s.Add(x.track, x.path, x.w[:]...))
	}
	testkit.That(t, s.Len() == 4 && s.Distinct() == 3 && s.Total(0) == 127,
		"%v %v %v", s.Len(), s.Distinct(), s.Total(0))
	testkit.OK(t, s.Publish(k))
	for _, c := range []struct {
		m              spans.Measure
		track          model.TrackID
		total, selfOfA int64
	}{{spans.MeasureWeight, main, 120, 0}, {spans.MeasureSamples, main, 8, 4}, {spans.MeasureWeight, audio, 7, 7}, {spans.MeasureSamples, audio, 2, 2}} {
		var tree spans.Tree
		k.Session.Spans().TreeOf(c.m, []model.TrackID{c.track}, 0, 1, &tree)
		testkit.That(t, tree.Total == c.total && tree.Nodes[0].Path == a && tree.Nodes[0].Self == c.selfOfA,
			"measure %d of %d: %d, %+v", c.m, c.track, tree.Total, tree.Nodes)
	}
}

// TestTooMuch adds what can't be added up: it is refused as a whole.
func TestTooMuch(t *testing.T) {
	s := trace.NewWeighted(nil, trace.WeightKind{Name: "space"}, trace.WeightKind{Name: "n"})
	for _, w := range [][2]int64{{-1, 0}, {trace.Most + 1, 0}, {1, -5}} {
		err := s.Add(0, 1, w[:]...)
		testkit.That(t, errors.Is(err, trace.ErrTooMuch), "%v: %v", w, err)
	}
	err := s.Add(0, 1, trace.Most, 1)
	testkit.That(t, err == nil, "%v", err)
	if err := s.Add(0, 2, 1, 1); !errors.Is(err, trace.ErrTooMuch) || s.Total(1) != 1 || s.Len() != 1 {
		t.Errorf("%v, %d stacks of %d", err, s.Len(), s.Total(1))
	}
}

// TestRounded tells of sums that values of series can't hold as they are, once.
func TestRounded(t *testing.T) {
	k := &feedtest.Into{Session: store.NewSession()}
	k.Define(model.Info{Sampling: model.Sampling{Timeless: true}})
	n := trace.New(k, nil, "All")
	main, _ := n.Track("main", model.TrackDef{Name: "main"})
	s := trace.NewWeighted(nil, trace.WeightKind{Name: "space", Unit: "B"})
	for i, w := range []int64{1 << 53, 1, 1<<60 + 1, 1 << 61} {
		name := []byte{"aabc"[i]}
		testkit.OK(t, s.Add(main, n.Path(model.PathRoot, n.Collector(name)), w))
	}
	for range 2 {
		testkit.OK(t, s.Publish(k))
		lost, lines := k.Session.Losses()
		if lost[model.LossLimit] != 2 || !strings.Contains(strings.Join(lines, "\n"), "more than 2^53 are shown without their last digits") {
			t.Errorf("%v %q", lost, lines)
		}
	}
}
