package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"framescope/app/launch"
	"framescope/net/flare/api"
)

func serveCommand(s *Streams) *cobra.Command {
	var o api.ServerOptions
	var noRecording bool
	cmd := &cobra.Command{
		Use:   "serve flare",
		Short: "Serve recordings and live agents to other programs",
		Long: `serve answers other programs until it is interrupted.

  flare  the WebSocket API of the Flare profiler's server, for its web page and for scripts. It serves
         the sample folders below --samples, live agents, and JVMs to attach to. Like Flare's own
         server, it records live sessions into --samples.

Whoever reaches the server can read the sample folders, make it connect to agents, and attach to
your JVMs. It therefore listens on this machine only, unless you give --any-address. Web pages of
other machines may connect only if --origin names them.

serve web shows running sessions in browsers.

Where the figures of Flare's server are wrong, these are right; --compat gives the same ones as
Flare.`,
		Example: `  framescope serve flare
  framescope serve flare --samples /var/flare/flare-samples --compat
  framescope serve flare --agent ./libflareagent.so
  framescope serve flare --addr 0.0.0.0:3891 --any-address --origin http://build-box:3890`,
		ValidArgs: []string{"flare"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "flare" {
				return Usage(errors.New("serve: name what to serve, as in `framescope serve flare`"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Library == "" {
				o.Library = os.Getenv(launch.FlareAgentEnv)
			}
			o.NoRecording = noRecording
			o.Log = s.LinePrinter()
			return s.Profiled(func() error { return s.serveFlare(cmd.Context(), o) })
		},
	}
	f := cmd.Flags()
	addrVar(f, &o.Addr, "addr", api.DefaultAddr, "HOST:PORT to listen on")
	f.BoolVar(&o.AnyAddress, "any-address", false, "allow --addr to be reachable from other machines")
	f.StringVar(&o.Samples, "samples", api.DefaultSamples, "folder with the sample folders to serve and to record into")
	f.BoolVar(&noRecording, "no-record", false, "keep live sessions in memory only")
	f.BoolVar(&o.Compat, "compat", false, "print the figures of Flare's server, with its known errors")
	f.StringVar(&o.Library, "agent", "",
		"path of the agent library that attach_jvm loads (default: $"+launch.FlareAgentEnv+")")
	f.StringArrayVar(&o.Origins, "origin", nil, "origin, SCHEME://HOST[:PORT], of web pages that may connect besides "+
		"those of this machine; may be repeated")
	cmd.AddCommand(serveWebCommand(s))
	return cmd
}

// serveFlare answers until ctx is done.
func (s *Streams) serveFlare(ctx context.Context, o api.ServerOptions) error {
	server, err := api.Listen(ctx, o)
	switch {
	case launch.Taken(err):
		return fmt.Errorf("the address %s is taken, perhaps by another Flare server: stop it, or listen "+
			"elsewhere with --addr HOST:PORT: %w", o.Addr, err)
	case err != nil && !o.AnyAddress:
		return fmt.Errorf("%w (see --addr and --any-address)", err)
	case err != nil:
		return err
	}
	defer server.Close()
	fmt.Fprintf(s.Err, "Serving the Flare API on ws://%s (subprotocol flare-profiler); sample folders are in %s.\n",
		server.Addr(), o.Samples)
	what := "right numbers"
	if o.Compat {
		what = "the original server's numbers"
	}
	agent := "attach_jvm is not available without --agent"
	if o.Library != "" {
		agent = "attach_jvm loads " + o.Library
	}
	fmt.Fprintf(s.Err, "It gives %s; %s. Interrupt it to end.\n", what, agent)
	return server.Wait()
}
