package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"framescope/app"
	"framescope/app/headless"
	"framescope/app/layout"
	"framescope/app/load"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/model/compare"
	"framescope/model/place"
)

// renderFlags are the flags of render.
type renderFlags struct {
	o                 headless.PictureOptions
	workspace, output string
	sources           load.Sources
	of                [2]place.TimeRange // A and B
}

func renderCommand(s *Streams) *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render FILE [--panel NAME | --workspace NAME] | render A B [--panel NAME]",
		Short: "Draw a panel, or the whole window, as PNG or SVG without a display",
		Long: `render draws one panel of a recording, as high as its contents unless --size is given. It writes SVG
if the name of the output ends in .svg, else PNG:

` + headless.PanelHelp() + `
Panels that compare two recordings, or two ranges of one (--range-a, --range-b), like ` + "`framescope diff`" + `:

` + headless.ComparedHelp() + `
--workspace draws the whole window: ` + strings.ToLower(strings.Join(app.Workspaces(), ", ")) + `.
Without --panel and --workspace, render draws the window as it opens with the recordings.

` + place.RangeHelp,
		Example: `  framescope render session.pstats --panel timeline --range 120:124 -o slow.png
  framescope render session.pstats --workspace game --frame 5431 --size 1920x1080
  framescope render session.pstats --workspace game --theme light --scale 1.5 -o light.png
  framescope render session.pstats --panel flame --range 1.5s:2.5s --theme contrast -o flame.svg
  framescope render session.pstats --panel strip --collector App --thread Main --theme light
  framescope render trace.log --panel series --group 'CPU load' --range 1s:4s
  framescope render trace.log.gz --workspace pipeline
  framescope render before.pstats after.pstats --panel diffflame -o diff.svg
  framescope render session.pstats --panel timelines --range-a 120 --range-b 121
  framescope render before.pstats after.pstats --workspace compare`,
		Args: Between(1, 2, "render: name one recording, or two that are compared"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, thread, err := cutRange(args[0], &f.o.Range, cmd.Flags().Changed, "frame", "range")
			if err != nil {
				return err
			}
			f.o.Thread = cmp.Or(thread, f.o.Thread)
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			names := append([]string{name}, args[1:]...)
			if len(names) == 2 && f.o.Panel == "" {
				f.workspace = cmp.Or(f.workspace, layout.Compare)
			}
			if err := f.checkCompared(cmd.Flags(), names); err != nil {
				return err
			}
			if f.output == "" {
				f.output = f.nameFor(names[len(names)-1])
			}
			if err := s.Distinct(f.output, names); err != nil {
				return err
			}
			return s.Profiled(func() error { return f.render(cmd.Context(), s, names) })
		},
	}
	l := cmd.Flags()
	panels := append(headless.Panels(), headless.ComparedPanels()...)
	textVar(l, &f.o.Panel, "panel", "", "panel to draw: "+strings.Join(panels, ", "), func(text string) (string, error) {
		if text != "" && !slices.Contains(panels, text) {
			return "", fmt.Errorf("no panel %q; choose one of: %s", text, strings.Join(panels, ", "))
		}
		return text, nil
	})
	l.StringVar(&f.workspace, "workspace", "",
		"draw the whole window with this workspace: "+strings.ToLower(strings.Join(app.Workspaces(), ", ")))
	rangeVar(l, &f.of[0], "range-a", "A:B, range of the first side of a comparison (default: everything)")
	rangeVar(l, &f.of[1], "range-b", "A:B, range of the second side (default: everything)")
	rangeVar(l, &f.o.Range, "range", "A:B, range to show; numbers are frames of --thread (default: everything)")
	textVar(l, &f.o.Range, "frame", "", "frame to show, instead of --range; negative: from the end", parseFrame)
	size := func(text string) (err error) {
		if text == "" {
			return nil
		}
		f.o.Width, f.o.Height, err = parseSize(text)
		return err
	}
	l.Var(&parsed{kind: "string", read: size}, "size",
		"WIDTHxHEIGHT of the picture in pixels (default: 1280 wide and as high as what "+
			"the panel shows; of a window 1920x1080)")
	l.StringVar(&f.o.Thread, "thread", "",
		"thread of the frames or messages: (part of) its name, a glob, or its number (default: the main thread)")
	l.StringVar(&f.o.Group, "group", "", "with series: group to show (default: the most useful one)")
	l.StringVar(&f.o.Collector, "collector", "", "with strip, levels and flame: full name of the collector to show")
	l.Float64Var(&f.o.Scale, "scale", 1, "size of text and lines")
	l.StringVar(&f.o.Theme, "theme", assets.DarkTheme.String(), "colors: "+strings.Join(assets.ThemeNames(),
		", ")+" (or contrast)")
	SourceFlags(l, &f.sources)
	l.StringVarP(&f.output, "output", "o", "",
		"output file, - for standard output (default: FILE-PANEL.png, FILE-WORKSPACE.png or FILE-window.png)")
	l.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(format.Pick(name == "chart", "panel", name)) // its name before
	})
	return cmd
}

