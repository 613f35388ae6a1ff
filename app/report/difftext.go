package report

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"slices"

	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/compare"
)

// writeDiffText writes a comparison as text, or as markdown.
func writeDiffText(t *Table, r *compare.Result, sum *diffSummary, o DiffOptions) {
	out := t.out
	for side, x := range [...]*diffSide{&sum.A, &sum.B} {
		line := fmt.Sprintf("%c  %s: %s", 'A'+side, t.Name(x.File), t.Name(orUnknown(x.Program)))
		if f := r.Frames; f != nil {
			s := &f.Sides[side]
			line += fmt.Sprintf(", frames %d to %d of %s, %d received", s.First, s.Last, t.Name(f.Thread),
				s.Received)
			if s.Missing > 0 {
				line += fmt.Sprintf(", %d missing between them", s.Missing)
			}
			for _, words := range stopWords(StopsOf(s.Stops)) {
				line += ", " + words
			}
		} else if len(r.Threads) > 0 {
			longest := int64(0) // a thread of only the other side has nothing here
			for i := range r.Threads {
				longest = max(longest, r.Threads[i].Frames[side])
			}
			line += fmt.Sprintf(", %.3f s", seconds(longest))
		}
		t.Line(line)
	}
	if r.Single() {
		t.Line("")
		t.Line(t.Said(string(subject.AppendSingle(nil, r))) + ".")
	} else if r.Frames != nil {
		writeFrameTimes(t, r.Frames)
	}
	for i := range r.Threads {
		if th := &r.Threads[i]; th.Shared.Taken {
			t.Line("")
			t.Line(t.Name(th.Title) + ": " + th.Shared.String())
		}
	}
	writeDiffRows(t, r, r.Collectors, "Collectors", o.All)
	if paths := compare.SeveralWays(r.Paths); len(paths) > 0 {
		writeDiffRows(t, r, paths, "Call paths of collectors that have several", o.All)
	}
	if r.Single() {
		fmt.Fprint(out, "\nOne frame of each side: nothing is tested, and the differences are exact.\n")
		return
	}
	fmt.Fprintf(out, "\nMeans are trimmed: outliers do not count. ± is half of the 95 %% interval of B − A.\n"+
		"p is corrected for %d tests: if nothing changed, the chance of any verdict but noise is %.0f %%.\n"+
		"Verdicts come from p, the ranks of the frames, not from ±: with long tails, the interval of the means\n"+
		"may contain 0. Mixed: most frames changed one way, the mean the other way.\n",
		r.Tests, 100*compare.ErrorRate)
	if o.All {
		writeLacks(out, r)
	}
}

// writeFrameTimes writes how long frames took.
func writeFrameTimes(t *Table, f *compare.FrameTimes) {
	a, b := &f.Sides[0], &f.Sides[1]
	t.Head("Frame time: " + saysVerdict(f) + "; hitches: " + saysOften(&f.Hitches))
	t.Begin("A ms", "B ms", "B − A", "")
	for _, x := range [...]struct {
		name string
		a, b float64
	}{{"median", a.Median, b.Median}, {"p95", a.P95, b.P95}, {"p99", a.P99, b.P99}, {"longest", a.Longest, b.Longest}} {
		t.Row(Ms(x.a), Ms(x.b), SignedMs(x.b-x.a), x.name)
	}
	t.Row(Percent(a.Share()), Percent(b.Share()), Signed(100*(b.Share()-a.Share()), PercentText),
		"over budget, % of frames")
	t.Row(Count(a.Hitches), Count(b.Hitches), "", "hitches")
	per := [2]float64{1000 * f.Hitches.A, 1000 * f.Hitches.B}
	t.Row(Number(per[0]), Number(per[1]), Signed(per[1]-per[0], Number), "hitches per 1000 frames")
	t.End()
}

// saysOften says whether one side has hitches more often.
func saysOften(f *compare.Figure) string {
	switch f.Verdict {
	case compare.Slower, compare.New:
		return "B has more, p " + Chance(f.P)
	case compare.Faster, compare.Gone:
		return "B has fewer, p " + Chance(f.P)
	case compare.Identical:
		return "identical"
	case compare.Untested:
		return "not tested, " + saysWhyNot(f)
	}
	return "the difference is within noise"
}

// saysWhyNot says why hitches were not tested.
func saysWhyNot(f *compare.Figure) string {
	if f.Lack == compare.LacksUse { // of these the frames are no measure
		return fmt.Sprintf("%s: fewer than %d on both sides together", f.Lack, compare.LeastOccur)
	}
	return string(f.AppendWhy(nil, "frame"))
}

