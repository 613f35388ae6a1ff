// The command that compares two recordings, or two ranges of one.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/load"
	"framescope/app/report"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/find"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
)

type flags struct {
	report.DiffOptions
	frames  [2]int64
	of      [2]place.TimeRange
	threads []string
	measure string
	where   *find.Expr
	budget  time.Duration
	output  string
	sources load.Sources
}

// sideNames are the sides as flags call them.
var sideNames = [2]string{"a", "b"}

// DiffCommand returns the command.
func DiffCommand(s *Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "diff A B | diff FILE --range-a A:B --range-b A:B",
		Short: "Compare two recordings or ranges, and tell changes from noise",
		Long: `diff compares two recordings, or two ranges or frames: the frame times, and the time of each
collector and each call path on each thread. For each it prints both values, the difference with its
95 % confidence interval, and a verdict:

  slower, faster   the difference is more than noise
  new, gone        only one side has it
  mixed            most frames changed one way, the mean the other way
  noise            the difference may be chance
  untested         too little data for a test; --all says why and about how many frames it needs:
                   rare (too few frames have it), few (too few frames), alike (successive frames
                   are too much alike)
  identical        every frame has the same value on both sides

Threads, collectors and call paths are matched by name. Threads whose names differ only in a number
of the run, such as the goroutines of one function, count as one. Values are means per frame;
without frames, per second. The means are trimmed, so that a few hitches do not hide the rest; JSON
also has the plain means that report prints.

The tests use ranks, on blocks of similar successive frames, and are corrected for their number
(Holm): if nothing changed, the chance of any verdict but noise is 5 %. The interval is that of the
means, so it may contain 0 all the same. Two single frames have differences, but no verdict.

In recordings without times, such as pprof profiles and folded stacks, diff compares sums: self and
total, the difference, and the share of each side. --measure selects the measure. Nothing is tested.

--where compares the calls that match an expression (see report --help): their number, total time,
shortest and longest, by collector, thread and call path. They are counted, not tested.

A and B may also be last (the newest session on disk that has ended), a FIFO, or - for standard
input. Each may end with a link to a place (see report --help): its frame or range is that side's.

` + place.RangeHelp,
		Example: `  framescope diff before.pstats after.pstats
  framescope diff session.pstats --range-a 0:999 --range-b 1000:1999
  framescope diff session.pstats --frame-a 120 --frame-b 121
  framescope diff 'session.pstats#frame=120' 'session.pstats#frame=121'
  framescope diff before.pstats after.pstats --thread Main --markdown > comment.md
  framescope diff before.pstats after.pstats --where 'Physics >4ms'
  framescope diff before.pprof after.pprof --measure alloc_space
  framescope diff before.pstats last --json | jq '.collectors[] | select(.self.verdict == "slower")'`,
		Args: Between(1, 2, "diff: name two recordings, or one with --range-a and --range-b"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(s, cmd, args); err != nil {
				return err
			}
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			return s.Profiled(func() error {
				return s.ToFile(f.output, func(out io.Writer) error { return f.write(cmd.Context(), s, out, args) })
			})
		},
	}
	fl := cmd.Flags()
	for i, side := range sideNames {
		rangeVar(fl, &f.of[i], "range-"+side, "A:B, range of side "+strings.ToUpper(side)+" (default: everything)")
		fl.Int64Var(&f.frames[i], "frame-"+side, 0, "frame of side "+strings.ToUpper(side)+", instead of a range")
	}
	fl.StringArrayVar(&f.threads, "thread", nil,
		"thread to compare: (part of) its name, a glob, or its number; repeatable (default: all)")
	textVar(fl, &f.where, "where", "", "compare the calls that match EXPR (see report --help)", s.parseWhere)
	fl.StringVar(&f.measure, "measure", "", "measure to compare in recordings without times (default: the first)")
	fl.DurationVar(&f.budget, "budget", frames.DefaultBudgetNs, "frame time budget")
	fl.BoolVar(&f.JSON, "json", false, "print JSON")
	fl.BoolVar(&f.Markdown, "markdown", false, "print Markdown")
	fl.BoolVar(&f.All, "all", false, "also list what did not change, or could not be tested")
	SourceFlags(fl, &f.sources)
	TreatFlags(fl, &f.sources)
	fl.StringVarP(&f.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// check reads the flags, and the places that links to recordings name.
func (f *flags) check(s *Streams, cmd *cobra.Command, args []string) (err error) {
	given := false
	for i, arg := range args {
		var thread string
		args[i], thread, err = cutRange(arg, &f.of[i], cmd.Flags().Changed, "frame-"+sideNames[i], "range-"+sideNames[i])
		if err != nil {
			return err
		}
		if thread != "" && !slices.Contains(f.threads, thread) {
			f.threads = append(f.threads, thread)
		}
	}
	for i, side := range sideNames {
		if cmd.Flags().Changed("frame-" + side) {
			if cmd.Flags().Changed("range-" + side) {
				return Usage(fmt.Errorf("give either --frame-%s or --range-%s", side, side))
			}
			n := f.frames[i]
			f.of[i] = place.TimeRange{A: n, B: n, HasA: true, HasB: true}
		}
		given = given || !f.of[i].All()
	}
	switch {
	case f.where != nil && cmd.Flags().Changed("budget"):
		return Usage(errors.New("--budget covers frames: leave it out with --where"))
	case len(args) == 1 && !given:
		return Usage(errors.New("diff: name two recordings, or the ranges of one with --range-a and --range-b"))
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return Usage(errors.New("standard input (-) can be read only once"))
	case f.JSON && f.Markdown:
		return Usage(errors.New("give either --json or --markdown"))
	case f.JSON && f.All:
		return Usage(errors.New("--all needs text or Markdown: JSON always has everything"))
	case f.budget <= 0:
		return Usage(fmt.Errorf("--budget %v: give more than 0, such as 16.7ms", f.budget))
	}
	return nil
}

// write compares the recordings.
func (f *flags) write(ctx context.Context, s *Streams, out io.Writer, paths []string) error {
	var sessions [2]*store.Session
	for i, path := range paths {
		rec, err := s.Load(ctx, path, load.Options{Sources: f.sources})
		if err != nil {
			return err
		}
		sessions[i], f.Files[i] = rec.Session, path
	}
	if len(paths) == 1 {
		sessions[1], f.Files[1] = sessions[0], f.Files[0]
	}
	threads, err := f.find(sessions)
	if err != nil {
		return err
	}
	var sides [2]compare.Side
	for i := range sides {
		if sides[i], err = place.Side(sessions[i], f.of[i], threads[i]); err != nil {
			return fmt.Errorf("%s: %w", f.Files[i], err)
		}
	}
	sum, err := report.FindSums(sides, f.measure)
	switch {
	case err != nil:
		return Usage(err)
	case f.where != nil && len(report.SumNames(sides)) > 0:
		return Usage(errors.New("--where finds calls, but a recording without times has only sums"))
	case f.where != nil:
		return report.WriteFoundDiff(out, sides, f.where, f.DiffOptions)
	}
	r := compare.Of(sides[0], sides[1], compare.Options{BudgetNs: f.budget.Nanoseconds(), Sum: sum})
	return report.WriteDiff(out, r, sides, f.DiffOptions)
}

// find finds the threads that are named on each side: each has to be on one of them.
func (f *flags) find(sessions [2]*store.Session) (threads [2][]model.TrackID, err error) {
	for _, name := range f.threads {
		found := false
		var wrong error
		for i, session := range sessions {
			id, err := place.FindTrack(session, name)
			if err != nil {
				wrong = fmt.Errorf("%s: %w", f.Files[i], err)
				continue
			}
			found = true
			threads[i] = append(threads[i], id)
		}
		if !found {
			return threads, wrong
		}
	}
	if len(f.threads) > 0 {
		for i := range threads { // none of a side is not all of it
			threads[i] = append([]model.TrackID{}, threads[i]...)
		}
	}
	return threads, nil
}
