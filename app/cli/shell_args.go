package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"framescope/app/load"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/find"
)

// Exactly and the like are cobra's checks of arguments, with our kind of error.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			_, path, _ := strings.Cut(cmd.CommandPath(), " ") // the program's name stands before every error
			return Usage(fmt.Errorf("%s: %s", path, what))
		}
		return nil
	}
}

// Many is an unreachable number of arguments.
const Many = math.MaxInt

// Between is Exactly for commands that take more or fewer, with the whole message.
func Between(least, most int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if n := len(args); n < least || n > most {
			return Usage(errors.New(what))
		}
		return nil
	}
}

// LayoutFlag adds the flag that says how profile_lib streams are laid out.
func LayoutFlag(f *pflag.FlagSet, o *load.Sources) {
	f.StringVar(&o.Layout, "layout", "", "layout of a profile_lib stream: v1, v2, v3-72 or v4 (default: detected)")
}

// SourceFlags adds the flags that say how recordings are to be read.
func SourceFlags(f *pflag.FlagSet, o *load.Sources) {
	LayoutFlag(f, o)
	f.StringVar((*string)(&o.Frames), "frames", "",
		"name of the spans that are frames, in Chrome and Perfetto traces, Spall "+
			"recordings, Firefox profiles and Go execution traces; none: no frames (default: detected)")
	f.StringVar(&o.Label, "label", "", "label that divides the samples of a pprof profile into threads")
	f.StringVar(&o.Time, "time", "", "time column of a table of frame times (CSV): name, or number if there is no "+
		"header (default: detected)")
	f.StringVar(&o.FrameTime, "frame-time", "", "frame time column of a table of frame times (CSV) (default: detected)")
}

// TreatFlags adds the flags that say what waits and what works, and what is a hitch.
func TreatFlags(f *pflag.FlagSet, o *load.Sources) {
	f.StringArrayVar(&o.Treat.Wait, "wait", nil,
		"treat these collectors as waits: a name, or a pattern such as *Sync*; repeatable")
	f.StringArrayVar(&o.Treat.Work, "work", nil, "treat these collectors as work; repeatable")
	positiveVar(f, &o.Treat.Factor, "factor",
		fmt.Sprintf("a frame that takes this many times as long as those around it is a "+
			"hitch (default: %v)", model.DefaultFactor))
	positiveVar(f, &o.Treat.Refresh, "refresh",
		"refresh rate of the screen in Hz: a frame that misses a refresh is a hitch if those around it do not")
}

// parseWhere parses the expression of --where. The error for an unknown key names the nearest one.
func (s *Streams) parseWhere(text string) (*find.Expr, error) {
	e, err := find.Parse(text)
	bad, ok := errors.AsType[*find.Error](err)
	switch {
	case ok:
		lines := strings.ReplaceAll(bad.Caret(text), "\n", "\n  ")
		return nil, fmt.Errorf("%s\n  %s", escape.Line(bad.Reason), lines)
	case e.Empty():
		return nil, errors.New("the expression is empty")
	}
	if unknown := e.Unknown(); unknown != "" {
		s.Warn("--where: %s", escape.Line(unknown))
	}
	return e, err
}
