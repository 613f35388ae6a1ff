// The command that measures Framescope's speed on this machine.

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"framescope/internal/escape"
)

// Command returns the command.
func Command(s *Streams) *cobra.Command {
	var o Options
	var asJSON, asMarkdown bool
	var output string
	cmd := &cobra.Command{
		Use:   "bench [NAME…]",
		Short: "Measure how fast Framescope is on this machine",
		Long: `bench measures what decoding, opening, drawing and searching cost on this machine, on data that it
makes itself, and compares it with what the machine can do at most: reading the bytes of PStats frames
("wire", one core) and copying memory. Each figure is measured several times, and every time is
printed; the share of wire is that of the medians.

With names only the figures whose name has one of them in it are measured: "bench open store". Close other
programs before: what they take of the processor is measured, too. The file that is opened is made in
the folder for temporary files and deleted again; of 80 million spans it takes 920 MiB. All figures need
about 4 GiB of memory and five minutes.`,
		Example: `  framescope bench
  framescope bench open --spans 80000000 --runs 3
  framescope bench timeline locks --markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Runs < 1 || o.Runs > 100:
				return Usage(fmt.Errorf("--runs %d: give 1 to 100", o.Runs))
			case o.Spans < 1_000_000 || o.Spans > 1_000_000_000:
				return Usage(fmt.Errorf("--spans %d: give a million to a thousand million", o.Spans))
			case asJSON && asMarkdown:
				return Usage(errors.New("--json and --markdown: give one of them"))
			}
			if len(args) > 0 {
				if o.Only = args; !Known(args) {
					return Usage(fmt.Errorf("bench: there is no figure of that name; there are: %s", Names()))
				}
			}
			var err error
			if o.Program, err = os.Executable(); err != nil {
				return err
			}
			o.Folder = os.TempDir()
			o.Tell = func(name string) { fmt.Fprintln(s.Err, "measuring", name) }
			return s.Profiled(func() error {
				r, err := Run(cmd.Context(), o)
				if err != nil {
					return err
				}
				return s.ToFile(output, func(out io.Writer) error {
					switch {
					case asJSON:
						return escape.WriteJSON(out, r)
					case asMarkdown:
						return r.WriteMarkdown(out)
					}
					return r.WriteText(out)
				})
			})
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&o.Runs, "runs", 3, "how often each figure is measured")
	fl.Int64Var(&o.Spans, "spans", 15_000_000, "how many spans the file has that is opened")
	fl.BoolVar(&asJSON, "json", false, "JSON instead of text")
	fl.BoolVar(&asMarkdown, "markdown", false, "markdown instead of text")
	fl.StringVarP(&output, "output", "o", "", "file to write to (default: standard output)")
	return cmd
}
