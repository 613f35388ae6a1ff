package cli

import (
	"bufio"
	"errors"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"framescope/app/headless"
	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/assets"
)

func renderCommand(s *streams) *cobra.Command {
	var o headless.PictureOptions
	var rng, size, output string
	var sources load.Sources
	cmd := &cobra.Command{
		Use:   "render FILE --chart NAME",
		Short: "Draw a chart of a recording as a PNG, without a display",
		Long: `render draws one chart of a recording in software:

` + headless.ChartHelp() + `
` + timerange.Help,
		Example: `  framescope render session.pstats --chart timeline --range 120:124 -o slow.png
  framescope render session.pstats --chart flame --range 1.5s:2.5s --size 1920x1080
  framescope render session.pstats --chart strip --collector App --thread Main --theme light
  framescope render trace.log --chart series --group 'CPU load' --range 1s:4s
  framescope render trace.log.gz --chart topology`,
		Args: exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Chart == "" {
				return usageError{errors.New("--chart is missing: one of " + strings.Join(headless.Charts(), ", "))}
			}
			if o.Range, err = timerange.Parse(rng); err != nil {
				return usageError{fmt.Errorf("--range: %w", err)}
			}
			if !(o.Scale >= headless.MinScale && o.Scale <= headless.MaxScale) {
				return usageError{fmt.Errorf("--scale %v: give %v to %v", o.Scale, headless.MinScale, headless.MaxScale)}
			}
			if !slices.Contains(assets.ThemeNames(), o.Theme) {
				return usageError{fmt.Errorf("--theme %s: one of %s", o.Theme, strings.Join(assets.ThemeNames(), ", "))}
			}
			if size != "" {
				if o.Width, o.Height, err = parseSize(size); err != nil {
					return err
				}
			}
			if output == "" {
				base := filepath.Base(args[0])
				if base == "-" {
					base = "stdin"
				}
				base = strings.TrimSuffix(base, ".gz")
				output = strings.TrimSuffix(base, filepath.Ext(base)) + "-" + o.Chart + ".png"
			}
			if err := s.distinct(output, args); err != nil {
				return err
			}
			return s.profiled(func() error {
				rec, err := s.load(cmd.Context(), args[0], load.Options{Sources: sources})
				if err != nil {
					return err
				}
				img, err := headless.Picture(rec.Session, o)
				if err != nil {
					return err
				}
				err = s.toFile(output, func(out io.Writer) error {
					w := bufio.NewWriterSize(out, 1<<16)
					return errors.Join(png.Encode(w, img), w.Flush())
				})
				if err == nil && output != "-" {
					fmt.Fprintf(s.err, "wrote %s (%dx%d)\n", output, img.Rect.Dx(), img.Rect.Dy())
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Chart, "chart", "", "the chart: "+strings.Join(headless.Charts(), ", "))
	f.StringVar(&rng, "range", "", "A:B, frames or times to show (default: everything)")
	f.StringVar(&size, "size", "", "WIDTHxHEIGHT of the picture in pixels (default: what suits the chart, 1280x720 for most)")
	f.StringVar(&o.Thread, "thread", "", "name or index of the thread whose frames, or messages, are shown (default: the main one)")
	f.StringVar(&o.Group, "group", "", "group of series that series shows (default: the one that one looks at first)")
	f.StringVar(&o.Collector, "collector", "", "full name of the collector that strip, levels and flame look into")
	f.Float64Var(&o.Scale, "scale", 1, "size of text and lines")
	f.StringVar(&o.Theme, "theme", assets.DarkTheme.String(), "colours: "+strings.Join(assets.ThemeNames(), ", "))
	layoutFlag(f, &sources)
	f.StringVarP(&output, "output", "o", "", "file to write, - for standard output (default: FILE-CHART.png here)")
	return cmd
}
