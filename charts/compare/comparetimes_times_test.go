package compare

import (
	"math"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/comparing"
)

func TestGoldenFrameTimes(t *testing.T) {
	chartstest.AtScales(t, "compare_times", func(t *testing.T, scale float32, name string) {
		chartstest.NewComparedRig(scale, 760, 230).Check(t, NewTimes(), name)
	})
	t.Run("log", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 420, 200)
		light := assets.Light()
		rig.Env.Theme = &light
		c := NewTimes()
		c.Use(rig.Env, toolLog, 0)
		rig.Check(t, c, "compare_times_log")
	})
	t.Run("cumulative", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 420, 200)
		c := NewTimes()
		c.Use(rig.Env, toolCumulative, 0)
		rig.Check(t, c, "compare_times_cumulative")
	})
	t.Run("frames", func(t *testing.T) {
		chartstest.ComparedFrames(1, 760, 230).Check(t, NewTimes(), "compare_times_frames")
	})
	t.Run("empty", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 760, 120)
		rig.Env.Comparing.Stop()
		rig.Check(t, NewTimes(), "compare_times_empty")
	})
}

// Columns are the shares of both sides, and add up to all frames; cumulative ones end at all of them.
func TestColumnsAreShares(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 760, 230)
	c := NewTimes()
	rig.Tick(c)
	f := frames(rig.Env)
	for side := range f.Sides {
		sum := 0.0
		for k := range c.columns() {
			sum += c.share(f, side, k)
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("side %d: %v of all", side, sum)
		}
	}
	mid := (c.plot.Y0 + c.plot.Y1) / 2
	hit := c.HitTest(rig.Env, c.plot.X1-1, mid)
	lines := strings.Join(hit.Lines, "\n")
	if !strings.Contains(lines, "and longer") || !strings.Contains(lines, "of 600 frames") {
		t.Errorf("the last column says %q", lines)
	}
	c.Use(rig.Env, toolCumulative, 0)
	rig.Tick(c)
	for side := range f.Sides {
		if got := c.share(f, side, c.columns()-1); got != 1 {
			t.Errorf("side %d ends at %v", side, got)
		}
	}
}

// What is compared anew is drawn anew, and one side alone says which is missing.
func TestSidesOfTheChart(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 760, 230)
	c := NewTimes()
	rig.Tick(c)
	s := rig.Env.Comparing
	a := frames(rig.Env).Sides[0].Median
	s.Swap()
	for s.Result() == nil {
		s.Tick(1000)
	}
	if rig.Tick(c); frames(rig.Env).Sides[1].Median != a {
		t.Error("A is not B now")
	}
	m, _ := s.Marked(comparing.B)
	s.Stop()
	s.Set(comparing.B, m, 0)
	if words := s.Words(""); !strings.Contains(words, "B is marked") || !strings.Contains(words, "Shift+A") {
		t.Errorf("%q", words)
	}
	if rig.Tick(c); c.columns() != 0 {
		t.Error("columns of nothing")
	}
}

// Of a single frame there is no median, and no percentile: it is what it is.
func TestFramesHaveNoMedian(t *testing.T) {
	rig, c := chartstest.ComparedFrames(1, 760, 230), NewTimes()
	rig.Tick(c)
	for _, x := range c.List().Texts() {
		for _, word := range []string{"median", "p95", "p99", "longest"} {
			if strings.Contains(x.Text, word) {
				t.Errorf("of a frame it says %q", x.Text)
			}
		}
	}
}

// Which stretch is A and which is B stands above, whole, in panels down to those of a small window.
func TestSidesAreNamedWhole(t *testing.T) {
	for _, width := range []float32{340, 420, 760} {
		rig, c := chartstest.ComparedFrames(1, width, 230), NewTimes()
		rig.Tick(c)
		said := map[string]bool{}
		for _, x := range c.List().Texts() {
			said[x.Text] = true
		}
		for _, words := range []string{"A", "B", "before", "after", "frame 20 of Main", "frame 21 of Main"} {
			if !said[words] {
				t.Errorf("a panel of %v px does not say %q: %v", width, words, said)
			}
		}
	}
}
