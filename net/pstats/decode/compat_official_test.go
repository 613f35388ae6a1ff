package decode

import (
	"cmp"
	"context"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/server"
	"framescope/net/pstats/sessionfile"
)

// TestOracleCompat holds the official algorithms, from raw frames, against what the official code
// made of the same recordings.
func TestOracleCompat(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, name := range pstatstest.Captures {
		for _, from := range []string{fromFile, fromCapture} {
			if from != fromFile && slices.Contains(large, name) && !testkit.Long {
				continue
			}
			t.Run(name+"/"+from, func(t *testing.T) {
				raw, _ := pstatstest.Raw(t, name, from == fromFile)
				results := []string{compareCompatStrips(t, raw, name), compareSummary(t, raw, name)}
				t.Logf("%-14s %s: %s", name, from, strings.Join(results, "; "))
			})
		}
	}
}

// FlameBar is a bar in the official flame graph, 1000 units wide.
type FlameBar struct {
	Depth, X0, X1, Collector, Parent int
}

// oracleBars reads NAME.bars.tsv.
func oracleBars(t *testing.T, name string) (bars []Bar) {
	for _, r := range pstatstest.Rows(t, name+".bars.tsv") {
		bars = append(bars, Bar{Thread: pstatstest.Atoi(t, r[0]), Row: pstatstest.Atoi(t, r[1]), Begin: pstatstest.Atof(t, r[2]), End: pstatstest.Atof(t, r[3]), Collector: pstatstest.Atoi(t, r[4]), OpenBegin: r[5] == "1", OpenEnd: r[6] == "1"})
	}
	return bars
}

func orderOfBars(a, b Bar) int {
	return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
}

// stripRow is a row of NAME.strip.tsv.
type stripRow struct {
	thread, collector int
	level             bool
	frame             int
	begin, end, net   float64
	bands             []stripBand
}

func oracleStrips(t *testing.T, name string) (out []stripRow) {
	for _, r := range pstatstest.Rows(t, name+".strip.tsv") {
		s := stripRow{thread: pstatstest.Atoi(t, r[0]), collector: pstatstest.Atoi(t, r[1]), level: r[2] == "1", frame: pstatstest.Atoi(t, r[3]), begin: pstatstest.Atof(t, r[4]), end: pstatstest.Atof(t, r[5]), net: pstatstest.Atof(t, r[6])}
		for _, field := range r[7:] {
			for _, band := range strings.Fields(field) {
				c, v, _ := strings.Cut(band, ":")
				s.bands = append(s.bands, stripBand{pstatstest.Atoi(t, c), pstatstest.Atof(t, v)})
			}
		}
		out = append(out, s)
	}
	return out
}

func compareCompatStrips(t *testing.T, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "strips"}
	views := map[string]*View{}
	for _, w := range oracleStrips(t, name) {
		key := strconv.Itoa(w.thread) + strconv.FormatBool(w.level)
		if views[key] == nil {
			views[key] = NewView(raw, w.level)
		}
		f := raw.FrameOf(w.thread, int32(w.frame))
		if f == nil {
			f = &pstats.Frame{}
		}
		views[key].Update(f)
		got, net := stripOf(views[key], w.collector, nil)
		if w.level && !pstatstest.Near(net, w.net) {
			if bound := levelRounding(f); sameBands(got, w.bands, func(a, b float64) bool { return math.Abs(a-b) <= bound }) {
				c.Name(ruleRounding)
				continue
			}
		}
		c.Check(pstatstest.Near(net, w.net) && sameBands(got, w.bands, pstatstest.Near), "thread %d collector %d level %v frame %d: %v = %v, want %v = %v", w.thread, w.collector, w.level, w.frame, got, net, w.bands, w.net)
	}
	return c.String()
}

// ruleRounding: clients send absurd levels now and then (1.76e13 MB in a memory counter that fell
// below zero). A parent's own value is then a small difference of huge numbers, and depends on the
// order of the sum, which the official viewer leaves to an unstable sort.
const ruleRounding = "differ by the rounding of an absurd level"

