package tables

import (
	"testing"

	"framescope/charts/causes"
	"framescope/charts/chartstest"
	"framescope/charts/comparing"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/compare"
	"framescope/model/store"
)

// A click on a spike goes there and leaves the list as it is.
func TestSpikesHoldStill(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(false), 1, 400, 300)
	spikes := NewSpikes()
	tab := table.New("", spikes)
	rig.Ticks(tab, 50)
	list := spikes.Spans.(*spanSpikes)
	if len(list.rows) < 2 {
		t.Fatalf("%d spikes", len(list.rows))
	}
	n, row, third := len(list.rows), list.row, list.rows[1].span
	list.Click(rig.Env, &list.rows[1], &panel.Input{})
	rig.Ticks(tab, 50)
	if len(list.rows) != n || list.row != row || list.rows[1].span.Ref != third.Ref {
		t.Errorf("%d spikes of row %d, were %d of row %d", len(list.rows), list.row, n, row)
	}
	if v := rig.Env.View; !v.HasSpan() || v.Span().Ref != third.Ref {
		t.Error("the spike is not selected")
	}
}

// hitchSession has one thread of 600 frames of 10 ms, of which every 50th has a collection of garbage,
// each longer than the one before, and two wait for a disk.
func hitchSession() *store.Session {
	s := store.NewSession()
	for i, name := range []string{"Frame", "App", "GC", "Read"} {
		parent := model.CollectorID(0)
		if i == 0 {
			parent = model.NoCollector
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name, Parent: parent})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i)})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Main: true})
	at := int64(0)
	for i := range 600 {
		calls := []model.CollectorTime{{Collector: 1, Ns: 10_000_000 + int64(i%7)*10_000, Count: 1}}
		switch {
		case i%50 == 25:
			calls = append(calls, model.CollectorTime{Collector: 2, Ns: 9_000_000 + int64(i)*10_000, Count: 1})
		case i == 60 || i == 333:
			calls = append(calls, model.CollectorTime{Collector: 3, Ns: 40_000_000, Count: 1})
		}
		b := &model.Batch{HasFrame: true, Number: int64(1000 + i), Begin: at, Alone: calls}
		for _, c := range calls {
			b.Spans = append(b.Spans, model.Span{Begin: at, End: at + c.Ns, Path: model.PathID(c.Collector + 1)})
			at += c.Ns
		}
		b.End = at
		s.Append(b)
	}
	s.Apply(model.End{})
	return s
}

// Hitches are listed by their causes. A click on one goes to its worst frame, and from then on keys go
// through the frames of that cause alone, until Esc; its arrow opens it to its frames.
func TestHitchesByCause(t *testing.T) {
	rig := chartstest.NewRig(hitchSession(), 1, 400, 600)
	src := NewSpikes()
	tab := table.New("Spikes", src)
	tab.NoHeader, tab.RowHeight = true, 24
	rig.Tick(tab)
	list, v := src.Frames.(*hitches), rig.Env.View
	if len(list.rows) != 2 || list.rows[0].group.Collector != 2 || len(list.rows[0].group.Hitches) != 12 ||
		list.rows[1].group.Collector != 3 {
		t.Fatalf("%d rows: %+v", len(list.rows), list.groups)
	}
	if g := list.rows[0].group; !g.Regular || g.Trend <= 0 || g.Worst.Number != 1575 {
		t.Errorf("every %d ns, regular %v, trend %v, worst %d", g.PeriodNs, g.Regular, g.Trend, g.Worst.Number)
	}
	number := func() int64 { return v.Shown().Frame(v.FrameA()).Number }
	row := func(k int) { r := tab.RowRect(k); rig.Click(tab, 200, (r.Y0+r.Y1)/2) }
	if row(1); number() != 1060 || v.Cause() != causeOf(list.rows[1].group) {
		t.Errorf("a click on the second cause goes to frame %d, chosen is %v", number(), v.Cause())
	}
	v.SelectCollector(3)
	if !v.StepSpike(1) || number() != 1333 || v.Collector() != model.NoCollector {
		t.Errorf("then the next is %d", number())
	}
	if v.HasSpike(1) || !v.StepSpike(-1) || number() != 1060 {
		t.Errorf("and the one before that %d", number())
	}
	v.Unselect()
	if v.Cause() != (causes.Cause{}) || !v.StepSpike(1) || number() != 1075 {
		t.Errorf("without a cause the next is %d", number())
	}
	list.turn(&list.rows[0])
	rig.Tick(tab)
	if len(list.rows) != 14 || list.rows[1].hitch.Number != 1025 || list.rows[12].hitch.Number != 1575 {
		t.Fatalf("opened it has %d rows", len(list.rows))
	}
	v.SelectCollector(3)
	if row(3); number() != 1125 || v.Cause() != (causes.Cause{}) || v.Collector() != model.NoCollector {
		t.Errorf("a click on a frame goes to %d", number())
	}
	if !list.Row(rig.Env, &list.rows[3]).Selected {
		t.Error("its row is not the selected one")
	}
	v.SelectFrames(v.FrameA(), v.FrameA()+1)
	if list.Row(rig.Env, &list.rows[3]).Selected {
		t.Error("a row of a range, in which all are, stands out")
	}
	list.turn(&list.rows[0])
	v.SelectFrames(0, 349) // of a range: those in it
	rig.Tick(tab)
	if len(list.rows) != 2 || len(list.rows[0].group.Hitches)+len(list.rows[1].group.Hitches) != 9 || src.Words(rig.Env) != "Main · of 350 frames · by time over typical" {
		t.Errorf("of a range: %d rows, %q", len(list.rows), src.Words(rig.Env))
	}
	pinned := new(comparing.State) // a baseline: hitches are not told by it, which is said
	pinned.Pin(comparing.Mark{Side: compare.All(rig.Env.View.Session()), Name: "before", What: "all"})
	for pinned.Baseline(rig.Env.View.Session()) == nil {
		pinned.Tick(1 << 20)
	}
	rig.Env.Comparing = pinned
	if words := src.Words(rig.Env); words != "Main · of 350 frames · over the frames around, not over the baseline" {
		t.Errorf("with a baseline: %q", words)
	}
}

