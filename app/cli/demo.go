package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/demo"
	"framescope/app/headless"
)

func demoCommand(s *streams) *cobra.Command {
	var (
		listen, out, record string
		withoutWindow       bool
		seconds             float64
		game                demo.Options
	)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a small simulated game and watch it",
		Long: `demo starts a game that does not exist: a simulation that sends the frames of a game over loopback,
with everything that a profiler must cope with (recursion, spans over many frames, render and GPU
threads, a loader that comes and goes, garbage collections, hitches, lost frames), and opens the
window on it.

Without a display it says so and records ten seconds instead, and leaves in a folder a picture of
each chart, a report, and the recording.`,
		Example: `  framescope demo
  framescope demo --seed 7 --restart 600
  framescope demo --headless --seconds 3 --out pictures`,
		Args: exactly(0, "takes no arguments"),
		RunE: func(cmd *cobra.Command, args []string) error {
			memory, err := s.memoryLimit()
			if err != nil {
				return err
			}
			if !(seconds > 0) || seconds > 24*3600 {
				return usageError{errors.New("--seconds: give more than 0 and at most a day")}
			}
			if game.Restart < 0 {
				return usageError{errors.New("--restart: give a number of frames")}
			}
			return s.profiled(func() error {
				if !withoutWindow {
					err := s.demoWindow(cmd.Context(), app.Options{Listen: listen, Record: record, MemoryLimit: memory, Demo: true}, game)
					if !errors.Is(err, app.ErrNoDisplay) {
						return err
					}
				}
				if out == "" {
					out = time.Now().Format("demo-20060102-150405")
				}
				why := "no display"
				if withoutWindow {
					why = "headless"
				}
				fmt.Fprintf(s.err, "%s: recording %v of the game; pictures and a report go to %s\n", why, time.Duration(seconds*float64(time.Second)), out)
				return s.demoHeadless(cmd.Context(), headless.DemoOptions{
					Dir: out, Record: record, Listen: listen, Duration: time.Duration(seconds * float64(time.Second)), Game: game, MemoryLimit: memory,
				})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:0", "HOST:PORT to receive the game's frames on; port 0 takes a free one")
	f.StringVar(&record, "record", "", "write the session to this .pstats file while it runs")
	f.Uint64Var(&game.Seed, "seed", 1, "equal seeds play the same game")
	f.IntVar(&game.Restart, "restart", 0, "end the game after so many frames and start it again, as another session (default: never)")
	f.BoolVar(&withoutWindow, "headless", false, "record without a window even if there is a display")
	f.Float64Var(&seconds, "seconds", 10, "how long to record without a window")
	f.StringVar(&out, "out", "", "folder for the results without a window (default: demo-DATE-TIME here)")
	return cmd
}

// demoWindow opens the window and lets the game play until it is closed.
func (s *streams) demoWindow(ctx context.Context, o app.Options, game demo.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	played := make(chan error, 1)
	started := false
	o.Started = func(address string) {
		started = true
		go func() { played <- demo.Run(ctx, address, game) }()
	}
	err := app.Run(o)
	cancel()
	if started {
		err = errors.Join(err, <-played)
	}
	return err
}

func (s *streams) demoHeadless(ctx context.Context, o headless.DemoOptions) error {
	files, err := headless.Demo(ctx, o)
	for _, f := range files {
		fmt.Fprintln(s.out, f)
	}
	return err
}
