package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/report"
	"framescope/app/sessions"
	"framescope/internal/escape"
	"framescope/model/store"
)

// defaultProfileLib is the default address for profile_lib streams.
const defaultProfileLib = "127.0.0.1:7170"

func listenCommand(s *Streams) *cobra.Command {
	var addr string
	var sources load.Sources
	var withReport bool
	var to RecordTo
	cmd := &cobra.Command{
		Use:   "listen [pstats | profilelib]",
		Short: "Listen for PStats or profile_lib programs",
		Long: `listen opens the window and waits for programs to connect.

  pstats      PStats clients: Panda3D games, and Go games with framescope/net/pstats/client (default)
  profilelib  programs whose profile_lib writer sends its stream over TCP; each connection is a session

While another program uses the address, the window says so and keeps trying.

` + RecordHelp,
		Example: `  framescope listen
  framescope listen pstats --addr 0.0.0.0:5185
  framescope listen profilelib --addr 127.0.0.1:7170
  framescope listen profilelib --layout v3-72
  framescope listen profilelib --record run.prof
  framescope listen profilelib --report`,
		ValidArgs: []string{"pstats", "profilelib"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && args[0] != "pstats" && args[0] != "profilelib" {
				return Usage(errors.New("listen: name pstats or profilelib"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := to.Check(); err != nil {
				return err
			}
			if len(args) == 0 || args[0] == "pstats" {
				if sources.Layout != "" {
					return Usage(errors.New("--layout needs profilelib"))
				}
				if withReport {
					return Usage(errors.New("--report needs profilelib; for PStats clients use `framescope report --live`"))
				}
				if addr == "" {
					addr = DefaultListen
				}
				o := app.Options{Options: sessions.Options{Listen: addr}}
				record(&to, &o)
				return s.window(o, nil, nil, false, sources)
			}
			if addr == "" {
				addr = defaultProfileLib
			}
			source, err := sources.ProfileLib()
			if err != nil {
				return Usage(err)
			}
			p := launch.NewPort(addr, "--addr", source)
			p.Log = func(line string) { fmt.Fprintln(s.Err, "framescope:", escape.Line(line)) }
			err = p.Try(cmd.Context())
			defer p.Close()
			switch {
			case err == nil:
				fmt.Fprintf(s.Err, "Listening for profile_lib streams on %s.\n", p.State().Addr)
			case withReport || !launch.Taken(err):
				return err
			default: // the window waits until the address is free
				fmt.Fprintf(s.Err, "framescope: not listening: %s\n", p.State().Problem)
			}
			return s.live(cmd.Context(), p, to, withReport, sources, "framescope listen profilelib --report")
		},
	}
	addrVar(cmd.Flags(), &addr, "addr", "", "HOST:PORT to listen on (default: "+DefaultListen+" for pstats, "+
		defaultProfileLib+" for profilelib)")
	cmd.Flags().BoolVar(&withReport, "report", false, "no window: print statistics of all sessions when interrupted")
	to.Flags(cmd.Flags())
	LayoutFlag(cmd.Flags(), &sources)
	return cmd
}

// reportInput runs an input without a window until it ends or ctx is done, and prints the statistics of
// its recordings. It reports a recording that could not be read to its end.
func (s *Streams) reportInput(ctx context.Context, in launch.Input, to RecordTo) (err error) {
	record := s.Recorder(to)
	defer record.Ending(&err)
	keeper := s.Keeper()
	defer keeper.Stop()
	c, err := launch.Collect(ctx, record.Input(in), keeper)
	if err == nil && len(c.Sessions) > 0 && !slices.ContainsFunc(c.Sessions, (*store.Session).Some) {
		err = fmt.Errorf("%s sent nothing that can be shown", in.Title())
	}
	some := false
	for i, session := range c.Sessions {
		if err != nil && !session.Some() {
			continue // the error says why
		}
		if some {
			fmt.Fprintln(s.Out)
		}
		some = true
		if problem := c.Recordings[i].Problem(); problem != nil {
			s.Warn("%v", problem)
		}
		if err := report.Write(s.Out, session, report.Options{Stats: true}); err != nil {
			return err
		}
	}
	return err
}
