package registry

import (
	"runtime/debug"
	"testing"

	"framescope/assets"
	"framescope/charts/calls"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/locks"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/series"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/timeline"
	"framescope/charts/topology"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// switchCharts makes one chart of each kind.
func switchCharts() map[string]panel.Panel {
	dash, _ := tables.NewDashboard()
	lockPanel, _ := locks.NewLockPanel()
	return map[string]panel.Panel{
		"timeline": &timeline.Timeline{}, "overview": &overview.Overview{}, "history": &overview.History{}, "frames": &overview.FrameStrip{}, "flame": flame.New(model.NoCollector), "piano": strip.NewPiano(model.NoTrack),
		"strip": strip.New(model.NoTrack, 0, false), "levels": strip.New(model.NoTrack, 0, true), "call tree": calls.NewTree(), "slow calls": calls.NewSlow(),
		"series": series.NewChart(), "series table": table.New("t", series.NewTable()), "leaks": tables.NewLeaks(), "locks": &locks.Chart{}, "contention": lockPanel, "processors": &timeline.Chart{},
		"topology": topology.New(), "messages": tables.NewMessages(), "dashboard": dash, "threads": table.New("t", tables.NewThreads()), "collectors": table.New("c", tables.NewCollectorTree()),
		"statistics": table.New("s", tables.NewStats(false)), "losses": table.New("l", tables.NewLosses()), "spikes": table.New("k", tables.NewSpikes()),
	}
}

// Another session may be shown before a chart is updated: by a key in the same tick, or because the
// chart's panel is folded. What it knows of the session before must not be taken
// for something of the new one.
func TestChartsOfOneSessionAskedAboutAnother(t *testing.T) {
	sessions := []struct {
		name string
		s    *store.Session
	}{
		{"none", nil}, {"frames", chartstest.SessionOf(40)}, {"latency", chartstest.LatencySession(50)}, {"calls", chartstest.NewCallSession(true)}, {"empty", store.NewSession()}, {"locks", chartstest.NewLockSession(t)},
		{"leaks", chartstest.LeakSession()}, {"messages", chartstest.MessageSession(30)}, {"pipeline", chartstest.TeePipeline().Session()}, {"states", chartstest.StateSession(20)},
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
					rig := &chartstest.Rig{Env: &panel.Env{View: first, Theme: &th, Atlas: atlas, Scale: 1, NowNs: 1e9}, R: draw.Rect{X1: 500, Y1: 300}}
					rig.Tick(c)
					rig.Click(c, at[0], at[1])
					shown := view.New(b)
					shown.Follow(false)
					rig.Env.View = shown
					func() {
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s from %s to %s: %v\n%s", name, from, to, p, debug.Stack())
							}
						}()
						c.Title(rig.Env)
						c.Mode(rig.Env)
						if f, ok := c.(*flame.Graph); ok {
							f.FirstChild(rig.Env)
							f.Parent(rig.Env)
						}
						rig.In.Left = panel.Button{Released: true, DownX: at[0], DownY: at[1]}
						rig.Tick(c)
						c.HitTest(rig.Env, at[0], at[1])
						rig.In.Right = panel.Button{Released: true, DownX: at[0], DownY: at[1]}
						rig.Tick(c)
						rig.Env.View = first
						rig.R = draw.Rect{X1: 30, Y1: 8}
						rig.Tick(c)
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
	if v.Collector() >= 0 && int(v.Collector()) >= v.Session().Collectors().Len() {
		t.Errorf("%s: collector %d of %d is selected", what, v.Collector(), v.Session().Collectors().Len())
	}
}
