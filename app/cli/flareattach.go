package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/internal/escape"
	"framescope/net/flare"
)

func attachCommand(s *Streams) *cobra.Command {
	a := launch.Attach{}
	var withReport bool
	var to RecordTo
	cmd := &cobra.Command{
		Use:   "attach [PID]",
		Short: "Load the Flare agent into a running JVM and show its threads",
		Long: `attach loads the agent of the Flare profiler into a running Java VM and shows its samples. It stops
the agent when you close the window, or after --duration. Without PID, it lists the JVMs. The JVM
must run on this machine, as the same user. No JDK is needed.

` + launch.FlareAgentHelp,
		Example: `  framescope attach
  framescope attach 12345 --agent ./libflareagent.so
  framescope attach 12345 --agent ./libflareagent.so --interval 10 --record flare-samples
  framescope attach 12345 --agent ./libflareagent.so --duration 60 --report`,
		Args: Between(0, 1, "attach: name one JVM by its process number"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			vms, listErr := flare.ListVMs()
			if len(args) == 0 {
				if listErr != nil {
					return listErr
				}
				return listVMs(s.Out, vms)
			}
			if a.PID, err = strconv.Atoi(args[0]); err != nil || a.PID <= 0 {
				return Usage(fmt.Errorf("attach: %q is not a process number; `framescope attach` lists the JVMs", args[0]))
			}
			if a.IntervalMs < 0 || a.IntervalMs > maxIntervalMs || a.IntervalMs == 0 && cmd.Flags().Changed("interval") {
				return Usage(fmt.Errorf("--interval: %d ms; give 1 to %d", a.IntervalMs, maxIntervalMs))
			}
			if a.Library == "" {
				a.Library = os.Getenv(launch.FlareAgentEnv)
			}
			if a.Library == "" {
				return Usage(errors.New("attach: name the agent library.\n" + launch.FlareAgentHelp))
			}
			if err := to.checkFolder(); err != nil {
				return err
			}
			for _, vm := range vms {
				if vm.PID == a.PID {
					a.Name = vm.Name
				}
			}
			a.Log = s.LinePrinter()
			if err := a.Connect(cmd.Context()); err != nil {
				return err
			}
			defer a.Close()
			return s.live(cmd.Context(), &a, to, withReport, load.Sources{}, "framescope attach "+args[0]+" --report")
		},
	}
	f := cmd.Flags()
	f.StringVar(&a.Library, "agent", "", "path of the agent library (default: $"+launch.FlareAgentEnv+")")
	f.IntVar(&a.IntervalMs, "interval", 0, "milliseconds between samples (default: the agent's, 5)")
	secondsVar(f, &a.Duration, "duration", "stop after this many seconds (default: when the window is closed)",
		maxDuration)
	cmd.Flags().StringVar(&to.Path, "record", "",
		"record Flare sample folders into this folder; FILE.framescope: record a session file")
	f.BoolVar(&withReport, "report", false, "no window: print statistics at the end")
	return cmd
}

// The bounds of attach's flags.
const (
	maxIntervalMs = 60_000
	maxDuration   = 30 * 24 * time.Hour
)

// listVMs prints the Java VMs of this machine, and how to go on.
func listVMs(out io.Writer, vms []flare.VM) error {
	if len(vms) == 0 {
		fmt.Fprintln(out, "No JVM of yours is running on this machine. Those of other users are listed when you run "+
			"this as them.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, vm := range vms {
		name := vm.Name
		if name == "" {
			name = "(unknown)"
		}
		fmt.Fprintf(w, "%d\t%s\n", vm.PID, escape.Line(name))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nTo watch one: framescope attach %d --agent LIB\n", vms[0].PID)
	return err
}
