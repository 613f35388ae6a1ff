package decode

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// untrue says what a session's exclusive times, its call tree and its timeline tell differently of
// some frame; empty if nothing. No time of a collector by itself is below zero, all of them add up
// to the roots of the call tree, those of a collector are what the tree says, no callee takes
// longer than its caller, and the bars of the timeline take as long as the tree says.
func untrue(s *store.Session) string {
	var tree paths.Tree
	var alone []model.CollectorTime
	var bars []spans.Bar
	for _, tr := range feedtest.Tracks(s) {
		id := tr.Def.ID
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			s.Spans().Tree([]model.TrackID{id}, f.Begin, f.End, &tree)
			self, total := map[model.CollectorID]int64{}, map[model.CollectorID]int64{}
			for _, n := range tree.Nodes {
				self[n.Collector] += n.Self
				total[n.Collector] += n.Total
				if n.Self < 0 || n.Parent >= 0 && n.Total > tree.Nodes[n.Parent].Total {
					return fmt.Sprintf("track %d frame %d: node %+v", id, f.Number, n)
				}
			}
			var sum int64
			alone = s.Frames().Alone(id, i, alone[:0])
			for _, a := range alone {
				sum += a.Ns
				if a.Ns < 0 || a.Ns != self[a.Collector] {
					return fmt.Sprintf("track %d frame %d: collector %d took %d ns by itself, %d in the call tree", id, f.Number, a.Collector, a.Ns, self[a.Collector])
				}
				delete(self, a.Collector)
			}
			if sum != tree.Total {
				return fmt.Sprintf("track %d frame %d: %d ns in all, %d in the call tree", id, f.Number, sum, tree.Total)
			}
			for c, ns := range self {
				if ns != 0 {
					return fmt.Sprintf("track %d frame %d: collector %d took %d ns in the call tree only", id, f.Number, c, ns)
				}
			}
			for lane := range tr.Lanes() {
				bars = s.Spans().Visible(id, lane, f.Begin, f.End, 0, bars[:0])
				for _, b := range bars {
					total[b.Collector] -= max(0, min(b.End, f.End)-max(b.Begin, f.Begin))
				}
			}
			for c, ns := range total {
				if ns != 0 && c != 0 { // a frame that was lost has no bar, but its time is that of what ran in it
					return fmt.Sprintf("track %d frame %d: the bars of collector %d take %d ns less than the call tree says", id, f.Number, c, ns)
				}
			}
		}
	}
	return ""
}

// TestTruthOfPanda3D does so for what a real client sends, Panda3D as it comes from PyPI: plain,
// with threads of its own for culling and drawing, with the Python profiler on, after its clock was
// set back, and with OpenGL and its timing. The variable FRAMESCOPE_PYTHON names a Python that has
// it.
func TestTruthOfPanda3D(t *testing.T) {
	python, err := exec.LookPath(cmp.Or(os.Getenv("FRAMESCOPE_PYTHON"), "python3"))
	if err == nil {
		err = exec.Command(python, "-c", "import panda3d.core, direct").Run()
	}
	if err != nil {
		t.Skipf("no Python with Panda3D (pip install panda3d): %v", err)
	}
	const steps = 40
	for _, c := range []struct {
		name, prc, pause string
		tracks           int
	}{
		{"plain", "", "0", 1},
		{"threads", "threading-model Cull/Draw", "0", 3},
		{"profiler", "pstats-python-profiler true", "0", 1},
		{"clock set back", "", "15", 1},
		{"GPU", "load-display p3headlessgl\npstats-gpu-timing true", "0", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, raw := &pstatstest.Sink{Session: store.NewSession()}, sessionfile.NewRaw()
			srv := listen(t, pstats.Tee(New(s, Options{}), raw))
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			args := []string{"../../../testdata/pstats/panda_wild.py", strconv.Itoa(int(srv.Addr().Port())), strconv.Itoa(steps), c.pause, c.prc}
			cmd := exec.CommandContext(ctx, python, args...)
			cmd.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=1")
			if out, err := cmd.CombinedOutput(); err != nil && bytes.Contains(out, []byte("Could not open window")) {
				t.Skip("no OpenGL")
			} else if err != nil {
				t.Fatalf("the client failed: %v\n%s", err, out)
			}
			testkit.WaitUntil(t, "the end", func() bool { return len(srv.Clients()) == 0 }, func() any { return srv.Clients() })
			srv.Close()
			if n := s.Session.NumTracks(); n != c.tracks {
				t.Errorf("%d threads, want %d", n, c.tracks)
			}
			if what := untrue(s.Session); what != "" {
				t.Error(what)
			}
			main := s.Session.Track(0)
			if n := main.NumFrames(); n < steps-5 {
				t.Errorf("%d frames", n)
			}
			// What Python starts by hand is in the call tree with all its time, whoever closes
			// around it.
			begin, end, _ := main.Bounds()
			for name, least := range map[string]int64{"AI": (steps - 5) * 2e6, "Hitch": 3 * 20e6} {
				var ns int64
				for _, st := range s.Session.Spans().Stats([]model.TrackID{0}, begin, end, nil) {
					if s.Session.Collector(st.Collector).Name == name {
						ns += st.TotalNs
					}
				}
				if ns < least {
					t.Errorf("%s took %v, want %v at least", name, time.Duration(ns), time.Duration(least))
				}
			}
			same, rows, what := otherRows(s.Session, raw)
			if c.pause == "0" && (what != "" || same < main.NumFrames()) {
				t.Errorf("%d bars are as the official viewer has them, %d have another row for a known reason; %s", same, rows, what)
			}
			if c.name == "GPU" {
				movedClock(t, s.Session)
			}
			if marks := main.NumMessages(); (marks > 0) != (c.pause != "0") {
				t.Errorf("%d marks of a clock that went back", marks)
			}
			for i := 1; i < main.NumFrames(); i++ {
				if a, b := main.Frame(i-1), main.Frame(i); b.Begin < a.End {
					t.Errorf("frame %d begins %v before the one before it ends", b.Number, time.Duration(a.End-b.Begin))
				}
			}
			if lanes := main.Lanes(); lanes > 40 {
				t.Errorf("%d rows", lanes)
			}
		})
	}
}

// movedClock demands that the frames of the GPU lie where those of the main thread with the same
// numbers do, within what is said of the uncertainty.
func movedClock(t *testing.T, s *store.Session) {
	main, gpu := s.Track(0), s.Track(1)
	def := gpu.Def
	if def.Kind != model.TrackGPU || def.OwnClock || def.ShiftNs == 0 || def.ShiftSpreadNs <= 0 || def.ShiftFrames < 16 {
		t.Errorf("the GPU's track: %+v", def)
	}
	near, shared := 0, 0
	for i := range gpu.NumFrames() {
		f := gpu.Frame(i)
		if k, ok := main.FrameByNumber(f.Number); ok {
			shared++
			if off := f.Begin - main.Frame(k).Begin; max(off, -off) <= def.ShiftSpreadNs {
				near++
			}
		}
	}
	if shared < 30 || near < shared*3/4 {
		t.Errorf("%d of %d frames of the GPU are within %v of the main thread's", near, shared, time.Duration(def.ShiftSpreadNs))
	}
}