// levelRounding bounds the rounding error of sums of a frame's levels in 64-bit floats.
func levelRounding(f *pstats.Frame) float64 {
	greatest := 0.0
	for _, l := range f.Levels {
		greatest = max(greatest, math.Abs(float64(l.Value)))
	}
	return greatest * 0x1p-53 * float64(len(f.Levels))
}

// sameBands compares bands as a set: collectors of equal sort have no defined order in the official
// viewer.
func sameBands(got, want []stripBand, near func(a, b float64) bool) bool {
	if len(got) != len(want) {
		return false
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g stripBand) bool { return g.Collector == w.Collector && near(g.Value, w.Value) }) {
			return false
		}
	}
	return true
}

// oracleFlame reads NAME.flame.tsv: bars by thread and frame.
func oracleFlame(t *testing.T, name string) map[[2]int][]FlameBar {
	out := map[[2]int][]FlameBar{}
	for _, r := range pstatstest.Rows(t, name+".flame.tsv") {
		key := [2]int{pstatstest.Atoi(t, r[0]), pstatstest.Atoi(t, r[1])}
		out[key] = append(out[key], FlameBar{Depth: pstatstest.Atoi(t, r[2]), X0: pstatstest.Atoi(t, r[3]), X1: pstatstest.Atoi(t, r[4]), Collector: pstatstest.Atoi(t, r[5]), Parent: pstatstest.Atoi(t, r[6])})
	}
	return out
}

// compareSummary holds the official frame rates and total labels against ours, computed as officially.
// The charts of the oracle were never drawn: their right edge is at 20 s.
func compareSummary(t *testing.T, raw *sessionfile.Raw, name string) string {
	rates, averages := pstatstest.Tally{T: t, What: "rates"}, pstatstest.Tally{T: t, What: "averages"}
	for _, r := range pstatstest.Rows(t, name+".summary.tsv") {
		thread, collector, level := pstatstest.Atoi(t, r[0]), pstatstest.Atoi(t, r[1]), r[2] == "1"
		numbers := raw.Numbers(thread)
		newest := numbers[len(numbers)-1]
		got, want := FrameRate(raw, thread, newest), pstatstest.Atof(t, r[4])
		rates.Check(math.Abs(got-want) <= 2e-8*want, "thread %d: %v, want %v", thread, got, want)
		got, want = averageOf(NewView(raw, level), thread, collector, newest, 20), pstatstest.Atof(t, r[3])
		if diff := math.Abs(got - want); level && diff > 1e-7*math.Abs(want) {
			bound := 0.0
			for _, n := range numbers {
				bound = max(bound, levelRounding(raw.FrameOf(thread, n)))
			}
			if diff <= bound {
				averages.Name(ruleRounding)
				continue
			}
		}
		averages.Check(math.Abs(got-want) <= 1e-7*math.Abs(want), "thread %d collector %d level %v: %v, want %v", thread, collector, level, got, want)
	}
	return rates.String() + "; " + averages.String()
}

// stripBand is a band of a strip chart.
type stripBand struct {
	Collector int
	Value     float64
}

// stripOf appends the bands of a strip chart of the collector c, from the bottom, and returns their
// sum (section 9.1).
func stripOf(v *View, c int, out []stripBand) (_ []stripBand, net float64) {
	for _, kid := range v.kids[c] {
		if value := v.Net(kid); value != 0 {
			out = append(out, stripBand{kid, value})
			net += value
		}
	}
	if own := v.Self(c); own > 0 {
		out = append(out, stripBand{c, own})
		net += own
	}
	return out, net
}

