package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// The list of threads is of the frames that all panels are of: not of those before the range, and
// not of the one that begins where it ends.
func TestThreadsAreOfTheRange(t *testing.T) {
	s := chartstest.LoadProfile(t, "small-clean.prof")
	for _, r := range [][2]int{{0, 0}, {0, 4}, {2, 2}, {1, 3}} {
		rig := chartstest.NewRig(s, 1, 400, 300)
		v := rig.Env.View
		v.SelectFrames(r[0], r[1])
		src := &frameThreads{}
		n, _ := src.Rows(rig.Env)
		if n != s.NumTracks() || !src.main {
			t.Fatalf("%d threads of %d", n, s.NumTracks())
		}
		for i := range n {
			row := src.At(i)
			track, first, last := s.Track(row.id), -1, -2
			for k := range track.NumFrames() { // a thread has those in which it was heard of
				if f := track.Frame(k); f.Begin >= v.RangeA() && f.End <= v.RangeB() {
					if last = k; first < 0 {
						first = k
					}
				}
			}
			if first < 0 {
				if row.frames != 0 || row.meanNs != 0 {
					t.Errorf("frames %v: thread %d has none, and %v ns of %d", r, row.id, row.meanNs, row.frames)
				}
				continue
			}
			want := s.Frames().Stats(row.id, 0, false, first, last).Mean * 1e9
			if row.frames != int64(last-first+1) || math.Abs(row.meanNs-want) > 1e-3 {
				t.Errorf("frames %v: thread %d: %v ns of %d frames, want %v", r, row.id, row.meanNs, row.frames, want)
			}
			var l panel.TipLines
			src.Tip(rig.Env, row, &l)
			words := fmt.Sprintf("net, mean of %d frames\t", row.frames)
			if first == last {
				words = fmt.Sprintf("net in frame %d\t", track.Frame(first).Number)
			}
			words = string(format.AppendDuration([]byte(words), int64(want+0.5)))
			if !slices.Contains(l.All(), words) {
				t.Errorf("frames %v: %q is not in %q", r, words, l.All())
			}
		}
	}
}

// Where threads have frames of their own, the figure is the mean duration of those of the range.
func TestThreadsHaveTheirOwnFrames(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 400, 300)
	v := rig.Env.View
	track := s.Track(v.Track())
	for _, r := range [][2]int{{1, 1}, {3, 7}} {
		v.SelectFrames(r[0], r[1])
		src := &frameThreads{}
		n, _ := src.Rows(rig.Env)
		i := slices.IndexFunc(src.rows[:n], func(r threadRow) bool { return r.id == v.Track() })
		sum := int64(0)
		for k := r[0]; k <= r[1]; k++ {
			sum += track.Frame(k).End - track.Frame(k).Begin
		}
		frames := r[1] - r[0] + 1
		if row := src.At(i); src.main || row.frames != int64(frames) || math.Abs(row.meanNs-float64(sum)/float64(frames)) > 1e-3 {
			t.Errorf("frames %v: %v ns of %d frames", r, row.meanNs, row.frames)
		}
	}
}

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
	if n, _ := src.Rows(rig.Env); n == 0 || len(src.Columns()) != 1 {
		t.Errorf("%d threads with %d columns, where there are no times", n, len(src.Columns()))
	}
	if words := new(spanWords).inView(rig.Env.View); words != "" {
		t.Errorf("they are %q", words)
	}
	if words := new(spanWords).shown(rig.Env, false); strings.ContainsRune(words, '·') || words == "" {
		t.Errorf("the head says %q", words)
	}
}

