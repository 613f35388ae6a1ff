// The output of `framescope check`: formats of the results of budgets in recordings for people and
// other programs. model/budget has the budgets themselves.

package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"framescope/app/report"
	"framescope/model/budget"
	"framescope/model/place"
	"framescope/model/store"
)

// CheckBudgets checks a range of a session against budgets.
func CheckBudgets(s *store.Session, budgets []budget.Budget, rng place.TimeRange) ([]budget.Result, error) {
	part, err := budgetPartOf(s, rng)
	if err != nil {
		return nil, err
	}
	return budget.Check(s, budgets, part)
}

// stopsOf returns the stops that the figures of a range leave out.
func stopsOf(s *store.Session, rng place.TimeRange) []report.Stop {
	t := s.Track(s.MainTrack())
	part, err := budgetPartOf(s, rng)
	if t == nil || err != nil {
		return nil
	}
	return report.StopsOf(t.LeftOut(part.First, part.Last, nil))
}

// budgetPartOf returns the part of a session that a range is.
func budgetPartOf(s *store.Session, rng place.TimeRange) (part budget.Part, err error) {
	part = budget.All(s)
	if part.BeginNs, part.EndNs, err = rng.Resolve(s, s.MainTrack()); err != nil || rng.All() {
		return part, err
	}
	part.Whole, part.Numbered = false, !rng.Times
	if part.First, part.Last, err = rng.Frames(s, s.MainTrack()); err != nil {
		part.First, part.Last = 0, -1 // the time has something all the same
	}
	return part, nil
}

// WriteBudgetText writes the results for a recording as tables, breaches first, and their count.
func WriteBudgetText(w io.Writer, f *BudgetFile) error {
	if len(f.Results) > 0 {
		if err := writeResults(w, f.Results); err != nil {
			return err
		}
	}
	report.WriteStops(w, f.Stops)
	if f.Against == nil {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, breach := range [...]bool{true, false} {
		for i := range f.Against.Slower {
			if x := &f.Against.Slower[i]; x.Breach == breach {
				fmt.Fprintf(tw, "%s\t%s\t%s\twas %s\t%s\tallowed %s\t%s\n", strings.ToUpper(x.word()), x.Title(), x.Is(), x.Was(), x.By(),
					f.Against.Allowed(), x.Chance())
			}
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, f.Against.Summary())
	return err
}

// writeResults writes results as a table, breaches first, and how many there are.
func writeResults(w io.Writer, all []budget.Result) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, breach := range [...]bool{true, false} {
		for i := range all {
			r := &all[i]
			if r.Breach() != breach {
				continue
			}
			more := ""
			switch {
			case r.HasWorst:
				more = fmt.Sprintf("%d of %d frames over, worst #%d", r.Over, r.Frames, r.Worst)
				if r.Budget.HasShare {
					more = fmt.Sprintf("%d of %d frames, worst #%d", r.Over, r.Frames, r.Worst)
				}
			case r.Verdict == budget.Nothing:
				more = r.Lacks()
			}
			fmt.Fprintf(tw, "%s\t%s\t%s\tallowed %s\t%s\t%s\n", strings.ToUpper(string(r.Verdict)), r.Title(), r.Found(), r.Allowed(),
				r.Budget.Measured(), more)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, budget.Summary(all))
	return err
}
