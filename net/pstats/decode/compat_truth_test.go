package decode

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"

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
	var tree spans.Tree
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
			alone = s.Frames().Self(id, i, alone[:0])
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
		if c.name != "threads" && c.name != "GPU" && !testkit.Long {
			continue // TestClockThatIsSetBack and net/pstats/server's TestPanda3D have their like
		}
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
			testkit.That(t, s.Session.NumTracks() == c.tracks, "%d threads, want %d", s.Session.NumTracks(), c.tracks)
			if what := untrue(s.Session); what != "" {
				t.Error(what)
			}
			main := s.Session.Track(0)
			testkit.That(t, main.NumFrames() >= steps-5, "%d frames", main.NumFrames())
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
				testkit.That(t, ns >= least,
					"%s took %v, want %v at least", name, time.Duration(ns), time.Duration(least))
			}
			same, rows, what := otherRows(s.Session, raw)
			if c.pause == "0" && (what != "" || same < main.NumFrames()) {
				t.Errorf("%d bars are as the official viewer has them, %d have another row for a known reason; %s", same, rows, what)
			}
			if c.name == "GPU" {
				movedClock(t, s.Session)
			}
			marks := main.NumMessages()
			testkit.That(t, (marks > 0) == (c.pause != "0"), "%d marks of a clock that went back", marks)
			for i := 1; i < main.NumFrames(); i++ {
				if a, b := main.Frame(i-1), main.Frame(i); b.Begin < a.End {
					t.Errorf("frame %d begins %v before the one before it ends", b.Number, time.Duration(a.End-b.Begin))
				}
			}
			testkit.That(t, main.Lanes() <= 40, "%d rows", main.Lanes())
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
	testkit.That(t, shared >= 30 && near >= shared*3/4,
		"%d of %d frames of the GPU are within %v of the main thread's", near, shared, time.Duration(def.ShiftSpreadNs))
}

// otherRows holds the timeline of threads that are on their client's clock against the official
// one. It returns how many bars have the same times, row and openness there, how many only have
// another row, where that is one of the two things that are done otherwise:
//
//   - The official timeline gives another row to a span that is shown since an earlier frame, when
//     one turns up that has no start, or when a row above it becomes free. Here rows that were shown
//     stay.
//   - The official search for a row leaves out the one right above, even when the caller is in it,
//     and so puts a callee above its caller. Here it stays below.
//
// and says of one that differs for no such reason; empty if there is none. Real clients do these, too:
// whether a row is free may depend on two readings of the clock being the same.
func otherRows(s *store.Session, raw *sessionfile.Raw) (same, rows int, what string) {
	type bar struct {
		thread, collector  int
		begin, end         int64
		openBegin, openEnd bool
	}
	type place struct {
		bar
		row int
	}
	otherClock, left, excused := map[int]bool{}, map[place]int{}, map[bar]int{}
	for id := range model.TrackID(s.NumTracks()) {
		otherClock[s.Track(id).Def.Index] = s.Track(id).Def.ShiftNs != 0
	}
	official, did := timeline(raw)
	for _, b := range official {
		if otherClock[b.Thread] {
			continue
		}
		x := bar{b.Thread, b.Collector, ns(b.Begin), ns(b.End), b.OpenBegin, b.OpenEnd}
		if left[place{x, b.Row}]++; did.moved[threadFrame{b.Thread, b.frame}] {
			excused[x]++
		}
	}
	var lane []spans.Bar
	var ours []bar // that are in no such row there
	for _, tr := range feedtest.Tracks(s) {
		id := tr.Def.ID
		for row := range tr.Lanes() {
			if otherClock[tr.Def.Index] {
				break
			}
			lane = s.Spans().Visible(id, row, math.MinInt64/2, math.MaxInt64/2, 0, lane[:0])
			for _, b := range lane {
				x := bar{
					tr.Def.Index, int(b.Collector), b.Begin, b.End,
					b.Flags&model.SpanOpenBegin != 0, b.Flags&model.SpanOpenEnd != 0,
				}
				if at := (place{x, row}); left[at] > 0 {
					left[at]--
					same++
					continue
				}
				ours = append(ours, x)
				if excused[x] == 0 {
					what = fmt.Sprintf("the official timeline has no bar %+v in row %d", x, row)
				}
			}
		}
	}
	unmatched := map[bar]int{}
	for at, n := range left {
		if unmatched[at.bar] += n; n > 0 && excused[at.bar] == 0 {
			what = fmt.Sprintf("only the official timeline has the bar %+v in row %d", at.bar, at.row)
		}
	}
	for _, x := range ours {
		if unmatched[x]--; unmatched[x] < 0 {
			what = fmt.Sprintf("the official timeline has no bar %+v", x)
		}
	}
	for x, n := range unmatched {
		if n > 0 {
			what = fmt.Sprintf("only the official timeline has the bar %+v", x)
		}
	}
	return same, len(ours), what
}

// TestRowsOfAnything does so for frames of any events, in which spans overlap, cross frames, and
// are stopped without a start. Where a collector that runs within itself comes to another row,
// another of its runs may be the one that ends, so there not only rows may differ.
func TestRowsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, raw := &pstatstest.Sink{Session: store.NewSession()}, sessionfile.NewRaw()
		d := New(s, Options{})
		now, number := float32(1), uint32(1)
		for range rapid.IntRange(1, 5).Draw(t, "frames") {
			f := &pstats.Frame{Number: number, Events: []pstats.Event{{Time: now}}}
			number += uint32(rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "step"))
			for range rapid.IntRange(0, 12).Draw(t, "events") {
				now += rapid.SampledFrom([]float32{0, 0.25, 1}).Draw(t, "dt")
				e := rapid.IntRange(0, 9).Draw(t, "event")
				f.Events = append(f.Events, pstats.Event{Word: uint16(1+e%5) | uint16(e/5)<<15, Time: now})
			}
			now++
			f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: now})
			d.Frame(f, 0)
			raw.Frame(f, 0)
		}
		d.Close("")
		_, did := timeline(raw)
		_, rows, what := otherRows(s.Session, raw)
		testkit.MustThat(t, len(did.moved) != 0 || what == "" && rows <= 0, "%v %v", rows, what)
	})
}
