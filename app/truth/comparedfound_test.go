package truth

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/chartstest"
	"framescope/internal/testkit"
	"framescope/model/compare"
	"framescope/model/find"
	"framescope/model/place"
)

// What diff says that an expression finds on a side is what a report of that side's calls says, in all and
// of each collector and thread; what both sides have in common is in one row.
func TestFoundOnBothSides(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	main := a.MainTrack()
	seen := 0
	for _, text := range []string{">0ns", "Physics", "thread:Draw >1ms", "path:App/*", "nothing at all"} {
		where := testkit.Must(find.Parse(text))(t)
		written := func(write func(io.Writer) error) (r row) {
			testkit.OK(t, asJSON(&r, write))
			return r
		}
		for ranges, sides := range map[[2]string][2]compare.Side{
			{"", ""}:             {compare.All(a), compare.All(b)},
			{"10:40", "200:207"}: {compare.FramesOf(a, main, 10, 40), compare.FramesOf(b, main, 200, 207)},
		} {
			said := written(func(w io.Writer) error {
				return report.WriteFoundDiff(w, sides, where, report.DiffOptions{JSON: true})
			})
			for side, name := range []string{"a", "b"} {
				r := testkit.Must(place.ParseRange(ranges[side]))(t)
				want := written(func(w io.Writer) error {
					return report.Write(w, sides[side].Session, report.Options{JSON: true, Stats: true, Where: where, Range: r})
				})
				for _, figure := range []string{"calls", "total_ns", "shortest_ns", "longest_ns"} {
					if got := said.object(name)[figure]; got != want[figure] {
						t.Errorf("%s in %q: %s of %s is %v, a report has %v", text, ranges[side], figure, name, got, want[figure])
					}
				}
				for _, list := range []string{"collectors", "threads"} {
					of := map[string]row{}
					for _, x := range said.rows(list) {
						key := x.text("collector") + x.text("thread")
						if of[key] != nil {
							t.Errorf("%s: two rows of %s", text, key)
						}
						of[key] = x
					}
					for _, x := range want.rows(list) {
						got := of[x.text("collector")+x.text("thread")].object(name)
						for _, figure := range []string{"calls", "total_ns", "mean_ns", "shortest_ns", "longest_ns"} {
							if seen++; got[figure] != x[figure] {
								t.Errorf("%s in %q: %s of %v is %v, a report has %v", text, ranges[side], figure, x, got[figure], x[figure])
							}
						}
					}
				}
			}
			var out bytes.Buffer
			testkit.OK(t, report.WriteFoundDiff(&out, sides, where, report.DiffOptions{Markdown: true}))
			if nothing := strings.Contains(out.String(), "nothing is found"); nothing != (text == "nothing at all") {
				t.Errorf("%s:\n%s", text, out.String())
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d figures were compared", seen)
	}
}
