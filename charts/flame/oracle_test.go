package flame

import (
	"fmt"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/store"
)

// officialBar is a bar of the official flame graph, 1000 px wide.
type officialBar struct {
	frame                    int64
	depth, x0, x1, collector int32
	parent                   int32
}

// readOfficialBars reads NAME.flame.tsv beside a recording, by thread index.
func readOfficialBars(t *testing.T, name string) map[int][]officialBar {
	t.Helper()
	bars := map[int][]officialBar{}
	for line := range strings.Lines(string(recordings.Read(t, recordings.PStats, name+".flame.tsv"))) {
		var b officialBar
		var thread int
		if strings.HasPrefix(line, "#") {
			continue
		}
		_, err := fmt.Sscan(line, &thread, &b.frame, &b.depth, &b.x0, &b.x1, &b.collector, &b.parent)
		if err != nil {
			t.Fatalf("%s.flame.tsv: %q: %v", name, line, err)
		}
		bars[thread] = append(bars[thread], b)
	}
	return bars
}

// TestFlameBarsAreTheOfficialOnes lays flame graphs of real frames out 1000 px wide and compares
// them with the official viewer's: the same bars in the same rows, at the same place to the pixel
// (the official one rounds down, this one to the nearest). Frames that a span enters from the frame
// before, or in which one outlives its caller, are left out: there the official viewer shows
// nothing of the span up to its stop, or from its caller's stop on (pstats-viewer section 10.1),
// while here the time counts for what ran.
func TestFlameBarsAreTheOfficialOnes(t *testing.T) {
	for _, name := range []string{"nested", "recursion", "threads", "late", "gaps", "fragmented", "killed", "levels", "tinyudp", "bigframes", "longrun", "render_gl_gpu"} {
		t.Run(name, func(t *testing.T) {
			official := readOfficialBars(t, name)
			s := chartstest.LoadCapture(t, name)
			rig := chartstest.NewRig(s, 1, 1012, 2000)
			compared, crossed := 0, 0
			for thread, bars := range official {
				id := trackByIndex(s, thread)
				if id == model.NoTrack {
					t.Fatalf("thread %d is not in the session", thread)
				}
				rig.Env.View.SetTrack(id)
				for i := 0; i < len(bars); {
					j := i
					for j < len(bars) && bars[j].frame == bars[i].frame {
						j++
					}
					if entered(s, id, bars[i].frame) {
						crossed++
					} else {
						compareBars(t, rig, s.Track(id), thread, bars[i:j])
						compared += j - i
					}
					i = j
				}
			}
			if compared == 0 && crossed == 0 {
				t.Error("nothing was compared")
			}
			t.Logf("%d bars are the same, %d frames left out", compared, crossed)
		})
	}
}

// entered tells whether a span runs into a frame from before it, or outlives its caller in it.
func entered(s *store.Session, id model.TrackID, number int64) bool {
	tr := s.Track(id)
	i, ok := tr.FrameByNumber(number)
	if !ok {
		return false
	}
	var tree paths.Tree
	s.Spans().Tree([]model.TrackID{id}, tr.Frame(i).Begin, tr.Frame(i).End, &tree)
	for _, n := range tree.Nodes {
		if n.Count == 0 {
			return true // the rest of a span that is counted elsewhere
		}
	}
	begin := tr.Frame(i).Begin
	for lane := range tr.Lanes() {
		if bar, ok := s.Spans().At(id, lane, begin, 0); ok && bar.Begin < begin && bar.End > begin {
			return true
		}
	}
	return false
}

func trackByIndex(s *store.Session, index int) model.TrackID {
	for id := range model.TrackID(s.NumTracks()) {
		if tr := s.Track(id); tr.Def.Index == index && tr.NumFrames() > 0 {
			return id
		}
	}
	return model.NoTrack
}

func compareBars(t *testing.T, rig *chartstest.Rig, track *store.Track, thread int, want []officialBar) {
	t.Helper()
	i, ok := track.FrameByNumber(want[0].frame)
	if !ok {
		t.Errorf("thread %d: frame %d is not in the session", thread, want[0].frame)
		return
	}
	rig.Env.View.SelectFrames(i, i)
	f := New(model.NoCollector)
	rig.Tick(f)
	if w := f.regions.plot.W(); w != 1000 {
		t.Fatalf("the plot is %v px wide", w)
	}
	type place struct{ depth, x0, x1, collector, parent int32 }
	got := map[place]int{}
	add := func(r draw.Rect, node int32) {
		n := f.node(node)
		p := place{n.depth, int32(r.X0 - f.regions.plot.X0), int32(r.X1 - f.regions.plot.X0), int32(n.collector), -1}
		if n.parent >= 0 {
			p.parent = int32(f.nodes[n.parent].Collector)
		}
		got[p]++
	}
	plain := 0
	for b := range f.bars {
		if f.bars[b].merged == 1 {
			add(f.bars[b].rect, f.bars[b].node)
			plain++
		}
	}
	for _, w := range want {
		found := false
		for dx0 := int32(-1); dx0 <= 1 && !found; dx0++ {
			for dx1 := int32(-1); dx1 <= 1 && !found; dx1++ {
				p := place{w.depth, w.x0 + dx0, w.x1 + dx1, w.collector, w.parent}
				if got[p] > 0 {
					got[p]--
					found = true
				}
			}
		}
		if !found && w.x1-w.x0 > 1 {
			t.Errorf("thread %d, frame %d: no bar of collector %d in %d, depth %d from %d to %d", thread, w.frame, w.collector, w.parent, w.depth, w.x0, w.x1)
		}
	}
	for p, n := range got {
		if n > 0 && p.x1-p.x0 > 2 {
			t.Errorf("thread %d, frame %d: the official viewer has no bar %+v", thread, want[0].frame, p)
		}
	}
}
