package strip

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/flame"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

func TestPanelsOfRealSessions(t *testing.T) {
	t.Run("strip", func(t *testing.T) {
		rig := chartstest.NewRig(chartstest.LoadCapture(t, "render_gl_gpu"), 1, 900, 320)
		n := rig.Env.View.Shown().NumFrames()
		rig.Env.View.SelectFrames(n/2, n/2)
		rig.Check(t, New(model.NoTrack, 0, false), "strip_real_gpu")
	})
	t.Run("strip spikes", func(t *testing.T) {
		rig := chartstest.NewRig(chartstest.LoadCapture(t, "longrun"), 1, 900, 320)
		n := rig.Env.View.Shown().NumFrames()
		rig.Env.View.SelectFrames(n/2, n/2+100)
		rig.Check(t, New(model.NoTrack, 0, false), "strip_real_longrun")
	})
	t.Run("levels", func(t *testing.T) {
		s := chartstest.LoadCapture(t, "render_gl_gpu")
		rig := chartstest.NewRig(s, 1, 700, 260)
		c, most := model.NoCollector, 0
		for id := range model.CollectorID(s.Collectors().Len()) {
			if d := s.Collector(id); d.HasLevel && d.Parent == 0 && id != 0 {
				bands, _ := s.Frames().Bands(0, 40, id, true, nil)
				if len(bands) > most {
					c, most = id, len(bands)
				}
			}
		}
		rig.Env.View.SelectFrames(40, 40)
		rig.Check(t, New(model.NoTrack, c, true), "levels_real_gpu")
	})
	t.Run("flame", func(t *testing.T) {
		rig := chartstest.NewRig(chartstest.LoadCapture(t, "render_gl_gpu"), 1, 900, 300)
		n := rig.Env.View.Shown().NumFrames()
		rig.Env.View.SelectFrames(n/2, n/2+20)
		rig.Check(t, flame.New(model.NoCollector), "flame_real_gpu")
	})
	t.Run("piano", func(t *testing.T) {
		rig := chartstest.NewRig(chartstest.LoadCapture(t, "render_gl_gpu"), 1, 900, 460)
		n := rig.Env.View.Shown().NumFrames()
		rig.Env.View.SelectFrames(n/2, n/2)
		rig.Check(t, NewPiano(model.NoTrack), "piano_real_gpu")
	})
	t.Run("collectors", func(t *testing.T) {
		rig := chartstest.NewRig(chartstest.LoadCapture(t, "render_gl_gpu"), 1, 232, 760)
		n := rig.Env.View.Shown().NumFrames()
		rig.Env.View.SelectFrames(n/2, n/2+20)
		rig.Check(t, table.New("Collectors", tables.NewCollectorTree()), "table_real_collectors")
	})
	t.Run("stats", func(t *testing.T) {
		rig := chartstest.NewRig(chartstest.LoadCapture(t, "longrun"), 1, 760, 300)
		rig.Env.View.SelectFrames(0, rig.Env.View.Shown().NumFrames()-1)
		rig.Check(t, table.New("Statistics", tables.NewStats(false)), "table_real_stats")
	})
}

// TestStripColumnsAreTheFramesTheyName compares what columns stack with what their frame has, for
// times and counters, in real sessions.
func TestStripColumnsAreTheFramesTheyName(t *testing.T) {
	for _, name := range []string{"late", "levels", "recursion", "gaps", "threads"} {
		t.Run(name, func(t *testing.T) {
			s := chartstest.LoadCapture(t, name)
			rig := chartstest.NewRig(s, 1, 700, 300)
			checked := 0
			for track := range model.TrackID(s.NumTracks()) {
				if s.Track(track).NumFrames() == 0 {
					continue
				}
				for focus := range model.CollectorID(s.Collectors().Len()) {
					d := s.Collector(focus)
					for _, levels := range []bool{false, true} {
						if levels && (!d.HasLevel || focus == 0) || !levels && !d.HasTime {
							continue
						}
						for _, mode := range []frames.StripMode{frames.StripHold, frames.StripMax} {
							c := New(track, focus, levels)
							c.Columns = mode
							rig.Tick(c)
							checked += checkColumns(t, s, c)
						}
					}
				}
			}
			if checked < 1000 {
				t.Errorf("%d values compared", checked)
			}
		})
	}
}

func checkColumns(t *testing.T, s *store.Session, c *Chart) (checked int) {
	t.Helper()
	last := int32(-1)
	for i, col := range c.strip.Columns {
		if col.State != frames.ColumnData || col.Frame == last {
			continue
		}
		last = col.Frame
		bands, net := s.Frames().Bands(c.track, int(col.Frame), c.Focus, c.Levels, nil)
		if math.Abs(net-float64(col.Net)) > 1e-6*math.Abs(net)+1e-12 {
			t.Fatalf("track %d, focus %d, frame %d: net %v, the frame has %v", c.track, c.Focus, col.Frame, col.Net, net)
		}
		want := map[model.CollectorID]float64{}
		for _, b := range bands {
			want[b.Collector] = b.Value
		}
		for k, v := range c.row(i) {
			id := c.strip.Bands[k]
			if w := want[id]; math.Abs(w-float64(v)) > 1e-6*math.Abs(w)+1e-12 {
				t.Fatalf("track %d, focus %d, frame %d, collector %d: %v, the frame has %v", c.track, c.Focus, col.Frame, id, v, w)
			}
			delete(want, id)
			checked++
		}
		for id, w := range want {
			if w != 0 {
				t.Fatalf("track %d, focus %d, frame %d: collector %d with %v has no band", c.track, c.Focus, col.Frame, id, w)
			}
		}
	}
	return checked
}
