package registry

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model/store"
)

// A right click asks for a menu of what lies under the mouse: of the collector of a row, not of its
// thread, of the span, the element, the message that is pointed at, in every panel.
func TestRightClicksAreAboutWhatIsPointedAt(t *testing.T) {
	sessions := map[string]*store.Session{
		"frames": chartstest.NewSession(t), "spans": chartstest.NewCallSession(false), "locks": chartstest.NewLockSession(t),
		"pipeline": chartstest.TeePipeline().Session(), "messages": chartstest.MessageSession(50), "samples": chartstest.LoadFlare(t, "recorded-60s"),
		"latency": chartstest.LoadTrace(t, "latency-tee-queues.log.gz"),
	}
	asked := map[string]int{}
	for name, s := range sessions {
		for _, d := range All() {
			if d.Has != nil && !d.Has(s.Contents()) {
				continue
			}
			rig := chartstest.NewRig(s, 1, 900, 420)
			if v := rig.Env.View; d.Frames || s.HasFrames() {
				v.SelectFrames(20, 20)
			}
			p := d.New()
			for range 4 {
				rig.Tick(p)
			}
			for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 23 {
				for x := rig.R.X0 + 11; x < rig.R.X1; x += 71 {
					rig.In.Right = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
					rig.Move(p, x, y)
					h := p.HitTest(rig.Env, x, y)
					rig.In.Right = panel.Button{Released: true, DownX: x, DownY: y}
					a := rig.Tick(p)
					rig.In.Right = panel.Button{}
					switch {
					case h.Kind == panel.HitNothing || h.Kind == panel.HitAxis && a.Kind == panel.ActionNone:
					case a.Kind != panel.ActionMenu:
						t.Errorf("%s, %s at %v, %v: no menu of %+v", name, d.ID, x, y, h)
					case a.Hit.Kind != h.Kind || a.Hit.Collector != h.Collector || a.Hit.Track != h.Track || a.Hit.Thing != h.Thing:
						t.Errorf("%s, %s at %v, %v: a menu of %+v, there is %+v", name, d.ID, x, y, a.Hit, h)
					default:
						if asked[d.ID]++; h.Collector > 0 {
							asked[d.ID+" collector"]++
						}
					}
				}
			}
		}
	}
	for _, id := range []string{"collectors", "statistics", "calltree", "contention", "flame", "piano", "strip", "timeline"} {
		if asked[id+" collector"] == 0 {
			t.Errorf("no collector of %s was pointed at", id)
		}
	}
	for _, id := range []string{"messages", "topology", "elements", "threads", "spikes", "series", "counters", "packages"} {
		if asked[id] == 0 {
			t.Errorf("nothing of %s was pointed at", id)
		}
	}
}
