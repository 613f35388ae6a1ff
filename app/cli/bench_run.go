// Benchmarks of Framescope on this machine, in the field's units, and as a share of the machine's
// limits: reading the bytes of PStats frames (wire), and copying memory. They make their own data; each
// step runs several times. They depend on the measured parts, and on no command.

package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Options select the measurements.
type Options struct {
	// Runs is how often each figure is measured.
	Runs int
	// Spans is how large the file is that is opened.
	Spans int64
	// Only selects figures with one of these in their names; nil: all are measured.
	Only []string
	// Program is the executable that opens files, this program.
	Program string
	// Folder is where the file is made that is opened, and deleted again.
	Folder string
	// Report is called with the name of the next measurement; it may be nil.
	Report func(name string)
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

// Median returns the median of the runs, the upper one of an even number.
func (f *Figure) Median() float64 { return median(f.Runs) }

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// Result is the figures, and their machine.
type Result struct {
	System  string   `json:"system"`
	Cores   int      `json:"cores"`
	Go      string   `json:"go"`
	Figures []Figure `json:"figures"`
}

// step measures a figure, or several that are made together.
type step struct {
	name    string
	figures []Figure // without runs
	prepare prepared
}

// prepared sets up a measurement. It returns a function that measures once, with a value for each
// figure, and a clean-up function, which may be nil.
type prepared func(ctx context.Context, o *Options) (measure func() ([]float64, error), done func(), err error)

// Run measures.
func Run(ctx context.Context, o Options) (*Result, error) {
	r := &Result{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	var wire []float64 // ns a span
	for _, s := range steps() {
		if !o.wants(s.name) && s.name != wireName {
			continue
		}
		if o.Report != nil {
			o.Report(s.name)
		}
		figures, err := s.run(ctx, &o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		for i := range figures {
			f := &figures[i]
			if s.name == wireName {
				wire = f.Runs
			}
			if f.Unit == nsSpan {
				f.OfWire = median(wire) / f.Median()
			}
		}
		r.Figures = append(r.Figures, figures...)
	}
	return r, nil
}

// wants reports whether a step is selected.
func (o *Options) wants(name string) bool {
	return o.Only == nil || slices.ContainsFunc(o.Only, func(part string) bool {
		return strings.Contains(strings.ToLower(name), strings.ToLower(part))
	})
}

func (s *step) run(ctx context.Context, o *Options) ([]Figure, error) {
	measure, done, err := s.prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	if done != nil {
		defer done()
	}
	figures := slices.Clone(s.figures)
	for range max(o.Runs, 1) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		runtime.GC()
		values, err := measure()
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			figures[i].Runs = append(figures[i].Runs, v)
		}
	}
	return figures, nil
}

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

// benchOnce is a step of a single figure.
func benchOnce(name, unit, goal string, prepare func(ctx context.Context) (func() (float64, error), error)) step {
	figure := Figure{Name: name, Unit: unit, Goal: goal}
	return step{name, []Figure{figure}, func(ctx context.Context, _ *Options) (func() ([]float64, error), func(), error) {
		f, err := prepare(ctx)
		return func() ([]float64, error) {
			v, err := f()
			return []float64{v}, err
		}, nil, err
	}}
}

// timed is a step that calls something that takes a while, over and over.
func timed(name, unit, goal string, as func(time.Duration) float64, prepare func(ctx context.Context) (func(), error)) step {
	return benchOnce(name, unit, goal, func(ctx context.Context) (func() (float64, error), error) {
		f, err := prepare(ctx)
		return func() (float64, error) { return as(perCall(f)), nil }, err
	})
}

// WriteText writes the result as a table.
func (r *Result) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s, %d processors, %s\n\n", r.System, r.Cores, r.Go)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "figure\tunit\truns\t× wire\tgoal")
	for i := range r.Figures {
		f := &r.Figures[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", f.Name, f.Unit, f.runs(), f.share(), f.Goal)
	}
	return t.Flush()
}

// WriteMarkdown writes the result as a table of markdown.
func (r *Result) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d processors, %s\n\n| figure | unit | runs | × wire | goal |\n|---|---|---|---|---|\n", r.System, r.Cores, r.Go)
	for i := range r.Figures {
		f := &r.Figures[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.Name, f.Unit, f.runs(), f.share(), f.Goal)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// runs returns the values with three digits.
func (f *Figure) runs() string {
	var list []string
	for _, v := range f.Runs {
		switch {
		case v >= 100:
			list = append(list, fmt.Sprintf("%.0f", v))
		case v >= 10:
			list = append(list, fmt.Sprintf("%.1f", v))
		default:
			list = append(list, fmt.Sprintf("%.2f", v))
		}
	}
	return strings.Join(list, ", ")
}

func (f *Figure) share() string {
	if f.OfWire == 0 {
		return ""
	}
	return fmt.Sprintf("× %.3f", f.OfWire)
}

// Known reports whether each of the names is part of a figure's name.
func Known(names []string) bool {
	return !slices.ContainsFunc(names, func(part string) bool {
		o := Options{Only: []string{part}}
		return !slices.ContainsFunc(steps(), func(s step) bool { return o.wants(s.name) })
	})
}

// Names lists the figures.
func Names() string {
	var list []string
	for _, s := range steps() {
		list = append(list, s.name)
	}
	return strings.Join(list, "; ")
}

// copySize is larger than the processor's caches.
const copySize = 256 << 20

// copying measures how fast one core copies memory.
func copying() step {
	return benchOnce("memory, copied", "GB/s", "", func(context.Context) (func() (float64, error), error) {
		from, to := make([]byte, copySize), make([]byte, copySize)
		for i := range from {
			from[i] = byte(i)
		}
		return func() (float64, error) { return copySize / ns(perCall(func() { copy(to, from) })), nil }, nil
	})
}

// reading measures how fast one core reads memory.
func reading() step {
	return benchOnce("memory, read", "GB/s", "", func(context.Context) (func() (float64, error), error) {
		words := make([]uint64, copySize/8)
		for i := range words {
			words[i] = uint64(i)
		}
		return func() (float64, error) {
			var sum uint64
			took := perCall(func() {
				for i := 0; i+3 < len(words); i += 4 {
					sum += words[i] + words[i+1] + words[i+2] + words[i+3]
				}
			})
			runtime.KeepAlive(sum)
			return copySize / ns(took), nil
		}, nil
	})
}
