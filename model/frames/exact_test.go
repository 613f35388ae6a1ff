package frames

import (
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/columns"
	"framescope/model/internal/histogram"
	"framescope/model/pages"
)

// newTable returns an empty table, and what it has collectors from.
func newTable() (*Keeper, *collectors.Keeper) {
	var acc columns.Account
	acc.Init(pages.Heap(), new(columns.Sum))
	known := new(collectors.Keeper)
	known.Init(&acc)
	table := new(Keeper)
	table.Init(Host{
		Collectors: &known.Table, Latest: func(model.TrackID) int64 { return 0 }, Work: new(Scratch),
		Frames: &acc, Totals: &acc, Levels: &acc, Other: &acc,
	})
	return table, known
}

// Collectors in parts, as many at a time as fit, are the same collectors.
func TestStatsInParts(t *testing.T) {
	table, known := newTable()
	for c := range model.CollectorID(6) {
		known.Define(model.CollectorDef{ID: c, Name: string(rune('a' + c)), Parent: c/2 - (1 - min(c, 1))})
		known.EnsureTimed(c)
	}
	var track Track
	track.Init(table, 0)
	for n := range int64(50) {
		for c := range model.CollectorID(6) {
			if (n+int64(c))%3 > 0 {
				track.PushAlone(model.CollectorTime{Collector: c, Ns: n*100 + int64(c), Count: 1})
			}
		}
		track.Push(n, n*1000, n*1000+900, 0)
	}
	whole := table.ExactStats(0, FigureNet, 0, 49, nil)
	if len(whole) != 6 {
		t.Fatalf("%d collectors", len(whole))
	}
	var parts []Stats
	h := known.Tree()
	a := &tallyAll{figure: FigureNet}
	for c := range int32(len(h.All)) {
		a.only.from, a.only.to = c, c+1
		a.run(h, &track, 0, 49)
		parts = a.answer(new(histogram.Ranks), &track, 0, 49, parts)
	}
	if !slices.Equal(whole, parts) {
		t.Errorf("%+v\n%+v", whole, parts)
	}
}

// A track that lets go of everything is unknown, and what it took is given back.
func TestClear(t *testing.T) {
	table, _ := newTable()
	var track Track
	track.Init(table, 3)
	empty := table.host.Frames.Sum()
	for n := range int64(5000) {
		track.PushAlone(model.CollectorTime{Collector: 1, Ns: n, Count: 1})
		track.PushLevel(model.Level{Collector: 2, Value: float64(n)})
		track.Push(n*2, n*1000, n*1000+900, 0)
	}
	track.PushLoose(model.Level{Collector: 2, Time: 7, Value: 1})
	if track.Len() != 5000 || track.Missing() != 4999 || len(table.Bars(3, 0, 1000, 10, nil)) != 5 {
		t.Fatalf("%d frames, %d missing", track.Len(), track.Missing())
	}
	track.Clear()
	table.Clear()
	if table.Bars(3, 0, 1000, 10, nil) != nil || track.Len() != 0 {
		t.Error("frames are still there")
	}
	if left := table.host.Frames.Sum() - empty; left != 0 {
		t.Errorf("%d bytes are not given back", left)
	}
}
