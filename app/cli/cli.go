// Package cli is the command line: flags, sub-commands, and their output.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"framescope/app"
	"framescope/app/load"
	"framescope/app/settings"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/net/feed"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // a failure, even a partial one: a recording is damaged
	exitUsage = 2 // the command line was wrong
)

// forProgram sets the variables of other packages once, also when tests run commands side by side.
var forProgram sync.Once

// commands is how many run: one, but in tests.
var commands atomic.Int32

// nonempty are the flags, besides ranges, that mean nothing without a value.
var nonempty = []string{"thread", "record", "baseline", "budgets", "clips", "frames", "otlp"}

// Execute runs the command line args, without the program's name, and returns the exit code. An
// interrupt or a request to end stops the running command in an orderly way; another one stops it at
// once, unless it is of the same moment (ending.Again). A failure to print is an error, except on a
// pipe with its reader gone.
func Execute(args []string, stdout, stderr io.Writer) int {
	SurviveBrokenPipes()
	app.SurviveHangups()
	ctx, stop := app.NotifyInterrupts(context.Background())
	defer stop()
	done := make(chan struct{})
	defer close(done)
	forProgram.Do(func() {
		aside.Noted = aside.Note
		app.OnQuit(aside.Clear)
		log.SetOutput(io.Discard)    // net/http writes there what servers do wrong
		cobra.MousetrapHelpText = "" // on Windows a double click on the program is how most people start it
	})
	go aside.Sweep()
	commands.Add(1)
	defer func() {
		if commands.Add(-1) == 0 {
			aside.Clear()
		}
	}()
	stderr = NewShared(stderr)
	s := &Streams{Out: NewOutput(stdout), Err: stderr}
	atOnce := func(status int, why string) {
		fmt.Fprintln(stderr, "framescope:", why)
		aside.Clear()
		os.Exit(status)
	}
	context.AfterFunc(ctx, func() {
		app.Again(done, func(status int) { atOnce(status, "interrupted again: it ends at once") })
	})
	context.AfterFunc(ctx, func() {
		select {
		case <-done:
		case <-time.After(app.Grace):
			if name := s.worksOn.Load(); name != nil {
				atOnce(exitError, interrupted(escape.Line(*name)).Error())
			}
		}
	})
	root := rootCommand(s)
	root.SetArgs(args)
	root.SetOut(s.Out)
	root.SetErr(stderr)
	begun := false // the flags and arguments of a command are right
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		begun = true
		cmd.Flags().Visit(func(f *pflag.Flag) {
			asked := strings.HasSuffix(f.Name, "range") || slices.Contains(nonempty, f.Name)
			if asked && strings.Trim(f.Value.String(), `[]"`) == "" {
				err = Usage(fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name))
			}
		})
		return err
	}
	err := root.ExecuteContext(ctx)
	if err != nil && !begun && !errors.As(err, &UsageError{}) {
		err = Usage(err)
	}
	switch unprinted := s.Out.Failed(); {
	case BrokenPipe(unprinted):
		return ExitPipe
	case unprinted != nil && !errors.Is(err, unprinted):
		err = errors.Join(err, unprinted)
	}
	switch {
	case err == nil && s.AnyDamaged(): // already reported
		return exitError
	case err == nil:
		return exitOK
	}
	code := exitError
	if p, ok := errors.AsType[ProgramError](err); ok {
		if p.Err == nil {
			return p.Status
		}
		if code, err = p.Status, p.Err; code == 0 {
			code = exitError
		}
	}
	fmt.Fprintln(stderr, "framescope:", onOneLine(feed.Plain(err).Error(), args))
	if hint := hintFor(err); hint != "" {
		fmt.Fprintln(stderr, hint)
	}
	if isUsage(err) {
		return exitUsage
	}
	return code
}

// isUsage reports whether an error is a mistake in the command line.
func isUsage(err error) bool {
	return errors.As(err, &UsageError{}) || errors.Is(err, app.ErrNoDisplay) && !app.HasWindow
}

// onOneLine prints an error with each argument on one line, as the name of a file may have several.
func onOneLine(text string, args []string) string {
	for _, arg := range args {
		_, value, _ := strings.Cut(arg, "=")
		for _, said := range []string{arg, value, filepath.Dir(value), filepath.Dir(arg)} {
			if line := escape.Line(said); line != said {
				text = strings.ReplaceAll(text, said, line)
			}
		}
	}
	return text
}

// hintFor gives advice on an error, unless the error has it already.
func hintFor(err error) string {
	switch {
	case errors.Is(err, app.ErrNoDisplay) && app.HasWindow:
		return "A window needs a display. Without one: `framescope report FILE` prints the measurements, `framescope " +
			"render FILE --panel timeline` makes a picture,\n" +
			"`framescope report --live` listens to games, and `framescope demo` records the built-in game."
	case errors.As(err, &UsageError{}):
		return "`framescope --help` lists the commands, `framescope COMMAND --help` explains one."
	}
	return ""
}

