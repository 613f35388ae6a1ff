package truth

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/charts/calls"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/widgets/details"
)

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
	graph, tree, list := flame.New(model.NoCollector), calls.NewTree(), tables.NewPackagesPanel()
	all := []panel.Panel{head, graph, tree, pane, list, tables.NewLossesPanel()}
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
	if sums > 1 {
		t.Errorf("%d ticks took more than twice their work", sums)
	}
	if ticks < 20 || ticks == 1000 || !waited {
		t.Errorf("the tree came after %d ticks; no rows before that: %v", ticks, waited)
	}
	for range 5 {
		table.Pace(work)
		for _, p := range all {
			rig.Tick(p)
		}
	}
	if after, _ := table.Shared(); after != before+1 {
		t.Errorf("%d trees were made", after-before)
	}
	table.Pace(0) // what is there needs no work
	tracks := rig.Env.View.Look().VisibleTracks()
	t0, t1, _ := rig.Env.View.TimeRange()
	want := table.Whole(spans.MeasureSamples, tracks, t0, t1)
	for _, p := range []panel.Panel{graph, tree} {
		if mode := strings.ReplaceAll(p.Mode(rig.Env), "\u202f", ""); !strings.Contains(mode, fmt.Sprint(want.Total)) {
			t.Errorf("%q does not state the total of %d", mode, want.Total)
		}
	}
	hot, ok := want.Hottest(model.NoCollector, nil)
	facts := head.Facts(rig.Env, nil)
	named := slices.ContainsFunc(facts, func(f panel.Fact) bool { return f.Name == s.Collector(hot.Collector).Name })
	if !ok || !named {
		t.Errorf("the headline does not name %q: %+v", s.Collector(hot.Collector).Name, facts)
	}
}
