package truth

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/tables"
	"framescope/model"
)

// While a game runs, all means that stand side by side are of the same frames, change in the same
// tick, and say of how many they are.
func TestLiveMeansAreOfTheSameFrames(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Paced = true
	rig.Env.View.Follow(true)
	panels := map[string]panel.Panel{
		"flame graph": flame.New(model.NoCollector), "strip chart": strip.New(model.NoTrack, 0, false), "threads": tables.NewThreadPanel(),
		"collectors": tables.NewCollectorPanel(), "statistics": tables.NewStatisticsPanel(),
	}
	figure := func(name string) string {
		mode := panels[name].Mode(rig.Env)
		if name == "flame graph" {
			mode, _ = strings.CutSuffix(mode[strings.LastIndex(mode, "· ")+len("· "):], " a frame")
			return strings.TrimPrefix(mode, "total ")
		}
		figure, _, _ := strings.Cut(mode, " · ")
		return figure
	}
	said := map[string]bool{}
	for range 60 {
		g.Frame()
		rig.Env.NowNs += 16_000_000
		rig.Env.View.Tick(rig.Env.NowNs, false)
		for name, p := range panels {
			p.Update(rig.Env, draw.Rect{X1: 900, Y1: 400}, &panel.Input{DtNs: 16_000_000})
			if mode := p.Mode(rig.Env); !strings.Contains(mode, "mean of 60 frames") {
				t.Fatalf("%s: %q does not say what its figures are of", name, mode)
			}
		}
		if of, other := figure("flame graph"), figure("strip chart"); of != other {
			t.Fatalf("a mean frame of %s in the flame graph, of %s in the strip chart", of, other)
		} else {
			said[of] = true
		}
	}
	if len(said) > 6 {
		t.Errorf("figures changed %d times in a second", len(said))
	}
}
