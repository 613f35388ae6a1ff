// Benchmarks of Framescope on this machine, in the field's units, and as a share of the machine's
// limits: reading the bytes of PStats frames (wire), and copying memory. They make their own data; each
// runs several times. They depend on the measured parts.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"framescope/internal/escape"
)

// bench holds the measurements and their options.
type bench struct {
	ctx   context.Context
	runs  int       // of each figure
	spans int64     // of the file that is opened
	only  []string  // parts of the names of the selected figures; none: all are measured
	said  io.Writer // gets the name of the next measurement
	after func()    // cleans up after a measurement; nil: there is nothing to do
}

// Figure is something that was measured.
type Figure struct {
	Name string    `json:"name"`
	Unit string    `json:"unit"`
	Runs []float64 `json:"runs"`
	// OfWire is the rate as a share of that of wire in the same run, the median; 0 if it has none.
	OfWire float64 `json:"of_wire,omitempty"`
	// Goal is the target, in words.
	Goal string `json:"goal,omitempty"`
}

// benchResult is the figures, and their machine.
type benchResult struct {
	System  string   `json:"system"`
	Cores   int      `json:"cores"`
	Go      string   `json:"go"`
	Figures []Figure `json:"figures"`
}

// measurement measures a figure, or several that are made together.
type measurement struct {
	name    string
	figures []Figure // without runs
	// prepare returns a function that measures once: a value for each figure.
	prepare func(b *bench) (func() ([]float64, error), error)
}

func benchCommand(s *Streams) *cobra.Command {
	b := bench{said: s.Err}
	var asJSON, asMarkdown bool
	var output string
	cmd := &cobra.Command{
		Use:   "bench [NAME…]",
		Short: "Measure how fast Framescope is on this machine",
		Long: `bench measures decoding, opening, drawing and searching on this machine, with generated data. It
compares each figure with what the machine can do at most: reading the bytes of PStats frames on one
core ("wire") and copying memory. It measures each figure several times and prints every time; the
share of wire compares the medians.

NAME selects the figures whose name contains it. Close other programs first; bench also measures how
much processor time they take. It needs about 4 GiB of memory, seven minutes, and room for the
recording that it opens, in the folder for temporary files: 920 MiB for 80 million spans. It deletes
the recording.`,
		Example: `  framescope bench
  framescope bench open --spans 80000000 --runs 3
  framescope bench timeline locks --markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case b.runs < 1 || b.runs > 100:
				return Usage(fmt.Errorf("--runs %d: give 1 to 100", b.runs))
			case b.spans < 1_000_000 || b.spans > 1_000_000_000:
				return Usage(fmt.Errorf("--spans %d: give 1,000,000 to 1,000,000,000", b.spans))
			case asJSON && asMarkdown:
				return Usage(errors.New("--json and --markdown: give one of them"))
			}
			b.ctx, b.only = cmd.Context(), args
			if err := b.check(); err != nil {
				return err
			}
			return s.Profiled(func() error {
				r, err := b.measure()
				if err != nil {
					return err
				}
				return s.ToFile(output, func(out io.Writer) error {
					if asJSON {
						return escape.WriteJSON(out, r)
					}
					return r.write(out, asMarkdown)
				})
			})
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&b.runs, "runs", 3, "measurements of each figure")
	fl.Int64Var(&b.spans, "spans", 15_000_000, "spans of the recording to open")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	fl.BoolVar(&asMarkdown, "markdown", false, "print Markdown")
	fl.StringVarP(&output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// check returns an error for a name that is part of no figure's.
func (b *bench) check() error {
	var names []string
	for _, m := range measurements {
		names = append(names, m.name)
	}
	for _, part := range b.only {
		if !slices.ContainsFunc(names, func(name string) bool { return selects(part, name) }) {
			return Usage(fmt.Errorf("bench: no figure has this name; choose from: %s", strings.Join(names, "; ")))
		}
	}
	return nil
}

// selects reports whether a part of a name selects a figure.
func selects(part, name string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}

// measure measures all that is selected, and wire.
func (b *bench) measure() (*benchResult, error) {
	r := &benchResult{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	wire := 0.0
	for _, m := range measurements {
		selected := func(part string) bool { return selects(part, m.name) }
		if m.name != wireName && len(b.only) > 0 && !slices.ContainsFunc(b.only, selected) {
			continue
		}
		fmt.Fprintln(b.said, "measuring", m.name)
		figures, err := b.run(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if m.name == wireName {
			wire = figures[0].median()
		}
		for i := range figures {
			if f := &figures[i]; f.Unit == nsSpan {
				f.OfWire = wire / f.median()
			}
		}
		r.Figures = append(r.Figures, figures...)
	}
	return r, nil
}

func (b *bench) run(m measurement) ([]Figure, error) {
	b.after = nil
	once, err := m.prepare(b)
	if b.after != nil {
		defer b.after()
	}
	figures := slices.Clone(m.figures)
	for i := 0; i < b.runs && err == nil; i++ {
		if err = b.ctx.Err(); err != nil {
			break
		}
		runtime.GC()
		var values []float64
		values, err = once()
		for k, v := range values {
			figures[k].Runs = append(figures[k].Runs, v)
		}
	}
	return figures, err
}

// median returns the median of the runs, the upper one of an even number.
func (f *Figure) median() float64 { return slices.Sorted(slices.Values(f.Runs))[len(f.Runs)/2] }

// leastMeasured is how long perCall goes on.
var leastMeasured = 300 * time.Millisecond

// perCall calls f for about a third of a second, after a first call that is not counted, and returns
// how long a call takes.
func perCall(f func()) time.Duration {
	f()
	begin := time.Now()
	for n := 1; ; n++ {
		f()
		if took := time.Since(begin); took >= leastMeasured {
			return took / time.Duration(n)
		}
	}
}

// ms and ns are durations as figures have them.
func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }
func ns(d time.Duration) float64 { return d.Seconds() * 1e9 }

// write writes the result as a table, of text or of markdown.
func (r *benchResult) write(w io.Writer, markdown bool) error {
	rows := [][]string{{"figure", "unit", "runs", "× wire", "goal"}}
	for i := range r.Figures {
		f := &r.Figures[i]
		share := ""
		if f.OfWire > 0 {
			share = fmt.Sprintf("× %.3f", f.OfWire)
		}
		rows = append(rows, []string{f.Name, f.Unit, f.texts(), share, f.Goal})
	}
	if markdown {
		rows = slices.Insert(rows, 1, strings.Split("---|---|---|---|---", "|"))
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d processors, %s\n\n", r.System, r.Cores, r.Go)
	for _, row := range rows {
		text := strings.Join(row, "\t")
		if markdown {
			text = escape.MarkdownRow(row...)
		}
		fmt.Fprintln(t, text)
	}
	return t.Flush()
}

// texts returns the runs with three digits.
func (f *Figure) texts() string {
	var list []string
	for _, v := range f.Runs {
		digits := 2
		for limit := v; limit >= 10 && digits > 0; limit /= 10 {
			digits--
		}
		list = append(list, fmt.Sprintf("%.*f", digits, v))
	}
	return strings.Join(list, ", ")
}
