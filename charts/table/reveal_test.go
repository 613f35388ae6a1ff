package table

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
)

// selecting is a table whose row n is collector n of the session.
type selecting struct{ *countingSource }

func (s selecting) Row(env *panel.Env, r *int) RowInfo {
	return RowInfo{Selected: model.CollectorID(*r) == env.View.Collector()}
}

func (s selecting) Click(env *panel.Env, r *int, _ *panel.Input) panel.Action {
	env.View.SelectCollector(model.CollectorID(*r))
	return panel.Action{}
}

// What is selected elsewhere is scrolled to; what is selected in the table, or in view, is not, and
// a table that one scrolls stays there.
func TestSelectedElsewhereIsScrolledTo(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 300, 200)
	tab := New[int]("", selecting{newCounting(30)})
	v := rig.Env.View
	inView := func(row int) bool {
		r := tab.RowRect(row)
		return r.Y0 >= tab.Body().Y0-1 && r.Y1 <= tab.Body().Y1+1
	}
	v.SelectCollector(3)
	rig.Tick(tab)
	if tab.scrollY != 0 {
		t.Errorf("scrolled to %v at first", tab.scrollY)
	}
	v.SelectCollector(25)
	if rig.Tick(tab); !inView(25) {
		t.Errorf("row 25 is not in view: scrolled to %v", tab.scrollY)
	}
	at := tab.scrollY
	v.SelectCollector(24)
	if rig.Tick(tab); tab.scrollY != at {
		t.Errorf("scrolled from %v to %v though row 24 was in view", at, tab.scrollY)
	}
	rig.Move(tab, 250, 100)
	rig.In.WheelY = 100
	rig.Tick(tab)
	rig.Tick(tab)
	if tab.scrollY != 0 {
		t.Errorf("the wheel leads to %v", tab.scrollY)
	}
	r := tab.RowRect(6)
	rig.Click(tab, 100, r.Y0+3)
	rig.Tick(tab)
	if v.Collector() != 6 || tab.scrollY != 0 {
		t.Errorf("a click on row 6: collector %d, scrolled to %v", v.Collector(), tab.scrollY)
	}
}
