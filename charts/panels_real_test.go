package charts

import (
	"testing"

	"framescope/model"
)

func TestPanelsOfRealSessions(t *testing.T) {
	t.Run("strip", func(t *testing.T) {
		rig := newPanelRig(loadCapture(t, "render_gl_gpu"), 1, 900, 320)
		n := rig.env.View.track().NumFrames()
		rig.env.View.SelectFrames(n/2, n/2)
		rig.check(t, NewStripChart(model.NoTrack, 0, false), "strip_real_gpu")
	})
	t.Run("strip spikes", func(t *testing.T) {
		rig := newPanelRig(loadCapture(t, "longrun"), 1, 900, 320)
		n := rig.env.View.track().NumFrames()
		rig.env.View.SelectFrames(n/2, n/2+100)
		rig.check(t, NewStripChart(model.NoTrack, 0, false), "strip_real_longrun")
	})
	t.Run("levels", func(t *testing.T) {
		s := loadCapture(t, "render_gl_gpu")
		rig := newPanelRig(s, 1, 700, 260)
		c, most := model.NoCollector, 0
		for id := range model.CollectorID(s.NumCollectors()) {
			if d := s.Collector(id); d.HasLevel && d.Parent == 0 && id != 0 {
				bands, _ := s.FrameStrip(0, 40, id, true, nil)
				if len(bands) > most {
					c, most = id, len(bands)
				}
			}
		}
		rig.env.View.SelectFrames(40, 40)
		rig.check(t, NewStripChart(model.NoTrack, c, true), "levels_real_gpu")
	})
	t.Run("flame", func(t *testing.T) {
		rig := newPanelRig(loadCapture(t, "render_gl_gpu"), 1, 900, 300)
		n := rig.env.View.track().NumFrames()
		rig.env.View.SelectFrames(n/2, n/2+20)
		rig.check(t, NewFlameGraph(model.NoCollector), "flame_real_gpu")
	})
	t.Run("piano", func(t *testing.T) {
		rig := newPanelRig(loadCapture(t, "render_gl_gpu"), 1, 900, 460)
		n := rig.env.View.track().NumFrames()
		rig.env.View.SelectFrames(n/2, n/2)
		rig.check(t, NewPianoRoll(model.NoTrack), "piano_real_gpu")
	})
	t.Run("collectors", func(t *testing.T) {
		rig := newPanelRig(loadCapture(t, "render_gl_gpu"), 1, 232, 760)
		n := rig.env.View.track().NumFrames()
		rig.env.View.SelectFrames(n/2, n/2+20)
		rig.check(t, NewTable("Collectors", NewCollectorTree()), "table_real_collectors")
	})
	t.Run("stats", func(t *testing.T) {
		rig := newPanelRig(loadCapture(t, "longrun"), 1, 760, 300)
		rig.env.View.SelectFrames(0, rig.env.View.track().NumFrames()-1)
		rig.check(t, NewTable("Statistics", NewStatsTable(false)), "table_real_stats")
	})
}
