package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/cli/shell"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
)

func connectCommand(s *streams) *cobra.Command {
	a := launch.Agent{}
	var withReport bool
	var to shell.RecordTo
	cmd := &cobra.Command{
		Use:   "connect flare [HOST:PORT]",
		Short: "Connect to a program that offers what it measures",
		Long: `connect opens the window and shows what a program measures while it runs.

  flare  the agent of the Flare profiler, which samples the threads of a Java VM. It listens on port
         3333 unless it was told otherwise; without HOST:PORT the one of this machine is meant.

An agent serves one client at a time: connecting takes it from whoever was connected. A connection
that is lost is made again. With --record what comes is written to sample folders as Flare's own
server does it; open shows them again. ` + "`framescope attach`" + ` loads an agent into a running JVM.`,
		Example: `  framescope connect flare localhost:3333
  framescope connect flare build-box:3333 --record flare-samples
  framescope connect flare :3333 --report`,
		ValidArgs: []string{"flare"},
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 || args[0] != "flare":
				return shell.Usage(errors.New("connect: name what to connect to, as in `framescope connect flare localhost:3333`"))
			case len(args) > 2:
				return shell.Usage(errors.New("connect flare: name one address, HOST:PORT"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			text := ""
			if len(args) > 1 {
				text = args[1]
			}
			if a.Addr, err = launch.AgentAddr(text); err != nil {
				return shell.Usage(err)
			}
			if err := recordable(to.Path); err != nil {
				return err
			}
			a.Log = s.Tell()
			if err := a.Connect(cmd.Context()); err != nil {
				return err
			}
			defer a.Close()
			return s.live(cmd.Context(), &a, to, withReport, load.Sources{}, "framescope connect flare "+a.Addr+" --report")
		},
	}
	recordFlag(cmd, &to.Path)
	cmd.Flags().BoolVar(&withReport, "report", false, "no window: print the statistics when interrupted, or when the agent is gone")
	return cmd
}

// recordFlag adds the flag that names where sample folders are made.
func recordFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "record", "", "make Flare sample folders of what comes in this folder (default: nothing is shell.Recorded)")
}

// recordable makes sure that sample folders can be made in a folder, before anything begins.
func recordable(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	probe, err := os.MkdirTemp(dir, ".framescope-*")
	if err != nil {
		return fmt.Errorf("--record: nothing can be written into %s: %w", dir, err)
	}
	return os.Remove(probe)
}

// live shows an input in the window, or reports on it; instead is the command that needs no
// display.
func (s *streams) live(
	ctx context.Context, in launch.Input, to shell.RecordTo, withReport bool, sources load.Sources, instead string,
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
