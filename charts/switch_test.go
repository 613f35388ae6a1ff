package charts

import (
	"runtime/debug"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model"
)

// switchCharts makes one chart of each kind.
func switchCharts() map[string]Chart {
	dash, _ := NewDashboard()
	lockPanel, _ := NewLockPanel()
	return map[string]Chart{
		"timeline": &Timeline{}, "overview": &Overview{}, "history": &History{}, "frames": &FrameStrip{}, "flame": NewFlameGraph(model.NoCollector), "piano": NewPianoRoll(model.NoTrack),
		"strip": NewStripChart(model.NoTrack, 0, false), "levels": NewStripChart(model.NoTrack, 0, true), "call tree": NewCallTree(), "slow calls": NewSlowCalls(), "histogram": NewHistogram(),
		"series": NewSeriesChart(), "series table": NewTable("t", NewSeriesTable()), "leaks": NewLeaks(), "locks": &LockChart{}, "contention": lockPanel, "processors": &ProcessorChart{},
		"topology": NewTopology(), "messages": NewMessageTable(), "dashboard": dash, "threads": NewTable("t", NewThreadTable()), "collectors": NewTable("c", NewCollectorTree()),
		"statistics": NewTable("s", NewStatsTable(false)), "losses": NewTable("l", NewLossTable()), "spikes": NewTable("k", NewSpikeTable()),
	}
}

// Another session may be shown before a chart is updated: by a key in the same tick, or because the chart's panel is folded. What it knows of the session before must not be taken
// for something of the new one.
func TestChartsOfOneSessionAskedAboutAnother(t *testing.T) {
	sessions := []struct {
		name string
		s    *model.Session
	}{
		{"none", nil}, {"frames", testSessionOf(40)}, {"latency", latencySession(50)}, {"calls", newCallSession(true)}, {"empty", model.NewSession()}, {"locks", newLockSession(t)},
		{"leaks", leakSession()}, {"messages", messageSession(30)}, {"pipeline", teePipeline().session()}, {"states", stateSession(20)},
	}
	th, atlas := assets.Dark(), draw.NewAtlas(1)
	for i := range sessions {
		for _, step := range []int{1, 4, 9} {
			from, a := sessions[i].name, sessions[i].s
			other := &sessions[(i+step)%len(sessions)]
			to, b := other.name, other.s
			for name, c := range switchCharts() {
				for _, at := range [][2]float32{{60, 40}, {250, 150}, {120, 250}} {
					first := view.New(a)
					first.Follow(false)
					rig := &panelRig{env: &Env{View: first, Theme: &th, Atlas: atlas, Scale: 1, NowNs: 1e9}, r: draw.Rect{X1: 500, Y1: 300}}
					rig.tick(c)
					rig.click(c, at[0], at[1])
					shown := view.New(b)
					shown.Follow(false)
					rig.env.View = shown
					func() {
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s from %s to %s: %v\n%s", name, from, to, p, debug.Stack())
							}
						}()
						c.Title(rig.env)
						c.Mode(rig.env)
						if f, ok := c.(*FlameGraph); ok {
							f.FirstChild(rig.env)
							f.Parent(rig.env)
						}
						rig.in.Left = Button{Released: true, DownX: at[0], DownY: at[1]}
						rig.tick(c)
						c.HitTest(rig.env, at[0], at[1])
						rig.in.Right = Button{Released: true, DownX: at[0], DownY: at[1]}
						rig.tick(c)
						rig.env.View = first
						rig.r = draw.Rect{X1: 30, Y1: 8}
						rig.tick(c)
					}()
					checkSwitched(t, name+" from "+from+" to "+to, shown)
				}
			}
		}
	}
}

// checkSwitched fails when the view has something selected that its session does not have.
func checkSwitched(t *testing.T, what string, v *view.View) {
	t.Helper()
	if v.Session() == nil {
		return
	}
	if v.HasSpan() && v.Session().Track(v.Span().Ref.Track) == nil {
		t.Errorf("%s: a span of track %d is selected", what, v.Span().Ref.Track)
	}
	if v.Collector() >= 0 && int(v.Collector()) >= v.Session().NumCollectors() {
		t.Errorf("%s: collector %d of %d is selected", what, v.Collector(), v.Session().NumCollectors())
	}
}
