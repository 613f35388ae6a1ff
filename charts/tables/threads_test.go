package tables

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/compare"
	"framescope/model/frames"
	"framescope/model/store"
)

// Threads of which nobody knows when they did anything have names alone: none was busy.
func TestThreadsWithoutTimes(t *testing.T) {
	s := chartstest.NewCallSession(false)
	timed := chartstest.NewRig(s, 1, 300, 200)
	src := NewThreads()
	if src.Rows(timed.Env); len(src.Columns()) < 3 || new(spanWords).inView(timed.Env.View) == "" {
		t.Errorf("%d columns, where there are times", len(src.Columns()))
	}
	info := s.Info()
	info.Sampling.Timeless = true
	s.Apply(info)
	rig := chartstest.NewRig(s, 1, 300, 200)
	src = NewThreads()
	n, _ := src.Rows(rig.Env)
	testkit.That(t, n != 0 && len(src.Columns()) == 1,
		"%d threads with %d columns, where there are no times", n, len(src.Columns()))
	testkit.Equal(t, new(spanWords).inView(rig.Env.View), "", "words of what is in view")
	words := new(spanWords).shown(rig.Env)
	testkit.That(t, !strings.ContainsRune(words, '·') && words != "", "the head says %q", words)
}

func paceOf(s *store.Session, from, to int) framePace {
	v := chartstest.NewRig(s, 1, 900, 200).Env.View
	if to > from {
		v.SelectFrames(from, to)
	}
	return *new(frameThreads).paceOf(v, &threadRow{})
}

// Rates and percentiles are those of all frames, and of several that are selected.
func TestFigures(t *testing.T) {
	ns := slices.Repeat([]int64{10e6}, 200)
	ns[50], ns[150] = 50e6, 40e6
	got := paceOf(chartstest.FramesOf(ns...), 0, 0)
	want := framePace{words: "all frames:", Pace: frames.Pace{
		Frames: 200, Rate: 1000 / (2070. / 200), Low1: 1000 / 45., Low01: 20,
		Median: 10e6, P95: 10e6, P99: 10e6, Longest: 50e6, Over: 2,
	}, hitches: 2}
	if got.Rate = math.Round(got.Rate*1e6) / 1e6; got.Rate != math.Round(want.Rate*1e6)/1e6 || math.Abs(got.Low1-want.Low1) > 1e-9 {
		t.Errorf("rates %v and %v, want %v and %v", got.Rate, got.Low1, want.Rate, want.Low1)
	}
	got.Rate, got.Low1 = want.Rate, want.Low1
	testkit.That(t, got == want, "%+v, want %+v", got, want)
	if got := paceOf(chartstest.FramesOf(ns...), 140, 159); got.Frames != 20 || got.Longest != 40e6 || got.Low1 != 25 {
		t.Errorf("of selected frames: %+v", got)
	}
	if got := paceOf(chartstest.FramesOf(0, 0), 0, 0); !math.IsNaN(got.Rate) || !math.IsNaN(got.Low1) {
		t.Errorf("frames that take no time have rates: %+v", got)
	}
}

// What tables say of a session without frames never speaks of frames.
func TestFramelessTablesDoNotSpeakOfFrames(t *testing.T) {
	for _, s := range []*store.Session{chartstest.NewCallSession(true), chartstest.NewCallSession(false)} {
		rig := chartstest.NewRig(s, 1, 900, 400)
		tree, stats, threads := NewCollectorTree(), NewStats(), NewThreads()
		losses := NewLosses()
		for name, x := range map[string]struct {
			tab   *table.Table
			empty func(bool) string
		}{
			"collectors": {table.New("", tree), tree.Empty}, "stats": {table.New("", stats), stats.Empty},
			"threads": {table.New("", threads), threads.Empty},
			"losses":  {table.New("", losses), losses.Empty},
		} {
			rig.Tick(x.tab)
			testkit.That(t, x.tab.NumRows() != 0, "%s has no rows", name)
			var words strings.Builder
			testkit.NoErr(t, x.tab.Export(rig.Env, &words, panel.CSV))
			for row := range x.tab.NumRows() {
				words.WriteString(strings.Join(x.tab.TipOf(rig.Env, row), " "))
			}
			words.WriteString(x.empty(false))
			all := strings.ToLower(words.String())
			testkit.That(t, name == "losses" || !strings.Contains(all, "frame"), "%s: %s", name, all)
		}
	}
}

