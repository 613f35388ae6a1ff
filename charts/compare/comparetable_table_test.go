package compare

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table/tabletest"
	"framescope/model/compare"
)

func TestGoldenDifferences(t *testing.T) {
	chartstest.AtScales(t, "compare_table", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewComparedRig(scale, 620, 330)
		rig.Check(t, NewTable(), name)
	})
	t.Run("paths", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 460, 260)
		p := NewTable()
		p.Use(rig.Env, toolPaths, 0)
		p.Use(rig.Env, toolSelf, 0)
		p.Use(rig.Env, comparetableToolNoise, 0)
		rig.Check(t, p, "compare_table_paths")
	})
	t.Run("empty", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 620, 120)
		rig.Env.Comparing = nil
		rig.Check(t, NewTable(), "compare_table_empty")
	})
}

// The table says of each row what the comparison does, those that changed first, and a click selects the
// collector where its session is shown.
func TestTableSaysWhatTheComparisonSays(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 500)
	p := NewTable()
	rig.Tick(p)
	r := rig.Env.Comparing.Result()
	if p.NumRows() != len(r.Collectors) {
		t.Fatalf("%d rows of %d", p.NumRows(), len(r.Collectors))
	}
	want := map[string]compare.Verdict{
		"App:Show code:Physics": compare.Slower, "App:Collide": compare.Faster, "Draw:Flush:Texture": compare.New,
		"Draw:Flush": compare.Gone,
	}
	changed := 0
	for row := range p.NumRows() {
		name, verdict := p.CellText(rig.Env, row, "name"), ""
		verdict = p.CellText(rig.Env, row, "verdict")
		if v, ok := want[name]; ok {
			if changed++; verdict != v.String() || row >= len(want) {
				t.Errorf("row %d, %s: %s, want %v", row, name, verdict, v)
			}
		} else if verdict != "noise" && verdict != "untested" && verdict != "identical" {
			t.Errorf("%s: %s", name, verdict)
		}
	}
	if changed != len(want) {
		t.Errorf("%d of %d changes are listed", changed, len(want))
	}
	const physics = 2
	c := p.CellRect(physics, "name")
	name := p.CellText(rig.Env, physics, "name")
	rig.Click(p, c.X0+40, (c.Y0+c.Y1)/2)
	if got := rig.Env.View.Session().Collector(rig.Env.View.Collector()).FullName; got != name {
		t.Errorf("selected is %s, clicked was %s", got, name)
	}
	p.SetFilter("collide")
	if rig.Tick(p); p.NumRows() != 1 {
		t.Errorf("%d rows with the filter", p.NumRows())
	}
}

// Noise can be left out, and rows can be call paths.
func TestToolsOfTheTable(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 500)
	p := NewTable()
	p.Use(rig.Env, comparetableToolNoise, 0)
	if rig.Tick(p); p.NumRows() != 4 {
		t.Errorf("%d rows changed", p.NumRows())
	}
	p.Use(rig.Env, comparetableToolNoise, 0)
	p.Use(rig.Env, toolPaths, 0)
	if rig.Tick(p); p.NumRows() != len(rig.Env.Comparing.Result().Paths) {
		t.Errorf("%d call paths", p.NumRows())
	}
	rig.Env.Comparing.Stop()
	if rig.Tick(p); p.NumRows() != 0 || rig.Env.Comparing.ShownSide(rig.Env.View.Session()) >= 0 {
		t.Errorf("%d rows of nothing", p.NumRows())
	}
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	_, b, state := chartstest.NewCompared()
	tabletest.Unharmed(t, func() tabletest.Shown[line] {
		p := NewTable()
		rig := chartstest.NewRig(b, 1, 1000, 300)
		rig.Env.Comparing = state
		return tabletest.Shown[line]{Rig: rig, Table: p.Table, Columns: &p.src.columns}
	})
}
