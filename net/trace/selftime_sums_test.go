package trace

import (
	"cmp"
	"slices"
	"testing"

	"framescope/internal/testkit"

	"pgregory.net/rapid"

	"framescope/model"
)

// TestLikePlain holds sums of frames against a plain model, which asks at each moment which span that
// runs began last.
func TestLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.Span {
			begin := rapid.Int64Range(0, 40).Draw(t, "begin")
			return model.Span{
				Begin: begin, End: begin + rapid.Int64Range(0, 20).Draw(t, "length"),
				Path: model.PathID(rapid.IntRange(1, 5).Draw(t, "path")),
			}
		}), 0, 12).Draw(t, "spans")
		slices.SortStableFunc(spans, func(a, b model.Span) int { return cmp.Compare(a.Begin, b.Begin) })
		borders := []int64{rapid.Int64Range(0, 10).Draw(t, "first")}
		for range rapid.IntRange(1, 4).Draw(t, "frames") {
			borders = append(borders, borders[len(borders)-1]+rapid.Int64Range(1, 15).Draw(t, "frame"))
		}
		var s SelfTimes
		next := 0
		for ; next < len(spans) && spans[next].Begin < borders[0]; next++ {
			s.Run(of(spans[next].Path), spans[next].End)
		}
		for i, begin := range borders[:len(borders)-1] {
			end := borders[i+1]
			got, want := s.Runs(begin), slices.ContainsFunc(spans[:next], func(x model.Span) bool { return x.End > begin })
			testkit.MustThat(t, got == want, "at %d: runs %v, want %v", begin, got, want)
			s.Frame(begin, end)
			for ; next < len(spans) && spans[next].Begin < end; next++ {
				s.Start(of(spans[next].Path), spans[next].Begin, spans[next].End, 1)
			}
			if got, want := s.End(nil), plain(spans[:next], begin, end); !slices.Equal(got, want) {
				t.Fatalf("%d to %d: %v, want %v", begin, end, got, want)
			}
		}
	})
}

// TestWhole sums a frame of which all spans are at hand; what goes on in it did not start there.
func TestWhole(t *testing.T) {
	var s SelfTimes
	s.Run(3, 100)
	got := s.Whole(nil, []model.Span{
		{Begin: 5, End: 15, Path: 1, Flags: model.SpanContinues}, {Begin: 8, End: 9, Path: 2}, {Begin: 12, End: 30, Path: 2},
	}, 10, 20, of)
	want := []model.CollectorTime{{Collector: of(1), Ns: 2}, {Collector: of(2), Ns: 8, Count: 2}}
	testkit.That(t, slices.Equal(got, want), "%v, want %v", got, want)
}

func of(p model.PathID) model.CollectorID { return model.CollectorID(p) * 100 }

func plain(spans []model.Span, begin, end int64) (out []model.CollectorTime) {
	sums := map[model.CollectorID]model.CollectorTime{}
	add := func(p model.PathID, ns int64, n int32) {
		c := of(p)
		sums[c] = model.CollectorTime{Collector: c, Ns: sums[c].Ns + ns, Count: sums[c].Count + n}
	}
	for at := begin; at < end; at++ {
		for i := len(spans) - 1; i >= 0; i-- {
			if spans[i].Begin <= at && at < spans[i].End {
				add(spans[i].Path, 1, 0)
				break
			}
		}
	}
	for _, x := range spans {
		if x.Begin >= begin {
			add(x.Path, 0, 1)
		}
	}
	for _, c := range sums {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b model.CollectorTime) int { return cmp.Compare(a.Collector, b.Collector) })
	return out
}
