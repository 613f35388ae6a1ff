package trace_test

import (
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// TestRounded tells of sums that values of series can't hold as they are, once.
func TestRounded(t *testing.T) {
	k := &feedtest.Into{Session: store.NewSession()}
	k.Define(model.Info{Sampling: model.Sampling{Timeless: true}})
	n := trace.New(k, nil, "All")
	main, _ := n.Track("main", model.TrackDef{Name: "main"})
	s := trace.NewWeighed(nil, trace.WeighedKind{Name: "space", Unit: "B"})
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