// What a table had of another session is gone when one without calls is shown.
func TestTablesOfCallsForgetOtherSessions(t *testing.T) {
	byCalls := view.PerUnit[bool]{Spans: true}
	bare := store.NewSession()
	bare.Apply(model.CollectorDef{ID: 3, Name: "later"})
	bare.Apply(model.TrackDef{ID: 0, Name: "main", Kind: model.TrackThread})
	bare.Apply(model.SeriesDef{ID: 0, Name: "load", Kind: model.SeriesValue})
	bare.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 5, Value: 1}, {Time: 9, Value: 2}}})
	for _, animate := range []bool{false, true} {
		rig := chartstest.NewRig(chartstest.NewCallSession(false), 1, 900, 400)
		rig.Env.Animate, rig.Env.Paced = animate, animate
		full := rig.Env.View
		other := view.New(bare)
		stats, tree := NewStats(), NewCollectorTree()
		tables := []*table.Table{table.New("b", stats), table.New("c", tree)}
		for range 3 {
			for _, v := range []*view.View{full, other} {
				rig.Env.View = v
				for _, tab := range tables {
					rig.Tick(tab)
					rig.Click(tab, 100, 60)
				}
				testkit.That(t, v != full || len(stats.calls.All) != 0,
					"the session with calls has no rows of statistics")
				if v == other && (!byCalls.Of(v) || len(stats.calls.All) != 0 || v.HasSpan()) {
					t.Errorf("the session without calls has %d rows of statistics; a span is selected: %v", len(stats.calls.All), v.HasSpan())
				}
			}
		}
	}
}

// hitchSession has one thread of 600 frames of 10 ms, of which every 50th has a collection of garbage,
// each longer than the one before, and two wait for a disk.
func hitchSession() *store.Session {
	s, at := chartstest.Named("Frame", "App", "GC", "Read"), int64(0)
	for i := range int64(600) {
		calls := []model.CollectorTime{chartstest.Took(1, 10_000_000+i%7*10_000)}
		switch {
		case i%50 == 25:
			calls = append(calls, chartstest.Took(2, 9_000_000+i*10_000))
		case i == 60 || i == 333:
			calls = append(calls, chartstest.Took(3, 40_000_000))
		}
		at = chartstest.AppendCalls(s, 0, 1000+i, at, calls...)
	}
	s.Apply(model.End{})
	return s
}

// While a view is paused and more comes, the list of hitches stays as it is: a row under the eye neither moves nor
// counts others.
func TestHitchesStayWhilePaused(t *testing.T) {
	s, at := chartstest.Named("Frame", "App", "GC", "Read"), int64(0)
	grow := func(first, n int64, hitch model.CollectorID) {
		for i := first; i < first+n; i++ {
			calls := []model.CollectorTime{chartstest.Took(1, 10_000_000+i%7*10_000)}
			if i%50 == 25 {
				calls = append(calls, chartstest.Took(hitch, 40_000_000))
			}
			at = chartstest.AppendCalls(s, 0, i, at, calls...)
		}
	}
	grow(0, 300, 2)
	rig := chartstest.NewRig(s, 1, 400, 600)
	src := NewSpikes()
	tab := table.New("Spikes", src)
	list, v := src.Frames.(*hitches), rig.Env.View
	see := func(what string, want ...int) {
		t.Helper()
		rig.Ticks(tab, 50)
		var got []int
		for i := range list.All {
			got = append(got, int(list.All[i].group.Collector), len(list.All[i].group.Hitches))
		}
		testkit.EqualSlices(t, got, want, "%s: collectors and hitches", what)
	}
	v.Follow(true)
	see("live", 2, 6)
	v.Follow(false)
	grow(300, 600, 3)
	end := list.endNs
	see("paused", 2, 6)
	testkit.That(t, end > 0 && list.endNs == end, "its ruler ends at %d, then at %d", end, list.endNs)
	v.Follow(true)
	see("live again", 3, 12, 2, 6)
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
	if len(list.All) != 2 || list.All[0].group.Collector != 2 || len(list.All[0].group.Hitches) != 12 ||
		list.All[1].group.Collector != 3 {
		t.Fatalf("%d rows: %+v", len(list.All), list.groups)
	}
	g := list.All[0].group
	testkit.That(t, g.Regular && g.Trend > 0 && g.Worst.Number == 1575,
		"every %d ns, regular %v, trend %v, worst %d", g.PeriodNs, g.Regular, g.Trend, g.Worst.Number)
	number := func() int64 { return v.Shown().Frame(v.FrameA()).Number }
	row := func(k int) { r := tab.RowRect(k); rig.Click(tab, 200, (r.Y0+r.Y1)/2) }
	if row(1); number() != 1060 || v.Cause() != view.By(list.All[1].group) {
		t.Errorf("a click on the second cause goes to frame %d, chosen is %v", number(), v.Cause())
	}
	v.SelectCollector(3)
	testkit.That(t, v.StepSpike(1) && number() == 1333 && v.Collector() == 3, "then the next is %d", number())
	testkit.That(t, !v.HasSpike(1) && v.StepSpike(-1) && number() == 1060, "and the one before that %d", number())
	v.Unselect() // the cause is not selected any more, but its hitch,
	v.Unselect() // and then the hitches of other causes are walked through again
	testkit.That(t, v.Cause() == (view.Cause{}) && v.StepSpike(1) && number() == 1075,
		"without a cause the next is %d", number())
	list.turn(&list.All[0])
	rig.Tick(tab)
	testkit.MustThat(t, len(list.All) == 14 && list.All[1].hitch.Number == 1025 && list.All[12].hitch.Number == 1575,
		"opened it has %d rows", len(list.All))
	v.SelectCollector(3)
	if row(3); number() != 1125 || v.Cause() != (view.Cause{}) || v.Collector() != 2 {
		t.Errorf("a click on a frame goes to %d", number())
	}
	testkit.That(t, list.Row(rig.Env, &list.All[3]).Selected, "its row is not the selected one")
	v.SelectFrames(v.FrameA(), v.FrameA()+1)
	testkit.That(t, !list.Row(rig.Env, &list.All[3]).Selected, "a row of a range, in which all are, stands out")
	list.turn(&list.All[0])
	v.SelectFrames(0, 349) // of a range: those in it
	rig.Tick(tab)
	if len(list.All) != 2 || len(list.All[0].group.Hitches)+len(list.All[1].group.Hitches) != 9 || src.Words(rig.Env) != "Main · of 350 frames · worst frame of each" {
		t.Errorf("of a range: %d rows, %q", len(list.All), src.Words(rig.Env))
	}
	pinned := new(view.Comparing) // a baseline: hitches are not told by it, which is said
	pinned.Pin(view.Mark{Side: compare.All(rig.Env.View.Session()), Name: "before", What: "all"})
	for pinned.Baseline(rig.Env.View.Session()) == nil {
		pinned.Tick(1 << 20)
	}
	rig.Env.Comparing = pinned
	words := src.Words(rig.Env)
	testkit.That(t, words == "Main · of 350 frames · over the frames around, not over the baseline",
		"with a baseline: %q", words)
}