// While the mouse is over the list it stays as it is, also while more is found.
func TestHitchesHoldStill(t *testing.T) {
	s := hitchSession()
	rig := chartstest.NewRig(s, 1, 400, 600)
	rig.Env.Paced = true
	src := NewSpikes()
	tab := table.New("Spikes", src)
	list := src.Frames.(*hitches)
	rig.Ticks(tab, 200)
	if !list.ready || len(list.rows) != 2 {
		t.Fatalf("%d rows after 200 ticks, ready %v", len(list.rows), list.ready)
	}
	revision := list.revision
	rig.Move(tab, 100, 30)
	at := s.Track(0).Frame(599).End
	for i := range 200 {
		ns := int64(10_000_000)
		if i%20 == 3 {
			ns = 60_000_000
		}
		s.Append(&model.Batch{
			HasFrame: true, Number: int64(1600 + i), Begin: at, End: at + ns, Spans: []model.Span{{Begin: at, End: at + ns, Path: 2}},
			Alone: []model.CollectorTime{{Collector: 1, Ns: ns, Count: 1}},
		})
		at += ns
		rig.Tick(tab)
	}
	if list.revision != revision {
		t.Error("the list changed while the mouse was over it")
	}
	rig.In.Over = false
	rig.Ticks(tab, 100)
	if len(list.rows) != 3 || list.rows[0].group.Collector != 1 {
		t.Errorf("once the mouse has left it has %d rows", len(list.rows))
	}
}

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
	for _, c := range []struct {
		name  string
		w, h  float32
		scale float32
		panel panel.Panel
	}{
		{"budgets", 620, 260, 1, NewBudgets()},
		{"budgets_2x", 620, 260, 2, NewBudgets()},
		{"budgets_narrow", 330, 200, 1, NewBudgets()},
		{"budgets_trouble", 620, 200, 1, NewBudgets()},
		{"budgets_empty", 620, 120, 1, NewBudgets()},
		{"budgets_frames", 900, 100, 1, &overview.FrameStrip{}},
		{"budgets_strip", 620, 300, 1, strip.New(model.NoTrack, 0, false)},
		{"budgets_collectors", 420, 300, 1, NewCollectorPanel()},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rig(t, c.scale, c.w, c.h)
			switch c.name {
			case "budgets_trouble":
				r.Env.Limits.Fail("budgets.toml: line 3: limit: a time needs a unit: \"4 ms\", say")
			case "budgets_empty":
				r.Env.Limits = nil
			}
			r.Check(t, c.panel, c.name)
		})
	}
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
