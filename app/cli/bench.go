// The command that measures Framescope's speed on this machine.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"

	"framescope/internal/escape"
	"framescope/net/pstats"
)

// Command returns the command.
func Command(s *Streams) *cobra.Command {
	var o Options
	var asJSON, asMarkdown bool
	var output string
	cmd := &cobra.Command{
		Use:   "bench [NAME…]",
		Short: "Measure how fast Framescope is on this machine",
		Long: `bench measures decoding, opening, drawing and searching on this machine, with generated data. It
compares each figure with what the machine can do at most: reading the bytes of PStats frames on one
core ("wire") and copying memory. It measures each figure several times and prints every time; the
share of wire compares the medians.

NAME selects the figures whose name contains it. Close other programs first; bench also measures how
much processor time they take. It needs about 4 GiB of memory, five minutes, and room for the
recording that it opens, in the folder for temporary files: 920 MiB for 80 million spans. It deletes
the recording.`,
		Example: `  framescope bench
  framescope bench open --spans 80000000 --runs 3
  framescope bench timeline locks --markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Runs < 1 || o.Runs > 100:
				return Usage(fmt.Errorf("--runs %d: give 1 to 100", o.Runs))
			case o.Spans < 1_000_000 || o.Spans > 1_000_000_000:
				return Usage(fmt.Errorf("--spans %d: give 1,000,000 to 1,000,000,000", o.Spans))
			case asJSON && asMarkdown:
				return Usage(errors.New("--json and --markdown: give one of them"))
			}
			if len(args) > 0 {
				if o.Only = args; !Known(args) {
					return Usage(fmt.Errorf("bench: no figure has this name; choose from: %s", Names()))
				}
			}
			var err error
			if o.Program, err = os.Executable(); err != nil {
				return err
			}
			o.Folder = os.TempDir()
			o.Report = func(name string) { fmt.Fprintln(s.Err, "measuring", name) }
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
	fl.IntVar(&o.Runs, "runs", 3, "measurements of each figure")
	fl.Int64Var(&o.Spans, "spans", 15_000_000, "spans of the recording to open")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	fl.BoolVar(&asMarkdown, "markdown", false, "print Markdown")
	fl.StringVarP(&output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// listen returns the address of a viewer that reads and forgets, until ctx is done.
func listen(ctx context.Context) (addr string, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Program: "bench"}))); err == nil {
					io.Copy(io.Discard, conn)
				}
			}()
		}
	}()
	return ln.Addr().String(), nil
}
