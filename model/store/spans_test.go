package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"

	"framescope/model/spans"
)

func TestFlameTreeOfOverlap(t *testing.T) { // acceptance case 16: +F@0 +A@1 +B@2 -A@4 -B@6 -F@10
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 2})
	s.Apply(model.PathDef{ID: 4, Parent: 1, Collector: 2})
	frame(s, 0, 0, 10, model.Batch{Spans: []model.Span{{Begin: 0, End: 10, Path: 1}, {Begin: 1, End: 4, Path: 2, Lane: 1}, {Begin: 2, End: 4, Path: 3, Lane: 2}, {Begin: 4, End: 6, Path: 4, Lane: 2, Flags: model.SpanMoves}}})
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{0}, 0, 10, &tree)
	want := []spans.Node{
		{Path: 1, Collector: 0, Parent: -1, Depth: 0, Total: 10, Self: 5, Count: 1},
		{Path: 2, Collector: 1, Parent: 0, Depth: 1, Total: 3, Self: 1, Count: 1},
		{Path: 3, Collector: 2, Parent: 1, Depth: 2, Total: 2, Self: 2, Count: 1},
		{Path: 4, Collector: 2, Parent: 0, Depth: 1, Total: 2, Self: 2},
	}
	testkit.NoDiff(t, cmp.Diff(want, tree.Nodes), "Nodes")
	testkit.Equal(t, tree.Total, 10, "total")
	s.Spans().Tree([]model.TrackID{0, 0}, 3, 5, &tree) // a track named twice counts once; F passes through
	want = []spans.Node{
		{Path: 1, Collector: 0, Parent: -1, Depth: 0, Total: 2, Count: 1},
		{Path: 2, Collector: 1, Parent: 0, Depth: 1, Total: 1, Self: 0, Count: 1},
		{Path: 3, Collector: 2, Parent: 1, Depth: 2, Total: 1, Self: 1, Count: 1},
		{Path: 4, Collector: 2, Parent: 0, Depth: 1, Total: 1, Self: 1},
	}
	testkit.NoDiff(t, cmp.Diff(want, tree.Nodes), "Nodes")
}

func TestGluedSpanIsOne(t *testing.T) { // acceptance case 17
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 3})
	frame(s, 4, 0, 10, model.Batch{Spans: []model.Span{{Begin: 6, End: 10, Path: 1, Flags: model.SpanOpenEnd}}})
	frame(s, 5, 10, 20, model.Batch{Spans: []model.Span{{Begin: 10, End: 13, Path: 1, Flags: model.SpanContinues}}})
	frame(s, 6, 20, 30, model.Batch{Spans: []model.Span{{Begin: 21, End: 30, Path: 1, Flags: model.SpanOpenEnd}}})
	frame(s, 8, 40, 50, model.Batch{Spans: []model.Span{{Begin: 40, End: 44, Path: 1, Flags: model.SpanContinues}}})
	bars := s.Spans().Visible(0, 0, 0, 100, 0, nil)
	want := []spans.Bar{
		{Begin: 6, End: 13, Path: 1, Collector: 3, Count: 1, Busy: 1},
		{Begin: 21, End: 30, Path: 1, Collector: 3, Count: 1, Busy: 1, Flags: model.SpanOpenEnd, Ref: spans.Ref{Index: 1}},
		{Begin: 40, End: 44, Path: 1, Collector: 3, Count: 1, Busy: 1, Flags: model.SpanOpenBegin, Ref: spans.Ref{Index: 2}},
	}
	testkit.NoDiff(t, cmp.Diff(want, bars), "bars")
	for _, c := range []struct {
		at, slop, begin int64
		ok              bool
	}{{7, 0, 6, true}, {14, 0, 0, false}, {14, 1, 6, true}, {19, 3, 21, true}, {40, 0, 40, true}, {99, 10, 0, false}} {
		b, ok := s.Spans().At(0, 0, c.at, c.slop)
		testkit.That(t, ok == c.ok && (!ok || b.Begin == c.begin), "SpanAt(%d, %d) = %+v, %v", c.at, c.slop, b, ok)
	}
	b, ok := s.Spans().Next(0, 3, 6, 1)
	testkit.That(t, ok && b.Begin == 21, "next = %+v, %v", b, ok)
	b, ok = s.Spans().Next(0, 3, 40, -1)
	testkit.That(t, ok && b.Begin == 21, "previous = %+v, %v", b, ok)
	_, ok = s.Spans().Next(0, 2, 6, 1)
	testkit.That(t, !ok, "found a span of a collector that has none")
	b, ok = s.Spans().ByRef(spans.Ref{Track: 0, Lane: 0, Index: 1})
	testkit.That(t, ok && b.Begin == 21, "by ref = %+v, %v", b, ok)
	_, ok = s.Spans().ByRef(spans.Ref{Track: 0, Lane: 0, Index: 3})
	testkit.That(t, !ok, "a reference beyond the end holds")
}

