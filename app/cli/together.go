package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/library"
	"framescope/app/load"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/net/together"
)

// togetherFlags are how recordings are put on one ruler.
type togetherFlags struct {
	same    []string
	output  string
	force   bool
	sources load.Sources
}

func togetherCommand(s *Streams) *cobra.Command {
	var f togetherFlags
	cmd := &cobra.Command{
		Use:   "together FILE FILE… -o BOTH.framescope",
		Short: "Put recordings of several programs on one ruler",
		Long: `together aligns the clocks of recordings, and prints by how much each is moved and how uncertain that is.
With -o it writes a small file that names the recordings and their offsets. Every command opens that file as
one session, with the threads of all programs. ` + "`framescope save BOTH.framescope -o ALL.framescope`" + ` copies
the recordings themselves into one file.

Recordings of any kind can be combined, also sessions that are still running: open BOTH.framescope --follow
shows them live. Framescope aligns by the first of these that the recordings have:

1. moments that --same names
2. a clock of the machine that both recordings name (monotonic, boot)
3. the time of day; for live sessions, the time at which their data arrived
4. messages with the same text, once in each recording: a program or a user can send them

Two or more moments, far apart, also give the drift between the clocks. Causes lead from one program to another
only if the offset is exact enough for that.`,
		Example: `  framescope together client.framescope server.trace -o both.framescope
  framescope open client.framescope server.trace --together
  framescope together game.json encoder.log --same 2@1.5s=3.25s -o both.framescope
  framescope together a.pstats b.pstats --same 2@1s=5.1s --same 2@61s=65.103s -o both.framescope
  framescope why both.framescope`,
		Args: Between(2, Many, "together: name two recordings or more"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			replaces := f.force || aside.IsOut(f.output) || load.IsTogether(f.output)
			if err := aside.Free(f.output, replaces); err != nil {
				return err
			}
			plan, err := s.planTogether(cmd.Context(), args, &f)
			if err != nil {
				return err
			}
			printPlan(s.Out, plan)
			if f.output == "" {
				return nil
			}
			return s.ToFile(f.output, func(out io.Writer) error { return writePlan(out, plan, dirOf(f.output)) })
		},
	}
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "file to write, such as both.framescope (default: only print)")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace an existing file of another kind")
	f.add(cmd)
	SourceFlags(cmd.Flags(), &f.sources)
	return cmd
}

func (f *togetherFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.same, "same", nil,
		"N@T1=T2: time T1 of recording N is time T2 of the first, such as 2@1.5s=3.25s; "+
			"repeatable")
}

// planTogether finds how recordings lie on one ruler.
func (s *Streams) planTogether(ctx context.Context, names []string, f *togetherFlags) (*together.Plan, error) {
	named, err := parseSame(f.same, len(names))
	if err != nil {
		return nil, Usage(err)
	}
	paths := make([]string, len(names))
	for i, name := range names {
		if paths[i], err = s.SessionOr(name); err != nil {
			return nil, err
		}
		if _, err := os.Stat(paths[i]); errors.Is(err, os.ErrNotExist) {
			return nil, NoFile(name)
		}
	}
	bar := NewProgress(s.Err, "comparing clocks")
	plan, damaged, err := load.Plan(ctx, paths, f.sources, named, bar.Update)
	bar.Close()
	for _, d := range damaged {
		s.Partly("%s", d)
	}
	return plan, err
}

// parseSame reads moments of N@TIME=TIME.
func parseSame(texts []string, n int) (named []load.Named, err error) {
	for _, text := range texts {
		number, times, at := strings.Cut(text, "@")
		there, here, is := strings.Cut(times, "=")
		member, err1 := strconv.Atoi(number)
		b, err2 := time.ParseDuration(there)
		a, err3 := time.ParseDuration(here)
		if err := errors.Join(err1, err2, err3); !at || !is || err != nil {
			return nil, fmt.Errorf("--same %s: give it as N@TIME=TIME, such as 2@1.5s=3.25s", text)
		}
		if member < 2 || member > n {
			return nil, fmt.Errorf("--same %s: there are the recordings 2 to %d besides the first", text, n)
		}
		named = append(named, load.Named{Member: member - 1, Mark: together.Mark{A: int64(a), B: int64(b)}})
	}
	return named, nil
}

// printPlan prints how recordings lie on the ruler.
func printPlan(out io.Writer, plan *together.Plan) {
	for i, m := range plan.Members {
		words := "its clock is the ruler's"
		if i > 0 {
			words = m.Shift.Words()
		}
		fmt.Fprintf(out, "%d  %s: %s\n", i+1, escape.Line(m.Name), words)
	}
}

// dirOf returns the folder that an output is in, empty for a stream.
func dirOf(output string) string {
	abs, err := filepath.Abs(filepath.Dir(output))
	if err != nil || aside.IsOut(output) || Special(output) {
		return ""
	}
	return abs
}

func writePlan(out io.Writer, plan *together.Plan, dir string) error {
	text, err := plan.Encode(dir)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

// keepTogether writes the plan of recordings to be opened where it is found again, and returns its path.
func (s *Streams) keepTogether(ctx context.Context, names []string, f *togetherFlags) (path string, err error) {
	plan, err := s.planTogether(ctx, names, f)
	if err != nil {
		return "", err
	}
	printPlan(s.Err, plan)
	return library.KeepTogether(plan)
}
