package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/demo"
	"framescope/app/headless"
	"framescope/app/sessions"
)

func demoCommand(s *Streams) *cobra.Command {
	var (
		listen, out   string
		budgets       string
		to            RecordTo
		withoutWindow bool
		game          demo.Options
		made          generate
	)
	duration := 10 * time.Second
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Start a simulated game and show it",
		Long: `demo starts a simulated game that sends its frames over loopback, and opens the window on it. The
game has everything that a profiler must cope with: recursion, spans across frames, render and GPU
threads, a loader that comes and goes, garbage collections, hitches and lost frames.

Its hitches have causes to find: a shader that Draw compiles (every 370 frames), a garbage
collection on the main thread (every 210), an autosave that waits for the disk (every 450), and a
lock that the loader holds while the main thread waits for it (in the next Draw after every 420).

Without a display, demo says so and records ten seconds instead. It writes pictures of six panels,
a report and the recording to a folder. The recording is kept nowhere else.

With -o, demo plays nothing: it writes a generated session to FILE. --spans, --tracks, --depth,
--hz, --frame-spans, --hitch-every and --gap-every describe the session and need -o. An existing
file is replaced only with --force.`,
		Example: `  framescope demo
  framescope demo --seed 7 --restart 600
  framescope demo --headless --seconds 3 --out pictures`,
		Args: Exactly(0, "takes no arguments"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range generatorFlags {
				if cmd.Flags().Changed(name) {
					made.opt.Seed = game.Seed
					if err := made.given(cmd.Flags()); err != nil {
						return err
					}
					if to.Path != "" {
						return Usage(errors.New("--record needs a game that plays: leave out -o"))
					}
					return s.Profiled(func() error { return made.write(cmd.Context(), s, name, to.Force) })
				}
			}
			if err := to.Check(); err != nil {
				return err
			}
			if err := checkBudgets(budgets); err != nil {
				return err
			}
			if game.Restart < 0 || game.Restart == 0 && cmd.Flags().Changed("restart") {
				return Usage(errors.New("--restart: give the number of frames, 1 or more"))
			}
			return s.Profiled(func() (err error) {
				if !withoutWindow {
					o := app.Options{Options: sessions.Options{
						Listen: listen, DiskLimit: s.DiskFlag(), MemoryLimit: s.MemoryLimit(), Demo: true,
					}}
					record(&to, &o)
					o.Budgets = budgets
					err := s.demoWindow(cmd.Context(), o, game)
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
				fmt.Fprintf(s.Err, "%s: recording %v of the game; pictures and a report go to %s\n", why, duration, out)
				keeper := s.Keeper()
				defer keeper.Stop()
				record := s.RecorderOnly(to)
				defer record.Ending(&err)
				return s.demoHeadless(cmd.Context(), headless.DemoOptions{
					Dir: out, Record: record.Session, Listen: listen, Duration: duration, Game: game, Memory: keeper,
				})
			})
		},
	}
	f := cmd.Flags()
	addrVar(f, &listen, "listen", "127.0.0.1:0", "HOST:PORT to receive the game's frames on; port 0: a free one")
	to.Flags(f)
	budgetsFlag(f, &budgets)
	f.Lookup("force").Usage = "with --record or -o: replace existing files"
	f.Uint64Var(&game.Seed, "seed", 1, "seed of the game; the same seed gives the same game")
	f.IntVar(&game.Restart, "restart", 0, "restart the game, with a new session, after this many frames (default: never)")
	f.BoolVar(&withoutWindow, "headless", false, "record without a window even if there is a display")
	secondsVar(f, &duration, "seconds", "without a window: how many seconds to record", 24*time.Hour)
	f.StringVar(&out, "out", "", "without a window: output folder (default: demo-DATE-TIME)")
	textVar(f, &made.opt.Spans, "spans", "", "with -o: number of spans, such as 10M, 1e7, 250k (default: 1M)", parseCount)
	f.StringVarP(&made.file, "output", "o", "", "generate a session into this file instead of playing")
	f.IntVar(&made.opt.Tracks, "tracks", 4, "with -o: number of threads")
	f.IntVar(&made.opt.Depth, "depth", 8, "with -o: depth of nested spans")
	f.Float64Var(&made.opt.Hz, "hz", 0, "with -o: frames per second (default: 60 to 240, by seed)")
	f.IntVar(&made.opt.FrameSpans, "frame-spans", 0,
		"with -o: mean number of spans per frame (default: 20 to 400, by seed and track)")
	f.IntVar(&made.opt.HitchEvery, "hitch-every", 400, "with -o: frames from hitch to hitch; -1: no hitches")
	f.IntVar(&made.opt.GapEvery, "gap-every", 1000, "with -o: frames from gap to gap; -1: no gaps")
	return cmd
}

// demoWindow opens the window and lets the game play until it is closed.
func (s *Streams) demoWindow(ctx context.Context, o app.Options, game demo.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	var play sync.WaitGroup
	var played error
	o.Started = func(address string) { // when the window has its port, which may be never
		play.Go(func() { played = demo.Run(ctx, address, game) })
	}
	err := app.Run(o)
	cancel()
	play.Wait()
	return errors.Join(err, played)
}

func (s *Streams) demoHeadless(ctx context.Context, o headless.DemoOptions) error {
	files, err := headless.Demo(ctx, o)
	for _, f := range files {
		fmt.Fprintln(s.Out, f)
	}
	return err
}
