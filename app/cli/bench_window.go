package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/sessions"
	"framescope/internal/aside"
	"framescope/net/pstats/gen"
)

// Sizes of the measurements of the window.
var (
	watched = 3 * time.Second // how long ticks are timed
	many    = 50_000          // threads of the Chrome trace; the folded file has six times as many stacks
)

// inWindow opens a window of 1920 x 1080 pixels, measures in it, and closes it.
func inWindow(o sessions.Options, measured func(r *app.Rehearsal) []float64) ([]float64, error) {
	r, err := app.Rehearse(o, 1920, 1080)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return measured(r), nil
}

// watch runs a window for the time of watched, and returns its ticks.
func watch(r *app.Rehearsal) []app.Ticked { return r.Run(time.Now().Add(watched)) }

// tickFigures are the figures of a run of ticks: median, p99 and longest.
func tickFigures(name, p99, most string) []Figure {
	return []Figure{
		{Name: name + ", tick, median", Unit: "ms"}, {Name: name + ", tick, p99", Unit: "ms", Goal: p99},
		{Name: name + ", tick, longest", Unit: "ms", Goal: most},
	}
}

// tickValues returns the values of tickFigures. It sorts the ticks; there must be one.
func tickValues(ticks []app.Ticked) []float64 {
	slices.SortFunc(ticks, func(a, b app.Ticked) int { return cmp.Compare(a.Took, b.Took) })
	n := len(ticks)
	return []float64{ms(ticks[n/2].Took), ms(ticks[n*99/100].Took), ms(ticks[n-1].Took)}
}

// windowOpens measures how long the window takes to open a file, and how long report takes.
func windowOpens(b *bench) (func() ([]float64, error), error) {
	path, err := b.recording()
	return func() ([]float64, error) {
		open, err := runProgram(b.ctx, "report", "--range", "1:1", path)
		if err != nil {
			return nil, err
		}
		return inWindow(sessions.Options{Files: []string{path}}, func(r *app.Rehearsal) []float64 {
			ticks := r.Run(time.Time{})
			all := ticks[len(ticks)-1].Shown
			first := slices.IndexFunc(ticks, func(t app.Ticked) bool { return t.Spans })
			values := []float64{all.Seconds(), all.Seconds() / open.wall.Seconds(), ticks[max(first, 0)].Shown.Seconds()}
			return append(values, tickValues(ticks)...)
		})
	}, err
}

// recording generates a recording to open. It is gone after the measurement.
func (b *bench) recording() (path string, err error) {
	if path, err = b.file("bench.pstats"); err == nil {
		_, err = runProgram(b.ctx, "demo", "--spans", strconv.FormatInt(b.spans, 10), "--tracks", "8", "--depth", "10",
			"--seed", "1", "-o", path)
	}
	return path, err
}

// file returns the path of a file that is gone after the measurement.
func (b *bench) file(name string) (path string, err error) {
	dir, err := aside.Dir()
	b.after = func() { os.RemoveAll(dir) }
	return filepath.Join(dir, name), err
}

// windowLive measures the ticks of a window that shows a game of rate spans a second.
func windowLive(name string, rate int, p99, most string) measurement {
	const hz, tracks = 60, 4
	return measurement{name, tickFigures(name, p99, most), func(b *bench) (func() ([]float64, error), error) {
		return func() ([]float64, error) {
			in, err := app.Playing(gen.Options{
				Spans: int64(rate) * 3600, Tracks: tracks, Depth: 10, Seed: 1, Hz: hz, FrameSpans: rate / hz / tracks, GapEvery: -1,
			})
			if err != nil {
				return nil, err
			}
			return inWindow(sessions.Options{Inputs: []launch.Input{in}}, func(r *app.Rehearsal) []float64 {
				watch(r) // it begins
				return tickValues(watch(r))
			})
		}, nil
	}}
}

// windowShape measures the ticks of a window that opens a file of an extreme shape.
func windowShape(name, file string, made func() []byte) measurement {
	figures := []Figure{
		{Name: name + ", longest tick until untouched", Unit: "ms", Goal: "≤ 50"},
		{Name: name + ", tick untouched", Unit: "ms", Goal: "≤ 2"},
	}
	return measurement{name, figures, func(b *bench) (func() ([]float64, error), error) {
		path, err := b.file(file)
		if err != nil {
			return nil, err
		}
		return func() ([]float64, error) {
			return inWindow(sessions.Options{Files: []string{path}}, func(r *app.Rehearsal) []float64 {
				filling := append(r.Run(time.Time{}), watch(r)...)
				return []float64{tickValues(filling)[2], tickValues(watch(r))[0]}
			})
		}, os.WriteFile(path, made(), 0o600)
	}}
}

// stacks makes a folded file: different stacks, twelve deep, of a thousand functions.
func stacks() []byte {
	var w bytes.Buffer
	for i := range 6 * many {
		for d := range 11 {
			fmt.Fprintf(&w, "fn_%d;", (i*7919+d*d*31+i/1000*d)%1000)
		}
		fmt.Fprintf(&w, "leaf_%d 1\n", i%1000)
	}
	return w.Bytes()
}

// threads makes a Chrome trace of many threads, ten spans each.
func threads() []byte {
	var w bytes.Buffer
	text := "["
	for i := range 10 * many {
		fmt.Fprintf(&w, `%s{"ph":"X","pid":1,"tid":%d,"ts":%d,"dur":9,"name":"job %d"}`+"\n", text, i%many, i/many*1000, i%50)
		text = ","
	}
	w.WriteString("]")
	return w.Bytes()
}
