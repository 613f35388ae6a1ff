package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"framescope/app/cli/shell"
	"framescope/app/convert"
	"framescope/app/convert/formats"
	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/internal/aside"
)

// exportFlags are what export was asked for.
type exportFlags struct {
	to, rng, measure, output string
	threads                  []string
	force                    bool
	sources                  load.Sources
	r                        timerange.Range
}

func exportCommand(s *streams) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export FILE --to FORMAT -o FILE",
		Short: "Write a recording, or a part of it, in a format of other programs",
		Long: `export writes what was received in a format that other programs read. Of frames it writes those that
begin in the range, whole, with all that is in them; of threads without frames what touches the range,
cut at its ends. What the format has no place for is left out, and told.

The formats:
` + formats.Help() + `
Without --to the end of the file's name says which. FILE may be last, the newest session on disk that has
ended, a FIFO, or - for standard input. What panels show is exported from their menus in the window.

` + timerange.Help,
		Example: `  framescope export session.pstats --to ` + formats.All[0].ID + ` -o session` + formats.All[0].Ext + `
  framescope export trace.json --to folded --range 120:180 --thread Main -o - | flamegraph.pl > flame.svg`,
		Args: shell.Exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			rng, thread := "", ""
			if args[0], rng, thread, err = cutRange(args[0], cmd.Flags().Changed, "range"); err != nil {
				return err
			}
			if rng != "" {
				f.rng = rng
			}
			if thread != "" {
				f.threads = []string{thread}
			}
			if f.r, err = timerange.Parse(f.rng); err != nil {
				return shell.Usage(fmt.Errorf("--range: %w", err))
			}
			if f.output == "" {
				return shell.Usage(errors.New("export: name the file to write with -o, - for standard output"))
			}
			to, err := formats.Find(f.to, f.output)
			if err != nil {
				return shell.Usage(err)
			}
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			return s.Profiled(func() error { return s.export(cmd.Context(), args[0], to, &f) })
		},
	}
	l := cmd.Flags()
	l.StringVar(&f.to, "to", "", "the format to write, see above")
	l.StringVar(&f.rng, "range", "", "A:B, the frames or times to write (default: everything)")
	l.StringArrayVar(&f.threads, "thread", nil, "name or index of a thread to write; may be repeated (default: all)")
	l.StringVar(&f.measure, "measure", "", "what sums by call path are of, as charts call it: Duration, Samples, … (default: samples where there are any)")
	l.StringVarP(&f.output, "output", "o", "", "file to write, - for standard output")
	l.BoolVar(&f.force, "force", false, "replace the file if it is there already")
	shell.SourceFlags(l, &f.sources)
	return cmd
}

// export writes a part of a recording in a format.
func (s *streams) export(ctx context.Context, path string, to *convert.Format, f *exportFlags) error {
	if f.output != "-" && !shell.Special(f.output) {
		if err := aside.Free(f.output, f.force); err != nil {
			return err
		}
	}
	reg, err := f.sources.Registry()
	if err != nil {
		return err
	}
	in, err := s.Whole(ctx, path, reg)
	if err != nil {
		return err
	}
	defer in.Remove()
	rec, err := s.LoadWhole(ctx, in, load.Options{Sources: f.sources})
	if err != nil {
		return err
	}
	part, err := convert.Of(rec.Session, f.r, f.threads)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	part.Weigh, part.Recording = f.measure, in.Path
	if err := to.Check(part); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	bar := shell.NewProgress(s.Err, "writing "+f.output)
	part.OnProgress(bar.Update)
	write := func(w io.Writer) error { return to.Write(ctx, part, w) }
	if f.output == "-" || shell.Special(f.output) {
		err = s.ToFile(f.output, write)
	} else {
		err = aside.Write(f.output, write)
	}
	bar.Close()
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case err != nil:
		return err
	}
	for _, left := range part.Left() {
		fmt.Fprintf(s.Err, "framescope: left out: %s\n", left)
	}
	if f.output != "-" {
		fmt.Fprintf(s.Err, "framescope: wrote %s: %s\n", f.output, to.Name)
	}
	return nil
}
