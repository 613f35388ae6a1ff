package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"framescope/app/load"
	"framescope/app/report"
	"framescope/model/place"
)

// whyFlags are the flags of why.
type whyFlags struct {
	report.WhyOptions
	output, baseline string
	sources          load.Sources
}

func whyCommand(s *Streams) *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why FILE",
		Short: "Explain why frames or buffers took longer than usual",
		Long: `why finds the hitches of a recording, frames that are much longer than those around them, and
explains each, the worst first: what ran longer, more often or for the first time on the frame's own
thread; where that thread waited; what ran meanwhile on the thread that it waited for; and so on,
until work is found or the data end. What cannot be explained is printed as unexplained. It also says
from which frame on frames take longer for good, or less long.

--frame explains one frame, hitch or not. --by-cause groups the hitches of a thread by root cause,
and says how often each occurs and whether it gets worse. --locks explains the longest waits for
locks: who held the lock, what the holder did meanwhile, and what it waited for itself.

--baseline compares with another recording instead of the frames around: with the median of its
frames, and of the self time of each collector. It explains the frames that take longer than 95 % of
the baseline's.

A GStreamer trace log has buffers instead of frames. why explains those that took much longer than
their neighbors on the same path: which element kept them longer than others, and behind whom they
waited. Here, --frame and --range are buffer numbers on a path, and --thread is a path. --waits says
for each path where all buffers spend their time: in which element, and if that is a queue, behind
whom.

In a Flare sample folder, why lists the methods that have more samples in --range than chance
allows, compared with the rest of the session, with --against, or with --baseline.

--json prints an array with an object for each frame: frame, thread, duration_ns, typical_ns, hitch,
chain, others, unexplained_ns, and less_ns and less_in where other things took less than usual. The
chain begins on the frame's own thread and ends at the root cause; others are further causes. Each
link has thread, collector, excess_ns, calls, typical_calls and how:

  longer, more_calls, new   it ran longer, more often, or only in this frame
  waiting                   the next link says for what; within is the waiting call, if that is unusual
  spread                    many parts took a little longer
  not_measured              outside all spans: nothing measures this time
  unknown                   a wait, and the data end

` + place.RangeHelp + `

` + place.Help,
		Example: `  framescope why session.pstats
  framescope why session.pstats --frame 5431
  framescope why session.pstats --frame 5431 --parts
  framescope why session.pstats --worst 20
  framescope why session.pstats --range 10s:20s --thread Draw
  framescope why session.pstats --by-cause
  framescope why session.pstats --baseline release.pstats
  framescope why session.pstats --by-cause --baseline release.pstats
  framescope why session.pstats --frame 5431 --baseline release.pstats --baseline-range 100:500
  framescope why trace.log --worst 20
  framescope why trace.log --waits
  framescope why game.prof --locks --worst 20
  framescope why flare-samples/127.0.0.1_3333-20261120T194534 --range 10s:20s
  framescope why session.pstats --json > hitches.json`,
		Args: Exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, thread, err := cutRange(args[0], &f.Range, cmd.Flags().Changed, "frame", "range", "by-cause")
			if err != nil {
				return err
			}
			f.Thread = cmp.Or(thread, f.Thread)
			f.Every = name != args[0] && f.Range.A == f.Range.B // one frame is explained, be it a hitch or not
			if err := f.check(cmd.Flags().Changed); err != nil {
				return Usage(err)
			}
			inputs := []string{name}
			if f.baseline != "" {
				inputs = append(inputs, f.baseline)
			}
			if err := s.Distinct(f.output, inputs); err != nil {
				return err
			}
			return s.Profiled(func() error {
				return s.ToFile(f.output, func(out io.Writer) error { return s.why(cmd.Context(), out, name, &f) })
			})
		},
	}
	fl := cmd.Flags()
	textVar(fl, &f.Range, "frame", "", "frame to explain; negative: from the end", parseFrame)
	fl.IntVar(&f.Worst, "worst", report.MaxWorst, "maximum number of hitches, the worst first")
	rangeVar(fl, &f.Range, "range", "A:B, range to explain (default: everything)")
	rangeVar(fl, &f.Against, "against",
		"A:B, times to compare --range with, in recordings of samples (default: all the rest)")
	fl.StringVar(&f.baseline, "baseline", "", "recording to compare with, instead of the frames around")
	rangeVar(fl, &f.BaselineRange, "baseline-range", "A:B, range of the baseline (default: everything)")
	fl.BoolVar(&f.Locks, "locks", false, "explain the longest waits for locks")
	fl.BoolVar(&f.Waits, "waits", false, "show where buffers wait on each path, and behind whom")
	fl.StringVar(&f.Thread, "thread", "", "thread or path to explain (default: the main thread; all paths)")
	fl.BoolVar(&f.ByCause, "by-cause", false, "group the hitches by root cause")
	fl.BoolVar(&f.Parts, "parts", false, "print the self time of each collector in each frame, and the typical one")
	fl.BoolVar(&f.JSON, "json", false, "print JSON")
	SourceFlags(fl, &f.sources)
	TreatFlags(fl, &f.sources)
	fl.StringVarP(&f.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// check parses the flags; changed reports whether a flag is set.
func (f *whyFlags) check(changed func(string) bool) (err error) {
	if changed("frame") {
		switch {
		case changed("range"), changed("worst"):
			return errors.New("give one of --frame, --range and --worst")
		}
		f.Every = true
	}
	if f.ByCause && (changed("frame") || changed("range") || changed("worst")) {
		return errors.New("--by-cause covers all hitches of a thread: leave out --frame, --range and --worst")
	}
	if f.Parts && (f.ByCause || f.Locks) {
		return errors.New("--parts covers single frames: leave out --by-cause and --locks")
	}
	if f.Worst < 1 {
		return fmt.Errorf("--worst %d: give 1 or more", f.Worst)
	}
	if f.Locks && (changed("frame") || f.ByCause || changed("against")) {
		return errors.New("--locks covers waits for locks: leave out --frame, --by-cause and --against")
	}
	if f.Waits && (changed("frame") || f.ByCause || f.Locks || changed("against") || changed("worst")) {
		return errors.New("--waits covers all buffers in a range: leave out --frame, --worst, --by-cause, --locks and " +
			"--against")
	}
	switch {
	case f.baseline == "" && !f.BaselineRange.All():
		return errors.New("--baseline-range needs --baseline")
	case f.baseline != "" && (f.Locks || f.Waits || changed("against")):
		return errors.New("--baseline covers frames or samples: leave out --locks, --waits and --against")
	}
	return nil
}

// why explains frames of one recording.
func (s *Streams) why(ctx context.Context, out io.Writer, path string, f *whyFlags) error {
	rec, err := s.Load(ctx, path, load.Options{Sources: f.sources})
	if err != nil {
		return err
	}
	if f.baseline != "" {
		base, err := s.Load(ctx, f.baseline, load.Options{Sources: f.sources})
		if err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
		f.Baseline = base.Session
	}
	err = report.WriteWhy(out, rec.Session, f.WhyOptions)
	if _, unwritten := errors.AsType[*fs.PathError](err); err != nil && !unwritten {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}
