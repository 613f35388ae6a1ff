package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/budget"
)

const file = `
[[budget]]
name = "60 Hz"
limit = "16.7 ms"
share = "1 %"
[[budget]]
collector = "Frame"
limit = "14 ms"
[[budget]]
collector = "App:*"
limit = "3 ms"
[[budget]]
collector = "Draw"
thread = "Main"
measure = "calls"
at = "max"
limit = 2
[[budget]]
collector = "Gone"
limit = "1 ms"
optional = true
`

// rig is a window on a session with budgets.
func rig(t *testing.T, scale, w, h float32) *chartstest.Rig {
	all, err := budget.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	r := chartstest.NewComparedRig(scale, w, h)
	r.Env.Limits = new(view.State)
	r.Env.Limits.Set("game/budgets.toml", all)
	for !r.Env.Limits.Follow(r.Env.View.Session(), 0, 1000) {
	}
	return r
}

func TestGoldenBudgets(t *testing.T) {
	chartstest.AtScales(t, "budgets", func(t *testing.T, scale float32, name string) {
		rig(t, scale, 620, 260).Check(t, NewBudgets(), name)
	})
	t.Run("narrow", func(t *testing.T) { rig(t, 1, 330, 200).Check(t, NewBudgets(), "budgets_narrow") })
	t.Run("trouble", func(t *testing.T) {
		r := rig(t, 1, 620, 200)
		r.Env.Limits.Fail("budgets.toml: line 3: limit: a time needs a unit: \"4 ms\", say")
		r.Check(t, NewBudgets(), "budgets_trouble")
	})
	t.Run("empty", func(t *testing.T) {
		r := rig(t, 1, 620, 120)
		r.Env.Limits = nil
		r.Check(t, NewBudgets(), "budgets_empty")
	})
	t.Run("frames", func(t *testing.T) { rig(t, 1, 900, 100).Check(t, &overview.FrameStrip{}, "budgets_frames") })
	t.Run("strip", func(t *testing.T) {
		rig(t, 1, 620, 300).Check(t, strip.New(model.NoTrack, 0, false), "budgets_strip")
	})
	t.Run("collectors", func(t *testing.T) { rig(t, 1, 420, 300).Check(t, NewCollectorPanel(), "budgets_collectors") })
}

// A click selects what a budget is on and goes to its worst frame; the row says which line of the file it is.
func TestClick(t *testing.T) {
	r := rig(t, 1, 900, 400)
	p := NewBudgets()
	r.Tick(p)
	clicked := 0
	for row := range p.NumRows() {
		c := p.CellRect(row, "what")
		if c.Empty() || p.CellText(r.Env, row, "verdict") == "nothing" {
			continue
		}
		h := p.HitTest(r.Env, c.X0+40, (c.Y0+c.Y1)/2)
		if h.Budget == 0 || len(h.Lines) < 4 {
			t.Errorf("row %d: %+v", row, h)
		}
		r.Click(p, c.X0+40, (c.Y0+c.Y1)/2)
		v, x := r.Env.View, limitOf(r.Env, h.Budget, p.CellText(r.Env, row, "what"))
		if x == nil {
			continue
		}
		clicked++
		if f := v.Shown().Frame(v.FrameA()); f.Number != x.Worst || x.Collector != model.NoCollector && v.Collector() != x.Collector {
			t.Errorf("row %d: frame %d of collector %d, want %+v", row, f.Number, v.Collector(), x.Result)
		}
	}
	if clicked < 4 {
		t.Errorf("only %d rows", clicked)
	}
}

// limitOf returns the limit of a line that is on something.
func limitOf(env *panel.Env, line int, what string) *view.Limit {
	all := env.Limits.All()
	for i := range all {
		if x := &all[i]; x.Budget.Line == line && (x.What == what || x.What == "" && what == "frame") {
			return x
		}
	}
	return nil
}
