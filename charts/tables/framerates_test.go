package tables

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

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

func TestFrameratesColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.NewSession(t)
	tabletest.Unharmed(t, func() tabletest.Shown[frameratesRow] {
		src := &Source{}
		return tabletest.Shown[frameratesRow]{Rig: chartstest.NewRig(s, 1, 1400, 260), Table: table.New("", src), Columns: &frameratesColumns}
	})
}

func TestAllocatesNothing(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 900, 200)
	p := NewPanel()
	rig.Tick(p)
	rig.Tick(p)
	if n := testing.AllocsPerRun(20, func() { rig.Tick(p) }); n > 0 {
		t.Errorf("%v allocations in a tick in which nothing changes", n)
	}
}