// meant adds a command with a similar name to the error of a missing file.
func meant(cmd *cobra.Command, args []string, err error) error {
	if len(args) == 0 || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// letters
	for cmd.SuggestionsMinimumDistance = 1; cmd.SuggestionsMinimumDistance <= 2; cmd.SuggestionsMinimumDistance++ {
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			command := strings.Join(append(near[:1:1], args[1:]...), " ")
			return fmt.Errorf("%w. Did you mean `%s %s`?", err, cmd.CommandPath(), command)
		}
	}
	return err
}

// Root returns the command line as a tree, for its documentation.
func Root(stdout, stderr io.Writer) *cobra.Command {
	return rootCommand(&Streams{Out: NewOutput(stdout), Err: stderr})
}

func rootCommand(s *Streams) *cobra.Command {
	var o app.Options
	var to RecordTo
	var version bool
	root := &cobra.Command{
		Use:   "framescope [FILE…]",
		Short: "See where the frames of a game spend their time",
		Long: `Framescope shows where the time of a game's frames goes. It receives frames from the running game or
opens recordings, and draws them as a timeline, flame graph, strip charts and piano roll.

Without a command, it opens its window and the named files, and listens for PStats clients: Panda3D
games, and Go games with the package framescope/net/pstats/client. Other sources have commands:

  open --follow      files that are still being written
  listen profilelib  streams of profile_lib
  gst                GStreamer programs
  attach, connect    Java VMs; connect also games with Tracy, Go and Rust programs

Framescope keeps every live session on disk: ` + "`framescope sessions`" + ` lists them.

` + RecordHelp,
		Example: `  framescope                          listen for games on this machine
  framescope --listen 0.0.0.0:5185    listen for games on other machines, too
  framescope session.pstats           open a recording
  framescope --record run.pstats      record what games send to run.pstats, run-2.pstats, …
  framescope demo                     see it work without a game
  framescope open trace.log --follow  show a log while it is being written
  framescope gst -- gst-launch-1.0 videotestsrc ! fakesink
                                      start a GStreamer program and show its pipeline
  framescope attach                   list the Java VMs that can be watched
  framescope sessions                 list what was kept of live sessions`,
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return s.version()
			}
			args, at, err := cutLinks(args)
			if err != nil {
				return err
			}
			to.Inputs = s.InputsOf(args)
			if err := to.Check(); err != nil {
				return err
			}
			record(&to, &o)
			return meant(cmd, args, s.window(o, args, at, false, load.Sources{}))
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return Usage(FlagError(err)) })
	root.AddCommand(whyCommand(s))
	root.PersistentFlags().StringVar(&s.Profile, "profile", "",
		"profile Framescope itself: cpu, mem, block, mutex or trace")
	root.PersistentFlags().Var(checked(&s.Memory, settings.ParseBytes), "memory",
		"memory limit for session data, such as 512MiB. Above it the oldest frames leave "+
			"memory, and commands that need a whole recording fail (default: half of the machine's memory for such "+
			"commands, else the "+
			"setting, or 2GiB)")
	root.PersistentFlags().Var(checked(&s.Disk, ParseDisk), "disk",
		"disk space for all sessions; 0 keeps none (default: the setting, or 20GiB)")
	root.PersistentFlags().BoolVar(&s.Strict, "strict", false,
		"exit with status 1 also for recordings from which their recorder or a limit "+
			"left something out (default: a warning)")
	addrVar(root.Flags(), &o.Listen, "listen", DefaultListen,
		"HOST:PORT to listen on for PStats clients; empty: do not listen")
	root.Flags().BoolVarP(&version, "version", "v", false, "version for framescope") // cobra's own needs a template
	to.Flags(root.Flags())
	budgetsFlag(root.Flags(), &o.Budgets)
	root.AddCommand(
		openCommand(s), listenCommand(s), gstCommand(s), connectCommand(s), attachCommand(s), serveCommand(s), demoCommand(s),
		reportCommand(s), sqlCommand(s), saveCommand(s), togetherCommand(s), exportCommand(s), RecordCommand(s),
		DiffCommand(s), benchCommand(s),
		CheckCommand(s),
		renderCommand(s), sessionsCommand(s), versionCommand(s), mcpCommand(s),
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Example = "  framescope help report"
		help.Args = func(_ *cobra.Command, args []string) error {
			if _, unknown, _ := root.Find(args); len(unknown) > 0 {
				return Usage(fmt.Errorf("help: there is no command %q", strings.Join(args, " ")))
			}
			return nil
		}
	}
	Once(root)
	return root
}