// writeDiffRows writes the changed rows, the largest change first, and counts the others.
func writeDiffRows(t *Table, r *compare.Result, rows []compare.Row, title string, all bool) {
	what := "self time"
	if !slices.ContainsFunc(rows, func(x compare.Row) bool { return x.Self.Known }) {
		what = "time"
	}
	var list []*compare.Row
	count := map[compare.Verdict]int{}
	changed := 0
	for i := range rows {
		f := ownOf(&rows[i])
		count[f.Verdict]++
		if f.Differs() {
			changed++
		}
		if all || f.Differs() {
			list = append(list, &rows[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *compare.Row) int {
		fa, fb := ownOf(a), ownOf(b)
		switch {
		case fa.Differs() && !fb.Differs():
			return -1
		case fb.Differs() && !fa.Differs():
			return 1
		}
		return cmp.Compare(math.Abs(fb.Delta()), math.Abs(fa.Delta()))
	})
	same := ""
	if n := count[compare.Identical]; n > 0 {
		same = fmt.Sprintf("%d identical, ", n)
	}
	if r.Single() {
		t.Head(fmt.Sprintf("%s: %d of %d differ; %s in ms", title, changed, len(rows), what))
	} else {
		t.Head(fmt.Sprintf("%s: %d of %d changed, %s%d within noise, %d not tested; %s in ms per %s", title, changed,
			len(rows),
			same, count[compare.Noise], count[compare.Untested], what, view.Of(r)))
	}
	if len(list) == 0 {
		return
	}
	tested := func(cells ...string) []string { // of two single frames nothing is
		if r.Single() {
			return nil
		}
		return cells
	}
	t.Begin(slices.Concat([]string{"A", "B", "B − A"}, tested("±", "p"), []string{"calls A", "calls B"}, tested("verdict"),
		[]string{"thread", "collector"})...)
	for _, x := range list {
		f, th := ownOf(x), &r.Threads[x.Thread]
		t.Row(slices.Concat([]string{Ms(th.Typical(f, 0)), Ms(th.Typical(f, 1)), SignedMs(f.Delta())},
			tested(Spread(f.Half, f.Delta()), Chance(f.P)), []string{Number(x.Calls[0]), Number(x.Calls[1])},
			tested(verdictOf(f)), []string{t.Name(th.Title), rowName(t, x)})...)
	}
	t.End()
}

// rowName is the name of a row, for a call path with its callers.
func rowName(t *Table, x *compare.Row) string {
	if x.IsPath() {
		return t.Said(Path(x.Names))
	}
	return t.Name(x.Title())
}

// ownOf returns the figure that orders the rows: self time, or total time where there is none.
func ownOf(r *compare.Row) *compare.Figure {
	if r.Self.Known {
		return &r.Self
	}
	return &r.Total
}

// saysVerdict describes the change of the mean.
func saysVerdict(times *compare.FrameTimes) string {
	f := &times.Mean
	switch f.Verdict {
	case compare.Identical:
		return "identical, frame by frame"
	case compare.Noise:
		return "the difference is within noise"
	case compare.Untested:
		return "not tested, " + string(f.AppendWhy(nil, "frame"))
	}
	by := "by"
	if f.Verdict == compare.Mixed {
		by = "as most frames went the other way than the mean,"
	} else if f.WithinHalf() {
		by = "by the ranks of the frames, their mean by"
	}
	return fmt.Sprintf("%s %s %s ± %s ms, p %s", f.Verdict, by, SignedMs(f.Delta()),
		Spread(f.Half, f.Delta()), Chance(f.P))
}

// verdictOf is the verdict on a row; for an untested row with the missing data.
func verdictOf(f *compare.Figure) string {
	if f.Verdict == compare.Untested && f.Needs > 0 {
		return fmt.Sprintf("untested: %s, ~%d", f.Lack, f.Needs)
	} else if f.Verdict == compare.Untested {
		return "untested: " + f.Lack.String()
	}
	return f.Verdict.String()
}

// writeLacks explains the reasons for untested rows.
func writeLacks(out *bufio.Writer, r *compare.Result) {
	before := ": "
	for lack := compare.LacksSide; lack <= compare.LacksIndependent; lack++ {
		has := func(x compare.Row) bool {
			f := ownOf(&x)
			return f.Verdict == compare.Untested && f.Lack == lack
		}
		if slices.ContainsFunc(r.Collectors, has) || slices.ContainsFunc(r.Paths, has) {
			if before == ": " {
				fmt.Fprint(out, "Untested")
			}
			f := compare.Figure{Verdict: compare.Untested, Lack: lack}
			fmt.Fprintf(out, "%s%s: %s", before, lack, f.AppendWhy(nil, view.Of(r)))
			before = "; "
		}
	}
	if before == "; " {
		fmt.Fprintln(out, ". ~ is about how many frames of each side a test needs.")
	}
}
