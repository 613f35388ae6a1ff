// The command that checks recordings, or running games, against budgets.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/headless"
	"framescope/app/load"
	"framescope/internal/aside"
	"framescope/internal/escape"
	limits "framescope/model/budget"
	"framescope/model/place"
	"framescope/model/store"
)

// exitBroken is the exit code of check when a budget is broken.
const exitBroken = 1

type checkFlags struct {
	budgets  string
	live     bool
	listen   string
	json     bool
	github   bool
	junit    string
	markdown string
	baseline string
	before   place.TimeRange // range of the baseline
	worse    float64
	output   string
	sources  load.Sources
	to       RecordTo

	all      []limits.Budget
	Range    place.TimeRange
	against  *Baseline // nil: none
	duration time.Duration
}

// CheckCommand returns the command.
func CheckCommand(s *Streams) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE… [--budgets FILE] [--baseline FILE] | check --live …",
		Short: "Check recordings or running games against budgets or a baseline",
		Long: `check compares recordings with budgets: limits that a TOML file sets.

  [[budget]]
  name = "60 Hz"
  limit = "16.7 ms"         # of the frame time, since nothing else is named
  share = "1 %"             # how many of the frames may take longer

  [[budget]]
  collector = "App:Physics" # full name; * and ? are wildcards, [ab] is one of these letters
  thread = "Main"           # default: the main thread
  measure = "total"         # or self, net, calls, level; default: total
  at = "p99"                # or mean, median, p90, p95, max, min, sum; default: p99
  limit = "4 ms"

  [[budget]]
  series = "Heap used"      # a value over time, of a Java VM or a pipeline
  at = "max"
  limit = 512e6

In recordings without frames (Flare, GStreamer, profile_lib), budgets for total, self and calls use
the mean per second or the sum, and the measure longest is the longest call. A budget that matches
nothing is breached, unless it says optional = true. Lost frames do not count.

--baseline compares the frame times, and the self time of each collector on each thread, with
another recording. Whatever is slower by more than --worse, and by more than frames vary anyway, is
a breach. The test is that of ` + "`framescope diff`" + `, corrected for the number of comparisons.

Exit status: 0 if all budgets are kept and nothing is slower; 1 if not, or if a recording is damaged
or cannot be read; 2 if the command line or the budget file is wrong.

` + place.RangeHelp,
		Example: `  framescope check session.pstats --budgets budgets.toml
  framescope check before.pstats after.pstats --budgets budgets.toml --range 100:
  framescope check run.pstats --budgets budgets.toml --junit report.xml
  framescope check run.pstats --budgets budgets.toml --github --markdown "$GITHUB_STEP_SUMMARY"
  framescope check run.pstats --baseline release.pstats --worse 5%
  framescope check --live --seconds 60 --budgets budgets.toml`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if args, err = f.check(s, cmd, args); err != nil {
				return err
			}
			return s.Profiled(func() error {
				var files []BudgetFile
				if f.baseline != "" {
					rec, err := s.Load(cmd.Context(), f.baseline, load.Options{Sources: f.sources})
					if err != nil {
						return fmt.Errorf("--baseline: %w", err)
					}
					f.against.Session = rec.Session
				}
				if f.live {
					files, err = s.checkLive(cmd.Context(), &f)
				} else {
					files, err = s.checkFiles(cmd.Context(), args, &f)
				}
				if err != nil {
					return err
				}
				return s.printResults(files, &f)
			})
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.budgets, "budgets", "", "budget file (TOML)")
	fl.StringVar(&f.baseline, "baseline", "", "recording that nothing may be slower than")
	rangeVar(fl, &f.before, "baseline-range", "A:B, range of the baseline (default: everything)")
	textVar(fl, &f.worse, "worse", "5%", "how much slower than the baseline is allowed", limits.ParsePart)
	rangeVar(fl, &f.Range, "range", "A:B, range to check (default: everything)")
	fl.BoolVar(&f.live, "live", false, "listen for games, and check them at the end")
	addrVar(fl, &f.listen, "listen", DefaultListen, "with --live: HOST:PORT to listen on")
	secondsVar(fl, &f.duration, "seconds", "with --live: end after this many seconds (default: when interrupted)", MaxLive)
	fl.BoolVar(&f.json, "json", false, "print JSON")
	fl.BoolVar(&f.github, "github", false, "also print annotations for GitHub Actions, each at the line of its budget; "+
		"to standard error if standard output has JSON or XML")
	fl.StringVar(&f.junit, "junit", "", "also write the results to this file, as JUnit XML")
	fl.StringVar(&f.markdown, "markdown", "", "also append the results to this file, as a Markdown table")
	f.to.Flags(fl)
	SourceFlags(fl, &f.sources)
	TreatFlags(fl, &f.sources)
	fl.StringVarP(&f.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// check checks the flags, and returns the recordings without the place that a link names.
func (f *checkFlags) check(s *Streams, cmd *cobra.Command, args []string) (files []string, err error) {
	switch {
	case f.budgets == "" && f.baseline == "":
		return nil, Usage(errors.New("check: name a budget file with --budgets, or a recording with --baseline; " +
			"see `framescope check --help`"))
	case f.baseline == "" && (!f.before.All() || cmd.Flags().Changed("worse")):
		return nil, Usage(errors.New("--baseline-range and --worse need --baseline"))
	case f.live && len(args) > 0:
		return nil, Usage(errors.New("give either recordings or --live"))
	case !f.live && len(args) == 0:
		return nil, Usage(errors.New("check: name a recording, or use --live to listen for games"))
	case !f.live && (f.to.Path != "" || f.to.Force):
		return nil, Usage(errors.New("--record needs --live"))
	case !f.live && cmd.Flags().Changed("seconds"):
		return nil, Usage(errors.New("--seconds needs --live"))
	}
	var threads []string
	if args, err = cutRanges(args, &f.Range, &threads, cmd.Flags().Changed); err != nil {
		return nil, err
	} else if len(threads) > 0 {
		return nil, Usage(fmt.Errorf("check counts frames of the main thread: leave &thread=%s out of the link", threads[0]))
	}
	inputs := args
	if f.budgets != "" {
		if f.all, err = limits.Read(f.budgets); err != nil {
			return nil, Usage(fmt.Errorf("--budgets: %w", err))
		}
		inputs = append([]string{f.budgets}, inputs...)
	}
	if f.baseline != "" {
		f.against = &Baseline{Name: f.baseline, Range: f.before, Worse: f.worse}
		inputs = append([]string{f.baseline}, inputs...)
	}
	for _, out := range []string{f.output, f.junit, f.markdown} {
		if err := s.Distinct(out, inputs); err != nil {
			return nil, err
		}
	}
	if f.junit != "" && (SameName(f.junit, f.output) || SameName(f.junit, f.markdown)) {
		return nil, Usage(errors.New("two outputs name the same file"))
	}
	return args, f.to.Check()
}

// hold holds a session against budgets and baseline.
func (f *checkFlags) hold(file *BudgetFile, session *store.Session) {
	info := session.Info()
	file.Program = info.Program
	if at, ok := info.ZeroAt.At(0); ok {
		file.Program = cmp.Or(info.Program, "unknown program") + at.Format(", 2006-01-02 15:04")
	}
	file.Stops = stopsOf(session, f.Range)
	if f.budgets != "" {
		file.Results, file.Err = CheckBudgets(session, f.all, f.Range)
	}
	if f.against != nil && file.Err == nil {
		file.Against, file.Err = f.against.Compare(session, f.Range)
	}
}

// checkFiles checks recordings. It reports an unreadable one, and checks the others.
func (s *Streams) checkFiles(ctx context.Context, paths []string, f *checkFlags) (files []BudgetFile, err error) {
	for _, path := range paths {
		file := BudgetFile{Name: path}
		s.unread = nil
		if rec, err := s.Load(ctx, path, load.Options{Sources: f.sources}); err != nil {
			if errors.As(err, &UsageError{}) || ctx.Err() != nil {
				return nil, err
			}
			file.Err = err
		} else {
			f.hold(&file, rec.Session)
			s.Forget(rec)
		}
		file.Unread = strings.Join(s.unread, "; ")
		files = append(files, file)
	}
	return files, nil
}

// checkLive checks the games that connect until it is interrupted, or the time is over.
func (s *Streams) checkLive(ctx context.Context, f *checkFlags) (files []BudgetFile, err error) {
	err = s.ListenFor(ctx, Listening{Addr: f.listen, Duration: f.duration, To: f.to}, nil,
		func(live *headless.Live) error {
			for _, c := range live.Clients() {
				file := BudgetFile{Name: c.Session.Info().Program}
				if file.Name == "" {
					file.Name = c.Session.Info().Peer
				}
				f.hold(&file, c.Session)
				files = append(files, file)
			}
			if len(files) == 0 {
				return errors.New("no game connected: there was nothing to check")
			}
			return nil
		})
	return files, err
}

// printResults prints the results; a breach is its exit code.
func (s *Streams) printResults(files []BudgetFile, f *checkFlags) error {
	err := s.ToFile(f.output, func(out io.Writer) error {
		if f.json {
			return WriteBudgetJSON(out, files)
		}
		for i := range files {
			if len(files) > 1 {
				head := "== "
				if i > 0 {
					head = "\n== "
				}
				fmt.Fprintln(out, head+escape.Line(files[i].Name))
			}
			if files[i].Err == nil {
				if err := WriteBudgetText(out, &files[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if f.junit != "" {
		err = errors.Join(err, s.ToFile(f.junit, func(out io.Writer) error { return WriteBudgetJUnit(out, files) }))
	}
	if f.markdown != "" {
		err = errors.Join(err, s.addTo(f.markdown, func(out io.Writer) error { return WriteBudgetMarkdown(out, files) }))
	}
	if f.github {
		err = errors.Join(err, WriteAnnotations(s.annotations(f), f.budgets, files))
	}
	if err != nil {
		return err
	}
	broken := false
	for i := range files {
		if files[i].Err != nil {
			fmt.Fprintln(s.Err, "framescope:", files[i].Err)
		}
		broken = broken || files[i].Breached()
	}
	if broken {
		return ProgramError{Status: exitBroken}
	}
	return nil
}

// annotations is where annotations go: standard output, or standard error if programs read the standard
// output. GitHub Actions reads both.
func (s *Streams) annotations(f *checkFlags) io.Writer {
	if f.json && aside.IsOut(f.output) || f.junit == "-" || f.markdown == "-" {
		return s.Err
	}
	return s.Out
}

// addTo appends to a file: other steps write to the summary of a workflow, too.
func (s *Streams) addTo(path string, write func(out io.Writer) error) error {
	if aside.IsOut(path) {
		return write(s.Out)
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(out), out.Close())
}