// check parses and checks the flags, before anything is opened.
func (f *renderFlags) check(flags *pflag.FlagSet) error {
	switch {
	case f.o.Panel != "" && f.workspace != "":
		return Usage(errors.New("give --panel for one panel, or --workspace for the whole window, not both"))
	case flags.Changed("frame") && flags.Changed("range"):
		return Usage(errors.New("give --frame for one frame, or --range for several, not both"))
	}
	if f.o.Panel == "" {
		known := func(name string) bool { return strings.EqualFold(name, f.workspace) }
		if f.workspace != "" && !slices.ContainsFunc(app.Workspaces(), known) {
			return Usage(fmt.Errorf("--workspace %s: unknown workspace; choose one of %s", f.workspace,
				strings.ToLower(strings.Join(app.Workspaces(), ", "))))
		}
		for _, only := range [...]string{"group", "collector"} {
			if flags.Changed(only) {
				return Usage(fmt.Errorf("--%s needs a panel: name one with --panel", only))
			}
		}
	}
	if !(f.o.Scale >= headless.MinScale && f.o.Scale <= headless.MaxScale) {
		return Usage(fmt.Errorf("--scale %v: give %v to %v", f.o.Scale, headless.MinScale, headless.MaxScale))
	}
	if f.o.Theme == "contrast" {
		f.o.Theme = assets.HighContrastTheme.String()
	}
	if !slices.Contains(assets.ThemeNames(), f.o.Theme) {
		return Usage(fmt.Errorf("--theme %s: unknown theme; choose one of %s", f.o.Theme, strings.Join(assets.ThemeNames(),
			", ")))
	}
	return nil
}

// nameFor returns the name of the picture of a recording, in this folder.
func (f *renderFlags) nameFor(path string) string {
	base := filepath.Base(path)
	if base == "-" {
		base = "stdin"
	}
	base = strings.TrimSuffix(base, ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base)) + "-" + strings.ToLower(cmp.Or(f.o.Panel+f.workspace, "window")) +
		".png"
}

// format returns the end of names of the kind of picture that is to be written.
func (f *renderFlags) format() string {
	if strings.EqualFold(filepath.Ext(f.output), ".svg") {
		return ".svg"
	}
	return ".png"
}

// render draws and writes the picture.
func (f *renderFlags) render(ctx context.Context, s *Streams, paths []string) error {
	p, err := f.draw(ctx, s, paths)
	if err != nil {
		return err
	}
	err = s.ToFile(f.output, func(out io.Writer) error {
		w := bufio.NewWriterSize(out, 1<<16)
		return cmp.Or(p.Write(w, f.format()), w.Flush())
	})
	if err == nil && !aside.IsOut(f.output) {
		fmt.Fprintf(s.Err, "wrote %s (%vx%v)\n", escape.Line(f.output), p.Seen.W(), p.Seen.H())
	}
	return err
}

