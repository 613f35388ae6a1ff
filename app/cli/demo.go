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

func demoCommand(s *streams) *cobra.Command {
	var (
		listen, out   string
		budgets       string
		to            RecordTo
		withoutWindow bool
		seconds       float64
		game          demo.Options
		made          generate
	)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a small simulated game and watch it",
		Long: `demo starts a game that does not exist: a simulation that sends the frames of a game over loopback,
with everything that a profiler must cope with (recursion, spans over many frames, render and GPU
threads, a loader that comes and goes, garbage collections, hitches, lost frames), and opens the
window on it.

Its hitches have causes that can be found: a shader that Draw compiles (every 370 frames), a garbage
collection on the main thread (every 210), an autosave that waits for the disk (every 450), and the
loader, which holds a lock for which the main thread waits, the next time Draw (every 420).

Without a display it says so and records ten seconds instead, and leaves in a folder a picture of
each chart, a report, and the recording, which is kept nowhere else.

With any of --spans, -o, --tracks, --depth, --hz, --frame-spans, --hitch-every and --gap-every nothing is
played: a generated session is written to the file of -o, which these flags need. A file that is there
is replaced only with --force.`,
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
						return Usage(errors.New("--record is for the game that is played, and with -o none is"))
					}
					return s.Profiled(func() error { return made.write(cmd.Context(), s, name, to.Force) })
				}
			}
			limit, err := s.MemoryLimit()
			if err != nil {
				return err
			}
			disk, err := s.DiskFlag()
			if err != nil {
				return err
			}
			duration, err := ParseSeconds("--seconds", seconds, 24*time.Hour)
			if err != nil {
				return err
			}
			if err := to.Check(); err != nil {
				return err
			}
			if err := checkBudgets(budgets); err != nil {
				return err
			}
			if game.Restart < 0 || game.Restart == 0 && cmd.Flags().Changed("restart") {
				return Usage(errors.New("--restart: give a number of frames"))
			}
			return s.Profiled(func() (err error) {
				if !withoutWindow {
					o := app.Options{Options: sessions.Options{Listen: listen, DiskLimit: disk, MemoryLimit: limit, Demo: true}}
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
				keeper, err := s.Keeper()
				if err != nil {
					return err
				}
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
	f.StringVar(&listen, "listen", "127.0.0.1:0", "HOST:PORT to receive the game's frames on; port 0 takes a free one")
	to.Flags(f)
	budgetsFlag(f, &budgets)
	f.Lookup("force").Usage = "with --record or -o: replace a file that is there already"
	f.Uint64Var(&game.Seed, "seed", 1, "equal seeds play the same game")
	f.IntVar(&game.Restart, "restart", 0, "end the game after so many frames and start it again, as another session (default: never)")
	f.BoolVar(&withoutWindow, "headless", false, "record without a window even if there is a display")
	f.Float64Var(&seconds, "seconds", 10, "how long to record without a window")
	f.StringVar(&out, "out", "", "folder for the results without a window (default: demo-DATE-TIME here)")
	f.StringVar(&made.spans, "spans", "", "generate so many spans (10M, 1e7, 250k) into the file of -o; a million by default")
	f.StringVarP(&made.file, "output", "o", "", "FILE to write the generated session to")
	f.IntVar(&made.opt.Tracks, "tracks", 4, "with -o: threads of the generated session")
	f.IntVar(&made.opt.Depth, "depth", 8, "with -o: how deep its spans are nested")
	f.Float64Var(&made.opt.Hz, "hz", 0, "with -o: its frames a second (default: 60 to 240, by seed)")
	f.IntVar(&made.opt.FrameSpans, "frame-spans", 0, "with -o: its spans a frame on average (default: 20 to 400, by seed and track)")
	f.IntVar(&made.opt.HitchEvery, "hitch-every", 400, "with -o: one frame in so many takes several times as long; -1 for none")
	f.IntVar(&made.opt.GapEvery, "gap-every", 1000, "with -o: after so many frames some are missing; -1 for none")
	return cmd
}

// demoWindow opens the window and lets the game play until it is closed.
func (s *streams) demoWindow(ctx context.Context, o app.Options, game demo.Options) error {
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

func (s *streams) demoHeadless(ctx context.Context, o headless.DemoOptions) error {
	files, err := headless.Demo(ctx, o)
	for _, f := range files {
		fmt.Fprintln(s.Out, f)
	}
	return err
}
