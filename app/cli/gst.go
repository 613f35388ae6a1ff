package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
)

func gstCommand(s *Streams) *cobra.Command {
	var p launch.Program
	var withReport, light bool
	var to RecordTo
	var keep string
	cmd := &cobra.Command{
		Use:   "gst [flags] -- PROGRAM [ARGUMENT…]",
		Short: "Start a GStreamer program with tracers and show its pipeline",
		Long: `gst starts a program with GStreamer's tracers on and shows the session while it runs: threads,
latencies, buffers, the graph of elements, and debug lines. It sets GST_TRACERS, GST_DEBUG,
GST_DEBUG_FILE and GST_DEBUG_NO_COLOR, passes signals on to the program, and leaves its input and
output alone. It ends with the exit status of the program.

Tracing costs time for each buffer, whatever its size; many small buffers suffer most. Processor
time of the traced program with GStreamer 1.22, for 3,000 buffers of 16×16 pixels through a tee and
two branches with queues, and for 300 of 640×360 through two queues, a conversion and a scaler:

  tracers                                        3,000 small   300 large
  none                                                0.03 s      0.11 s
  latency(flags=pipeline)                             0.10 s      0.12 s
  latency(flags=pipeline+element), as --light         0.23 s      0.13 s
  stats                                               0.13 s      0.13 s
  rusage                                              0.33 s      0.15 s
  latency(flags=pipeline+element);stats               0.50 s      0.17 s
  latency, stats and rusage: the default              1.56 s      0.31 s

--light measures how long each element had each buffer, and nothing else: no queue levels,
intervals, states, caps or processor time. The window warns when a sink gets buffers for less than
half of the time.

The window stays open when the program has ended. Closing the window earlier ends the program. With
--report, or without a display, gst prints the summary when the program has ended.

` + RecordHelp,
		Example: `  framescope gst -- gst-launch-1.0 videotestsrc num-buffers=300 ! videoconvert ! autovideosink
  framescope gst --report -- gst-launch-1.0 audiotestsrc num-buffers=100 ! fakesink
  framescope gst --leaks --debug 'GST_ELEMENT_FACTORY:5' --record trace.log -- ./player film.mkv
  framescope gst --light --record trace.log.zst -- ./player film.mkv
  framescope gst --tracers 'latency(flags=element);rusage' -- ./player film.mkv`,
		Args: Between(1, Many, "gst: name the program to start, as in `framescope gst -- gst-launch-1.0 videotestsrc ! "+
			"fakesink`"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if light {
				if cmd.Flags().Changed("tracers") {
					return Usage(errors.New("gst: --light chooses the tracers: leave out --tracers"))
				}
				p.Tracers = launch.LightTracers
			}
			p.Args, p.Source = args, load.GStreamer()
			p.Stdin, p.Stdout, p.Stderr = os.Stdin, s.Out.Raw(), ChildErr(s.Err)
			if err := p.Find(); err != nil {
				return notFound(args[0], err)
			}
			if keep != "" { // as the flag was called before
				to.Path = keep
			}
			if err := to.Check(); err != nil {
				return err
			}
			return s.Profiled(func() error { return s.gst(cmd, &p, to, withReport) })
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // later flags are the program's
	f.StringVar(&p.Tracers, "tracers", launch.DefaultTracers, "tracers to load, as in GST_TRACERS")
	f.BoolVar(&light, "light", false, "only latencies, at less cost: --tracers '"+launch.LightTracers+"'")
	f.StringVar(&p.Debug, "debug", "", "debug categories to show, as in GST_DEBUG (default: $GST_DEBUG)")
	f.BoolVar(&p.Leaks, "leaks", false, "find objects that are never freed")
	to.Flags(f)
	f.StringVar(&keep, "keep", "", "")
	f.MarkHidden("keep")
	f.BoolVar(&withReport, "report", false, "no window: print a summary when the program has ended")
	return cmd
}

// notFound gives advice for a program that cannot be started.
func notFound(name string, err error) error {
	if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if name == "gst-launch-1.0" {
		return fmt.Errorf("no program %q in PATH: install GStreamer's tools (package gstreamer1.0-tools on Debian "+
			"and Ubuntu, gstreamer1 on Fedora)", name)
	}
	return fmt.Errorf("no program %q in PATH: give its path, after --", name)
}

// gst runs the program with a window, or without.
func (s *Streams) gst(cmd *cobra.Command, p *launch.Program, to RecordTo, withReport bool) error {
	if !withReport {
		o := app.Options{Options: sessions.Options{Inputs: []launch.Input{p}}}
		record(&to, &o)
		p.Exited = func(status int) {
			fmt.Fprintf(s.Err, "framescope: %s has ended with status %d; close the window to end\n", p.Args[0], status)
		}
		err := s.window(o, nil, nil, false, load.Sources{})
		if !errors.Is(err, app.ErrNoDisplay) {
			return ended(p, s.untraced(err))
		}
		fmt.Fprintln(s.Err, "framescope: no display: the summary is printed when the program has ended")
		p.Exited = nil
	}
	// The interrupt is for the program: its output after one belongs to the summary.
	return ended(p, s.untraced(s.gstReport(context.WithoutCancel(cmd.Context()), p, to)))
}

// ended is the error of an ended program: its status, and a further error.
func ended(p *launch.Program, err error) error {
	if err == nil && p.Status() == 0 {
		return nil
	}
	return ProgramError{Status: p.Status(), Err: err}
}

// untraced warns that a program wrote no trace. That is no error of the program: its exit status stays.
func (s *Streams) untraced(err error) error {
	if !errors.Is(err, launch.ErrNoTrace) {
		return err
	}
	s.Warn("%v", launch.ErrNoTrace)
	return nil
}