// ofTwo reports whether the picture is a panel of comparisons.
func (f *renderFlags) ofTwo() bool { return slices.Contains(headless.ComparedPanels(), f.o.Panel) }

// checkCompared parses and checks the flags on two sides.
func (f *renderFlags) checkCompared(flags *pflag.FlagSet, names []string) error {
	two := f.ofTwo() || len(names) == 2 && strings.EqualFold(f.workspace, layout.Compare)
	ranges := flags.Changed("range-a") || flags.Changed("range-b")
	switch {
	case len(names) == 2 && !two:
		return Usage(fmt.Errorf("render: two recordings need a comparison: --workspace compare, or --panel %s",
			strings.Join(headless.ComparedPanels(), ", ")))
	case ranges && !f.ofTwo():
		return Usage(fmt.Errorf("--range-a and --range-b need a panel for comparisons: %s",
			strings.Join(headless.ComparedPanels(), ", ")))
	case f.ofTwo() && len(names) == 1 && !ranges:
		return Usage(fmt.Errorf("--panel %s: name two recordings, or the ranges of one with --range-a and --range-b",
			f.o.Panel))
	case len(names) == 2 && names[0] == "-" && names[1] == "-":
		return Usage(errors.New("standard input (-) can be read only once"))
	}
	if two {
		for _, only := range [...]string{"range", "frame", "thread", "group", "collector"} {
			if flags.Changed(only) || only == "range" && !f.o.Range.All() {
				return Usage(fmt.Errorf("--%s needs a single recording; for comparisons use --range-a and --range-b", only))
			}
		}
	}
	return nil
}

// drawCompared draws a panel of two sides.
func (f *renderFlags) drawCompared(ctx context.Context, s *Streams, paths []string) (*draw.Picture, error) {
	var sides [2]compare.Side
	var names [2]string
	var rec *load.Recording
	for i := range sides {
		var err error
		if i < len(paths) {
			if rec, err = s.Load(ctx, paths[i], load.Options{Sources: f.sources}); err != nil {
				return nil, err
			}
		}
		path := paths[min(i, len(paths)-1)]
		names[i] = filepath.Base(path)
		if sides[i], err = place.Side(rec.Session, f.of[i], nil); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return headless.Compared(sides, names, f.o)
}

func (f *renderFlags) draw(ctx context.Context, s *Streams, paths []string) (*draw.Picture, error) {
	path := paths[len(paths)-1]
	if f.ofTwo() {
		return f.drawCompared(ctx, s, paths)
	}
	if f.o.Panel != "" {
		rec, err := s.Load(ctx, path, load.Options{Sources: f.sources})
		if err != nil {
			return nil, err
		}
		return headless.Picture(rec.Session, f.o)
	}
	limit := s.MemoryLimit()
	reg, err := load.Options{Sources: f.sources}.Registry()
	if err != nil {
		return nil, Usage(err)
	}
	var files []string
	for _, path := range paths {
		in, err := s.Whole(ctx, path, reg)
		if err != nil {
			return nil, err
		}
		defer in.Remove()
		if _, err := s.LoadWhole(ctx, in, load.Options{Sources: f.sources}); err != nil { // reports unreadable data
			return nil, err
		}
		files = append(files, in.Path)
	}
	before := ""
	if len(files) == 2 {
		before = files[0]
	}
	p, warnings, err := app.Photo(app.PhotoOptions{
		File: files[len(files)-1], Before: before, Sources: f.sources, MemoryLimit: limit, Width: cmp.Or(f.o.Width, 1920),
		Height: cmp.Or(f.o.Height, 1080), Scale: f.o.Scale, Theme: f.o.Theme, Workspace: f.workspace, Thread: f.o.Thread,
		Range: f.o.Range,
	})
	for _, w := range warnings {
		s.Warn("%s", escape.Line(w))
	}
	return p, err
}