// rig is a window on a session with budgets.
func rig(t *testing.T, scale, w, h float32) *chartstest.Rig {
	all := testkit.Must(budget.Parse(string(testkit.Must(os.ReadFile("testdata/budgets.toml"))(t))))(t)
	r := chartstest.NewComparedRig(scale, w, h)
	r.Env.Limits = new(view.State)
	r.Env.Limits.Set("game/budgets.toml", all)
	for !r.Env.Limits.Follow(r.Env.View.Session(), 0, 1000) {
	}
	return r
}

func TestGoldenBudgets(t *testing.T) {
	for _, c := range []struct {
		name        string
		w, h, scale float32
		panel       panel.Panel
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
				r.Env.Limits = new(view.State)
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
		testkit.That(t, h.Budget != 0 && len(h.Lines) >= 4, "row %d: %+v", row, h)
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
	testkit.That(t, clicked >= 4, "only %d rows", clicked)
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

// Of threads without frames those in sight get their figures.
func TestThreadsInSightHaveFigures(t *testing.T) {
	s := store.NewSession()
	for id := range model.TrackID(1000) {
		s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: 0, End: 100 + int64(id)}}})
	}
	rig := chartstest.NewRig(s, 1, 700, 300)
	src := NewThreads()
	c := table.New("", src)
	rig.Tick(c)
	rig.Tick(c)
	n, _ := src.Rows(rig.Env)
	made := 0
	for i := range n {
		if src.At(i).loaded {
			made++
		}
	}
	testkit.That(t, n == 1000 && made > 5 && made < 30, "%d of %d rows have figures", made, n)
}

// Where a recording has several processes, the list of threads has a group for each, that of the main thread
// first, and the threads in it are called without it.
func TestThreadsStandBelowTheirProcess(t *testing.T) {
	s := store.NewSession()
	for id, d := range []model.TrackDef{
		{Name: "Thread 1", Process: "Server"}, {Name: "Main (Game)", Process: "Game", Main: true}, {Name: "Audio", Process: "Game"}, {Name: "Main (Server)", Process: "Server"},
	} {
		d.ID = model.TrackID(id)
		s.Apply(d)
		s.Append(&model.Batch{Track: d.ID, HasFrame: true, Number: 1, Begin: 0, End: 100})
	}
	rig := chartstest.NewRig(s, 1, 300, 200)
	src := NewThreads()
	n, _ := src.Rows(rig.Env)
	var rows []string
	for i := range n {
		if head, ok := src.Line(src.At(i)); ok {
			rows = append(rows, head.Words)
		} else {
			rows = append(rows, src.Columns()[0].Text(rig.Env, src.At(i)))
		}
	}
	lines := func() int { return len(src.Frames.(*frameThreads).lines) }
	made, work := lines(), src.At(1).worked(rig.Env)
	testkit.That(t, made == 0 && lines() == 1 && work.Wall == 100 && len(src.At(1).spark) == 1,
		"figures of %d threads were made before any was looked at, then of %d: %+v", made, lines(), work)
	want := []string{"Game 2", "Main", "Audio", "Server 2", "Thread 1", "Main"}
	testkit.That(t, slices.Equal(rows, want), "the rows are %q, want %q", rows, want)
	var heads []string
	for _, g := range rig.Env.View.Look().TrackGroups() {
		heads = append(heads, g.Title)
	}
	testkit.That(t, slices.Equal(heads, []string{"Game", "Server"}), "the timeline has groups %q", heads)
	rig.Env.View.Look().SetTrackGrouping(view.TracksAlone)
	testkit.That(t, len(rig.Env.View.Look().TrackGroups()) == 1, "there are groups where none are wanted")
}
