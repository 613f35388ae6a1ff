package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/net/framescope"
)

// connectCommand connects to programs of each kind of launch.Servers.
func connectCommand(s *Streams) *cobra.Command {
	var withReport, list bool
	var to RecordTo
	var help, examples strings.Builder
	var kinds []string
	for _, k := range launch.Servers() {
		kinds = append(kinds, k.Kind)
		fmt.Fprintf(&help, "  %-7s%s\n         Default for %s: %s\n", k.Kind,
			strings.ReplaceAll(k.Help, "\n", "\n         "), k.Form(), k.Addr)
		for _, e := range k.Examples {
			fmt.Fprintln(&examples, strings.TrimRight("  framescope connect "+k.Kind+" "+e, " "))
		}
	}
	some := "`framescope connect " + kinds[0] + " " + launch.Servers()[0].Addr + "`"
	cmd := &cobra.Command{
		Use:   "connect " + strings.Join(kinds, "|") + " [HOST:PORT]",
		Short: "Connect to a running program and show what it measures",
		Long: `connect opens the window and shows a running program. If the connection is lost, Framescope connects
again.

` + help.String() + `
` + RecordHelp,
		Example:   strings.TrimRight(examples.String(), "\n"),
		ValidArgs: kinds,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return Usage(errors.New("connect: name what to connect to, as in " + some))
			}
			k, ok := launch.ServerOf(args[0])
			if !ok {
				return Usage(fmt.Errorf("connect: cannot connect to %q: choose one of %s, as in %s",
					args[0], strings.Join(kinds, ", "), some))
			}
			if len(args) > 2 {
				return Usage(fmt.Errorf("connect %s: name one address, %s", k.Kind, k.Form()))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, _ := launch.ServerOf(args[0])
			if list {
				return s.listPrograms(cmd.Context(), kind)
			}
			addr, err := kind.Complete(strings.Join(args[1:], ""))
			if err != nil {
				return Usage(err)
			}
			if kind.Folders {
				err = to.checkFolder()
			} else {
				err = to.Check()
			}
			if err != nil {
				return err
			}
			in := kind.New(addr, s.LinePrinter(), withReport)
			if err := in.Connect(cmd.Context()); err != nil {
				return err
			}
			defer in.Close()
			instead := "framescope connect " + kind.Kind + " " + addr + " --report"
			return s.live(cmd.Context(), in, to, withReport, load.Sources{}, instead)
		},
	}
	to.Flags(cmd.Flags())
	cmd.Flags().BoolVar(&withReport, "report", false,
		"no window: print statistics when interrupted, or when the program ends; fail if it sends nothing")
	cmd.Flags().BoolVar(&list, "list", false, "with tracy: list the programs that announce themselves on the network")
	return cmd
}

// listPrograms lists the programs of a kind that announce themselves.
func (s *Streams) listPrograms(ctx context.Context, kind launch.Server) error {
	if kind.Programs == nil {
		return Usage(fmt.Errorf("--list: programs of the kind %s do not announce themselves", kind.Kind))
	}
	s.LinePrinter()("listening for programs that announce themselves, some seconds")
	lines, err := kind.Programs(ctx)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return fmt.Errorf("no program announced itself; one that does not is found by its address, as in %s", kind.Addr)
	}
	for _, line := range lines {
		fmt.Fprintln(s.Out, line)
	}
	return nil
}

// checkFolder makes sure that sample folders can be made in a folder, unless a session file is named, before
// anything begins.
func (to *RecordTo) checkFolder() error {
	dir := to.Path
	switch {
	case framescope.IsName(dir):
		return to.Check()
	case to.Force:
		return Usage(errors.New("--force replaces files, but here --record makes folders"))
	case dir == "":
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	probe, err := os.MkdirTemp(dir, ".framescope-*")
	if err != nil {
		return fmt.Errorf("--record: cannot write to the folder %s: %w", dir, err)
	}
	return os.Remove(probe)
}

// live shows an input in the window, or reports on it; instead is the command that needs no
// display.
func (s *Streams) live(
	ctx context.Context, in launch.Input, to RecordTo, withReport bool, sources load.Sources, instead string,
) error {
	if withReport {
		return s.Profiled(func() error { return s.reportInput(ctx, in, to) })
	}
	o := app.Options{Options: sessions.Options{Inputs: []launch.Input{in}}}
	record(&to, &o)
	err := s.window(o, nil, nil, false, sources)
	if errors.Is(err, app.ErrNoDisplay) {
		return fmt.Errorf("%w; `%s` needs none", err, instead)
	}
	return err
}