func TestPianoRuns(t *testing.T) {
	s := NewSession()
	define(s, model.CollectorDef{ID: 1, Name: "A", Sort: 1}, model.CollectorDef{ID: 2, Name: "B", Sort: 9})
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 2})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 1}) // A inside B inside A
	frame(s, 0, 0, 10, model.Batch{Spans: []model.Span{{Begin: 2, End: 10, Path: 1, Flags: model.SpanOpenEnd}}})
	frame(s, 1, 10, 20, model.Batch{Spans: []model.Span{
		{Begin: 10, End: 16, Path: 1, Flags: model.SpanContinues}, {Begin: 11, End: 13, Path: 2, Lane: 1}, {Begin: 12, End: 13, Path: 3, Lane: 2},
		{Begin: 14, End: 15, Path: 2, Lane: 1}, {Begin: 17, End: 18, Path: 1},
	}})
	want := []spans.Run{
		{Collector: 2, Begin: 11, End: 13, Flags: 0}, {Collector: 2, Begin: 14, End: 15, Flags: 0},
		{Collector: 1, Begin: 10, End: 16, Flags: model.SpanOpenBegin}, {Collector: 1, Begin: 17, End: 18, Flags: 0},
	}
	testkit.NoDiff(t, cmp.Diff(want, s.PianoRuns(0, 1, nil)), "PianoRuns")
	d := cmp.Diff([]spans.Run{{Collector: 1, Begin: 2, End: 10, Flags: model.SpanOpenEnd}}, s.PianoRuns(0, 0, nil))
	testkit.That(t, d == "", "%v", d)
}

func TestNegativeAndGreatTimes(t *testing.T) {
	s := NewSession()
	frame(s, 0, 0, 12*sec, model.Batch{Self: []model.CollectorTime{{Collector: 0, Ns: 7 * sec, Count: 1}, {Collector: 1, Ns: -2 * sec, Count: 70000}, {Collector: 2, Ns: 7 * sec, Count: 1}}})
	want := []model.CollectorTime{{Collector: 0, Ns: 7 * sec, Count: 1}, {Collector: 1, Ns: -2 * sec, Count: 70000}, {Collector: 2, Ns: 7 * sec, Count: 1}}
	testkit.NoDiff(t, cmp.Diff(want, s.Frames().Self(0, 0, nil)), "Alone")
	st := s.Frames().Stats(0, 0, false, 0, 0)
	near(t, "net of the frame", st.Mean, 12)
	near(t, "own", st.SelfMean, 7)
}

func TestFrameBarsAndSlowest(t *testing.T) {
	s := NewSession()
	at := int64(0)
	for n := int64(0); n < 5000; n++ {
		length := 1000 + (n*7919)%977
		if n == 3000 {
			length = 90000
		}
		number := n
		if n >= 2000 {
			number += 10
		}
		frame(s, number, at, at+length, model.Batch{})
		at += length
	}
	bars := s.Frames().Bars(0, 0, 512, 100, nil)
	if len(bars) != 10 || bars[5].Worst != 3000 || bars[5].WorstNs != 90000 || bars[3].Missing != 10 || bars[9].Count != 5000-9*512 {
		t.Errorf("bars %+v", bars)
	}
	slow := s.Frames().Slowest(0, 100, 4900, 20, nil)
	testkit.MustThat(t, len(slow) == 20 && slow[0] == 3000, "slowest %v", slow)
	tr := s.Track(0)
	length := func(i int) int64 { f := tr.Frame(i); return f.End - f.Begin }
	for k := 1; k < len(slow); k++ {
		testkit.That(t, length(slow[k]) <= length(slow[k-1]), "not in order at %d", k)
	}
	longer := 0
	for i := 100; i <= 4900; i++ {
		if length(i) > length(slow[19]) {
			longer++
		}
	}
	testkit.That(t, longer <= 19, "%d frames are longer than the last of 20", longer)
}

func TestMessagesAndLocks(t *testing.T) {
	s := NewSession()
	frame(s, 1, 0, 10, model.Batch{Messages: []model.Message{{Time: 5, Text: "one"}}})
	s.Append(&model.Batch{Messages: []model.Message{{Time: 7, Text: "log"}}})
	frame(s, 2, 10, 20, model.Batch{Messages: []model.Message{{Time: 15, Text: "two"}}, Locks: []model.LockEvent{{Time: 12, Lock: 4, Kind: model.LockAcquired}}})
	s.Append(&model.Batch{Messages: []model.Message{{Time: 16, Text: "late log"}}})
	frame(s, 2, 10, 20, model.Batch{})
	s.Append(&model.Batch{HasFrame: true, Number: 2, Begin: 10, End: 20, Rewind: true, Messages: []model.Message{{Time: 17, Text: "two again"}}})
	var texts []string
	for _, m := range s.Messages().Of(0, 5, 17, nil) {
		texts = append(texts, m.Text)
	}
	testkit.NoDiff(t, cmp.Diff([]string{"one", "log", "late log", "two again"}, texts), "texts")
	testkit.Equal(t, len(s.Locks().Events(0, 0, 100, nil)), 0, "lock events after the rewind")
	n, _ := s.Losses()
	testkit.That(t, n[model.LossLate] == 1, "losses %v", n)
}

func TestLooseLevels(t *testing.T) {
	s := NewSession()
	define(s, model.CollectorDef{ID: 1, Name: "P"}, model.CollectorDef{ID: 2, Name: "c", Parent: 1})
	s.Append(&model.Batch{Levels: []model.Level{{Collector: 1, Time: 10, Value: 8}, {Collector: 2, Time: 20, Value: 3}, {Collector: 1, Time: 30, Value: 9}}})
	var strip frames.Strip
	s.Frames().Strip(frames.StripQuery{Focus: 1, Levels: true, T0: 0, T1: 40, Columns: 4}, &strip)
	testkit.MustNoDiff(t, cmp.Diff([]model.CollectorID{2, 1}, strip.Bands), "Bands")
	testkit.NoDiff(t, cmp.Diff([]float32{0, 0, 0, 8, 3, 5, 3, 6}, strip.Values), "Values")
	testkit.That(t, strip.Columns[0].State == frames.ColumnEmpty && strip.Columns[3].State == frames.ColumnData,
		"columns %+v", strip.Columns)
}