// The threads of a pipeline, and the ways through it are groups, its elements have a list of their own; each thing
// stands there once, and processor time is a matter of threads alone: what their CPU time says,
// whatever range it is.
func TestThreeGroupsOfTracks(t *testing.T) {
	s := chartstest.LoadTrace(t, "all-audio-chain.log.gz")
	_, end, _ := s.Bounds()
	for _, t1 := range []int64{end + 1, end / 2, 200 * end} {
		rig := chartstest.NewRig(s, 1, 300, 600)
		rig.Env.View.SelectRange(0, t1)
		src := NewThreads()
		n, _ := src.Rows(rig.Env)
		var names []string
		seen := map[string]bool{}
		heads, of := map[string]int{}, ""
		for i := range n {
			r := src.At(i)
			if r.head != "" {
				of = r.head
				continue
			}
			heads[strings.Fields(of)[0]]++
			x := s.Track(r.id)
			if names = append(names, x.Title()); seen[of+x.Title()] {
				t.Errorf("%s stands twice below %s", x.Title(), of)
			}
			seen[of+x.Title()] = true
			begin, end, _ := s.Spans().Life(r.id, 0, t1)
			lived := float64(end - begin)
			switch ns, ok := s.Spans().CPUTime(r.id, 0, t1); {
			case !x.Def.Kind.Calls() && r.share == r.share:
				t.Errorf("%s took %v of a processor", x.Title(), r.share)
			case x.Def.Kind == model.TrackThread && (!ok || math.Abs(r.share-min(ns/lived, 1)) > 1e-9):
				t.Errorf("%s took %v of a processor, its CPU time is %v ns of %v", x.Title(), r.share, ns, lived)
			}
		}
		list, elements := NewElements(), 0
		n, _ = list.Rows(rig.Env)
		for i := range n {
			if list.At(i).track != model.NoTrack {
				elements++
			}
		}
		if elements != 4 {
			t.Errorf("%d elements have a row in the timeline, want 4", elements)
		}
		if heads["threads"] != 2 || heads["elements"] != 0 || heads["paths"] != 1 {
			t.Errorf("%v: %q", heads, names)
		}
	}
}

// sessionOf is a session of one thread whose frames take so many milliseconds.
func sessionOf(ms ...int64) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "game.exe"})
	begin := int64(0)
	for i, x := range ms {
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: begin, End: begin + x*1e6})
		begin += x * 1e6
	}
	return s
}

func only(t *testing.T, s *store.Session, from, to int) frameratesRow {
	t.Helper()
	rig := chartstest.NewRig(s, 1, 900, 200)
	if to > from {
		rig.Env.View.SelectFrames(from, to)
	}
	src := &Source{}
	if n, _ := src.Rows(rig.Env); n != 1 {
		t.Fatalf("%d rows", n)
	}
	return *src.At(0)
}

// Rates and percentiles are those of all frames, and of several that are selected.
func TestFigures(t *testing.T) {
	ms := make([]int64, 200)
	for i := range ms {
		ms[i] = 10
	}
	ms[50], ms[150] = 50, 40
	got := only(t, sessionOf(ms...), 0, 0)
	want := frameratesRow{Pace: frames.Pace{
		Frames: 200, Rate: 1000 / (2070. / 200), Low1: 1000 / 45., Low01: 20,
		Median: 10e6, P95: 10e6, P99: 10e6, Longest: 50e6, Over: 2,
	}, hitches: 2}
	if got.Rate = math.Round(got.Rate*1e6) / 1e6; got.Rate != math.Round(want.Rate*1e6)/1e6 || math.Abs(got.Low1-want.Low1) > 1e-9 {
		t.Errorf("rates %v and %v, want %v and %v", got.Rate, got.Low1, want.Rate, want.Low1)
	}
	if got.Rate, got.Low1 = want.Rate, want.Low1; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := only(t, sessionOf(ms...), 140, 159); got.Frames != 20 || got.Longest != 40e6 || got.Low1 != 25 {
		t.Errorf("of selected frames: %+v", got)
	}
	if got := only(t, sessionOf(0, 0), 0, 0); !math.IsNaN(got.Rate) || !math.IsNaN(got.Low1) {
		t.Errorf("frames that take no time have rates: %+v", got)
	}
}

// Each program has a row, be its numbers those of the main one; a thread that is cut by the main
// one's frames has none.
func TestThreadsWithFramesOfTheirOwn(t *testing.T) {
	s := sessionOf(10, 10, 10)
	s.Apply(model.TrackDef{ID: 1, Name: "worker"})
	s.Apply(model.TrackDef{ID: 2, Name: "other.exe"})
	for i := range int64(3) {
		s.Append(&model.Batch{Track: 1, HasFrame: true, Number: i, Begin: i * 10e6, End: (i + 1) * 10e6})
		s.Append(&model.Batch{Track: 2, HasFrame: true, Number: i, Begin: i * 20e6, End: (i + 1) * 20e6})
	}
	src := &Source{}
	if n, _ := src.Rows(chartstest.NewRig(s, 1, 900, 200).Env); n != 2 || src.At(0).id != 0 || src.At(1).id != 2 || src.At(1).Rate != 50 {
		t.Errorf("%d rows: %+v", n, src.rows)
	}
}

