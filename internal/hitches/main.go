// Command hitches scores `framescope why`: it makes sessions with hitches of known causes
// (internal/planted) and sessions without hitches, has the command explain them, and prints how many
// hitches it explained correctly, by kind and by seed, and how many false ones it found. It exits with
// 1 below 97 % or above 1 %.
//
//	go run ./internal/hitches
//	go run ./internal/hitches --style all --format all
//	go run ./internal/hitches --seeds 100 --first 1000 -v
//	go run ./internal/hitches --format go
//	go run ./internal/hitches --first 17 --seeds 1 -v --keep /tmp/hitches
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"framescope/internal/planted"
)

// The required accuracy of the command, as shares.
const (
	leastRight = 0.97
	mostFalse  = 0.01
)

func main() {
	var o options
	flag.IntVar(&o.seeds, "seeds", 20, "how many sessions with hitches, and as many without")
	flag.Uint64Var(&o.first, "first", 1, "the seed of the first")
	flag.StringVar(&o.keep, "keep", "", "a folder for the sessions, what is true of them and what was said")
	style := flag.String("style", string(planted.Conventional), "how waits are called; all: in each of the styles")
	format := flag.String("format", string(planted.PStats),
		"the format of the files; all: each of the formats; go: what the\nruntime traces of a Go program that runs, instead")
	flag.BoolVar(&o.verbose, "v", false, "print each hitch that was explained wrongly, and each false one")
	flag.Parse()
	if flag.NArg() > 0 || o.seeds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if o.styles = planted.Styles; *style != "all" {
		o.styles = []planted.Style{planted.Style(*style)}
	}
	if o.formats = planted.Formats; *format != "all" {
		o.formats = []planted.Format{planted.Format(*format)}
	}
	total, err := run(os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hitches:", err)
		os.Exit(1)
	}
	if !total.good() {
		os.Exit(1)
	}
}

// options are the command's options.
type options struct {
	seeds   int
	first   uint64
	keep    string
	verbose bool
	styles  []planted.Style
	formats []planted.Format
}

// run scores all sessions and prints the figures.
func run(out io.Writer, o options) (total score, err error) {
	dir := o.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "hitches"); err != nil {
			return total, err
		}
		defer os.RemoveAll(dir)
	} else if err = os.MkdirAll(dir, 0o777); err != nil {
		return total, err
	}
	if slices.Equal(o.formats, []planted.Format{"go"}) {
		total.all, err = goProgram(out, dir)
		total.printAll(out)
		return total, err
	}
	for _, style := range o.styles {
		for _, format := range o.formats {
			sum, err := o.score(out, dir, style, format)
			if err != nil {
				return total, err
			}
			total.add(sum)
			total.styles = append(total.styles, styleTally{style, format, sum.all})
		}
	}
	total.printStyles(out)
	return total, nil
}

// score scores the sessions with names of one style, in one format.
func (o *options) score(out io.Writer, dir string, style planted.Style, format planted.Format) (sum score, err error) {
	lasts := [...]planted.Kind{"", "", planted.Step, planted.Drift}
	for k := range len(lasts) * o.seeds {
		made := planted.Options{Seed: o.first + uint64(k/len(lasts)), Quiet: k%len(lasts) > 0, Lasts: lasts[k%len(lasts)],
			Style: style, Format: format}
		s, err := session(dir, made)
		if err != nil {
			return sum, err
		}
		s.print(out, o.verbose)
		sum.add(s)
	}
	fmt.Fprintf(out, "\nnames: %s, format: %s\n", style, format)
	sum.printAll(out)
	return sum, nil
}