// averageOf returns the value of a strip chart's total label for a collector when the frame of that
// number is the newest (section 9.7): the mean over the window, weighted by the frames' lengths,
// where missing frames repeat the one before, and the first counts from the window's begin even if
// it began later. rightEdge is the time at the chart's right edge in seconds: the begin of the
// newest frame, or the width of a chart that was never drawn.
func averageOf(v *View, thread int, collector int, number int32, rightEdge float64) float64 {
	s := v.s
	numbers := s.Numbers(thread)
	first, last := windowOf(s, thread, numbers, number)
	if last < 0 {
		return 0
	}
	if collector == 0 && !v.levels {
		return 1 / FrameRate(s, thread, number)
	}
	var sum, weight float64
	for i := first; i <= last; i++ {
		f := s.FrameOf(thread, numbers[i])
		v.Update(f)
		_, value := stripOf(v, collector, nil)
		begin, end := spanOf(f)
		length := end - begin
		if i == first {
			inside := max(0, end-(rightEdge-Window))
			sum += value * inside
			weight += inside
		} else {
			sum += value * length
			weight += length
		}
		if i < last {
			missing := float64(numbers[i+1]) - float64(numbers[i]) - 1
			sum += missing * value * length
			weight += missing * length
		}
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// Bar is a bar of the official timeline. Times are seconds.
type Bar struct {
	Thread, Row        int
	Begin, End         float64
	Collector          int
	OpenBegin, OpenEnd bool
}

// ignored returns the collector that the timeline leaves out, -1 if none (section 11.2).
func ignored(s *sessionfile.Raw) int {
	for _, def := range s.CollectorDefs() {
		show, _ := s.Collector(int(def.Parent))
		app, _ := s.Collector(int(show.Parent))
		if def.Name == "General" && def.Parent != 0 && show.Name == "Show code" && show.Parent != 0 && app.Name == "App" {
			return int(def.Index)
		}
	}
	return -1
}

// TestRealPanda3D looks at what a real client sends, Panda3D as it comes from PyPI: with threads of
// its own for culling and drawing, and with OpenGL and its timing. The variable FRAMESCOPE_PYTHON
// names a Python that has it.
func TestRealPanda3D(t *testing.T) {
	python := testkit.Program(t, cmp.Or(os.Getenv("FRAMESCOPE_PYTHON"), "python3"))
	if err := exec.Command(python, "-c", "import panda3d.core, direct").Run(); err != nil {
		t.Skipf("no Python with Panda3D (pip install panda3d): %v", err)
	}
	const steps = 40
	for tracks, prc := range map[int]string{
		3: "threading-model Cull/Draw", 2: "load-display p3headlessgl\npstats-gpu-timing true",
	} {
		s := &feedtest.Into{Session: store.NewSession(), Ended: make(chan struct{})}
		cfg := server.Config{Addr: "127.0.0.1:0", NewSession: func(server.SessionInfo) pstats.Handler { return New(s, Options{}) }}
		srv := testkit.Must(server.Listen(t.Context(), cfg))(t)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		port := strconv.Itoa(int(srv.Addr().Port()))
		script := "../../../testdata/pstats/panda_wild.py"
		cmd := exec.CommandContext(ctx, python, script, port, strconv.Itoa(steps), "0", prc)
		cmd.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=1")
		out, err := cmd.CombinedOutput()
		cancel()
		testkit.MustThat(t, err == nil, "the client failed: %v\n%s", err, out)
		<-s.Ended
		srv.Close()
		testkit.MustEqual(t, s.Session.NumTracks(), tracks, "threads")
		testkit.Equal(t, untrue(s.Session), "", "untrue")
		main := s.Session.Track(0)
		testkit.That(t, main.NumFrames() >= steps-5, "%d frames", main.NumFrames())
		if tracks == 2 {
			checkMovedClock(t, s.Session)
		}
	}
}

// checkMovedClock demands that the frames of the GPU lie where those of the main thread with the same
// numbers do, within what is said of the uncertainty.
func checkMovedClock(t *testing.T, s *store.Session) {
	main, gpu := s.Track(0), s.Track(1)
	def := gpu.Def
	testkit.That(t, def.Kind == model.TrackGPU && !def.OwnClock && def.ShiftNs != 0 && def.ShiftSpreadNs > 0 &&
		def.ShiftFrames >= 16, "the GPU's track: %+v", def)
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