// The thread to look at first is.
func TestMainThreadFirst(t *testing.T) {
	s := sessionOf(10, 10)
	for id := model.TrackID(1); id < 3; id++ {
		s.Apply(model.TrackDef{ID: id, Name: "other.exe", Main: id == 2})
		s.Append(&model.Batch{Track: id, HasFrame: true, End: int64(id+4) * 10e6})
	}
	src := &Source{}
	if n, _ := src.Rows(chartstest.NewRig(s, 1, 900, 200).Env); n != 3 || src.At(0).id != 2 || src.At(1).id != 0 || src.At(2).id != 1 {
		t.Errorf("%d rows: %+v", n, src.rows)
	}
}

// The dashboard's figures are those of the session's spans and series; it sorts and filters.
func TestDashboard(t *testing.T) {
	s := chartstest.NewCallSession(true)
	rig := chartstest.NewRig(s, 1, 800, 200)
	c, src := NewDashboard()
	rig.Tick(c)
	name := func(row int) string { return c.CellText(rig.Env, row, "thread") }
	if c.NumRows() != 4 || name(0) != "main" || name(3) != "Finalizer" {
		t.Errorf("%d rows, first %q, last %q", c.NumRows(), name(0), name(c.NumRows()-1))
	}
	n := int64(0)
	for i := int64(0); ; i++ {
		if _, ok := s.Spans().ByRef(spans.Ref{Track: chartstest.UtMain, Index: i}); !ok {
			n = i
			break
		}
	}
	if r := &src.rows[0]; r.samples != float64(n) || !(r.cpuNs > 0) || r.share < 0.5 || r.share > 1 {
		t.Errorf("%+v, want %d samples", *r, n)
	}
	c.SortBy("thread", false)
	rig.Tick(c)
	if name(0) != "Finalizer" {
		t.Errorf("by name, %q is first", name(0))
	}
	c.SetFilter("WORK")
	rig.Tick(c)
	if c.NumRows() != 1 || name(0) != "worker-1" {
		t.Errorf("%d rows are called like that", c.NumRows())
	}
	rig.Click(c, 100, 30)
	if rig.Env.View.Track() != chartstest.UtWorker {
		t.Error("a click does not choose the thread")
	}
}

// What tables say of a session without frames never speaks of frames.
func TestFramelessTablesDoNotSpeakOfFrames(t *testing.T) {
	for _, s := range []*store.Session{chartstest.NewCallSession(true), chartstest.NewCallSession(false)} {
		rig := chartstest.NewRig(s, 1, 900, 400)
		tree, stats, threads := NewCollectorTree(), NewStats(false), NewThreads()
		dash, losses, spikes := NewDashboardTable(), NewLosses(), NewSpikes()
		for name, x := range map[string]struct {
			tab   *table.Table
			empty func(bool) string
		}{
			"collectors": {table.New("", tree), tree.Empty}, "stats": {table.New("", stats), stats.Empty},
			"threads": {table.New("", threads), threads.Empty}, "dashboard": {table.New("", dash), dash.Empty},
			"losses": {table.New("", losses), losses.Empty}, "spikes": {table.New("", spikes), spikes.Empty},
		} {
			rig.Tick(x.tab)
			if x.tab.NumRows() == 0 {
				t.Errorf("%s has no rows", name)
			}
			var words strings.Builder
			if err := x.tab.Export(rig.Env, &words, panel.CSV); err != nil {
				t.Fatal(err)
			}
			for row := range x.tab.NumRows() {
				words.WriteString(strings.Join(x.tab.TipOf(rig.Env, row), " "))
			}
			words.WriteString(x.empty(false))
			if all := strings.ToLower(words.String()); name != "losses" && strings.Contains(all, "frame") {
				t.Errorf("%s: %s", name, all)
			}
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
		spikes, stats, tree := NewSpikes(), NewStats(false), NewCollectorTree()
		tables := []*table.Table{table.New("a", spikes), table.New("b", stats), table.New("c", tree)}
		for range 3 {
			for _, v := range []*view.View{full, other} {
				rig.Env.View = v
				for _, tab := range tables {
					rig.Tick(tab)
					rig.Click(tab, 100, 60)
				}
				if v == full && (len(spikes.Spans.(*spanSpikes).spans) == 0 || len(stats.calls.rows) == 0) {
					t.Errorf("the session with calls has %d spikes and %d rows of statistics", len(spikes.Spans.(*spanSpikes).spans), len(stats.calls.rows))
				}
				if v == other && (!byCalls.Of(v) || len(spikes.Spans.(*spanSpikes).spans) != 0 || len(stats.calls.rows) != 0 || v.HasSpan()) {
					t.Errorf("the session without calls has %d spikes and %d rows of statistics; a span is selected: %v", len(spikes.Spans.(*spanSpikes).spans), len(stats.calls.rows), v.HasSpan())
				}
			}
		}
	}
}
