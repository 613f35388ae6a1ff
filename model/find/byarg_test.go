package find_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// What is summed up by the value of an argument is what a look at every span gives, however little is
// done at a time.
func TestByArgEqualsAPlainScan(t *testing.T) {
	s := session(60)
	for _, c := range []struct {
		expr, key string
		meant     func(b *spans.Bar) bool
	}{
		{"", "texture", func(*spans.Bar) bool { return true }},
		{"Draw", "size", func(b *spans.Bar) bool { return b.Collector == 3 || b.Collector == 4 }},
		{"thread:main >100us", "size", func(b *spans.Bar) bool { return b.Ref.Track == 0 && b.End-b.Begin > 100_000 }},
		{"-arg:texture=12", "size", func(b *spans.Bar) bool {
			return !slices.Contains(s.Args().Of(b.Ref.Track, int(b.Ref.Lane), b.Ref.Index, nil), model.Arg{Key: "texture", Value: model.TextArg("12")})
		}},
		{"", "none", func(*spans.Bar) bool { return true }},
	} {
		want, all := map[model.ArgValue]find.ArgGroup{}, int64(0)
		each(s, func(b spans.Bar) {
			for _, a := range s.Args().Of(b.Ref.Track, int(b.Ref.Lane), b.Ref.Index, nil) {
				if a.Key != c.key || !c.meant(&b) {
					continue
				}
				g, ok := want[a.Value]
				if !ok {
					g = find.ArgGroup{Value: a.Value, MinNs: math.MaxInt64}
				}
				ns := b.End - b.Begin
				g.Count, g.SumNs, g.MinNs, g.MaxNs = g.Count+1, g.SumNs+ns, min(g.MinNs, ns), max(g.MaxNs, ns)
				want[a.Value], all = g, all+1
			}
		})
		for _, work := range []int64{50, 1 << 40} {
			e, err := find.Parse(c.expr)
			if err != nil {
				t.Fatal(err)
			}
			var x find.ByArg
			x.Start(s, e, c.key, []model.TrackID{0, 1, 2}, math.MinInt64, math.MaxInt64)
			steps := 1
			for ; !x.Step(work); steps++ {
			}
			if len(x.Groups) != len(want) || x.All.Count != all || x.Rest.Count != 0 {
				t.Errorf("%s by %s: %d groups of %d calls, want %d of %d", c.expr, c.key, len(x.Groups), x.All.Count, len(want), all)
			}
			for i, g := range x.Groups {
				if g != want[g.Value] || i > 0 && g.SumNs > x.Groups[i-1].SumNs {
					t.Errorf("%s by %s: %+v, want %+v", c.expr, c.key, g, want[g.Value])
				}
			}
			if work == 50 && steps < 3 && all > 100 {
				t.Errorf("all in %d steps", steps)
			}
		}
	}
}

// Of very many values those that took most are told apart, and the others are summed up.
func TestByArgOfManyValues(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Load"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	const n = 70_000
	at, sum := int64(0), int64(0)
	for i := range int64(n) {
		b := model.Batch{Spans: []model.Span{{Begin: at, End: at + i + 1, Path: 1}}}
		b.Args = []model.Arg{{Key: "id", Value: model.TextArg(fmt.Sprint("load ", i))}}
		s.Append(&b)
		at, sum = at+i+1, sum+i+1
	}
	e, _ := find.Parse("")
	var x find.ByArg
	x.Start(s, e, "id", []model.TrackID{0}, math.MinInt64, math.MaxInt64)
	for !x.Step(10_000) {
	}
	if len(x.Groups) != find.MostArgGroups || x.All.Count != n || x.All.SumNs != sum || x.Rest.Count != n-find.MostArgGroups {
		t.Errorf("%d groups, %+v, the rest %+v", len(x.Groups), x.All, x.Rest)
	}
}
