// Package budget checks sessions against limits in a file (TOML) on frames, collectors, levels and
// series. docs/budgets.md describes the file. It knows sessions, but not how they are shown.
package budget

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/BurntSushi/toml"

	"framescope/internal/escape"
)

// Limits of a file: it is written by hand.
const (
	MaxFile    = 1 << 20 // bytes
	MaxBudgets = 1000
)

// Measure is the quantity of a budget.
type Measure string

// The measures, as docs/measures.md has them.
const (
	Duration Measure = "duration" // of frames: wall time, waiting included
	Total    Measure = "total"    // time inside a collector, with callees
	Self     Measure = "self"     // without
	Net      Measure = "net"      // self time of a collector and of all named below it
	Calls    Measure = "calls"    // how often it began; in frames: starts
	Level    Measure = "level"    // of a counter that comes with frames
	Longest  Measure = "longest"  // call, where there are no frames
	Value    Measure = "value"    // of a series
)

// Times reports whether the measure is one of time: limits have a unit.
func (m Measure) Times() bool { return m != Calls && m != Level && m != Value }

// At is which value of all frames, or of all samples, is held against the limit.
type At string

// The values.
const (
	Min    At = "min"
	Mean   At = "mean"
	Median At = "median"
	P90    At = "p90"
	P95    At = "p95"
	P99    At = "p99"
	Max    At = "max"
	Sum    At = "sum"
)

// Budget is one limit.
type Budget struct {
	Name      string // for people; may be empty
	Thread    string // pattern of threads' names; empty: the main thread, or all where there are no frames
	Collector string // pattern of full names; empty: the frame itself, or a series
	Series    string // pattern of names of series
	Measure   Measure
	// At is empty if Share is given. Without frames, Mean is per second of the range.
	At At
	// Limit is the greatest allowed value: ns for times, else in the unit of the measured value.
	Limit float64
	// Unit is that in which the limit of a series was given, as model.SeriesDef.Unit: only series with it
	// are meant. Empty: a bare number, of series of any unit.
	Unit string
	// Share, if HasShare, is which part of the frames may be over the limit, 0 to 1.
	Share    float64
	HasShare bool
	// Optional means that it is no breach if nothing with this name was recorded.
	Optional bool
	Line     int // in the file, from 1
}

// entry is a budget as it is written.
type entry struct {
	Name      string `toml:"name"`
	Thread    string `toml:"thread"`
	Collector string `toml:"collector"`
	Series    string `toml:"series"`
	Measure   string `toml:"measure"`
	At        string `toml:"at"`
	Limit     any    `toml:"limit"`
	Share     any    `toml:"share"`
	Optional  bool   `toml:"optional"`
}

// Read reads a budget file. Errors name the file, the line and the reason.
func Read(name string) ([]Budget, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %q", name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFile {
		return nil, fmt.Errorf("%s is larger than %d bytes: not a budget file", escape.Name(name), MaxFile)
	}
	all, err := Parse(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", escape.Name(name), err)
	}
	return all, nil
}

// ErrNone is the error of a file without budgets.
var ErrNone = errors.New("it has no [[budget]]")

// Parse reads the text of such a file.
func Parse(text string) ([]Budget, error) {
	var file struct {
		Budget []entry `toml:"budget"`
	}
	meta, err := toml.Decode(text, &file)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("line %d: %s", parse.Position.Line, escape.Line(parse.Message))
	}
	if err != nil {
		return nil, errors.New(escape.Line(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	lines := headLines(text)
	for _, key := range meta.Undecoded() {
		wrong := fmt.Errorf("unknown key %q: a [[budget]] has name, thread, collector, series, measure, at, "+
			"limit, share and optional", escape.Line(key.String()))
		if at := keyLine(text, key[len(key)-1]); at > 0 {
			wrong = fmt.Errorf("line %d: %w", at, wrong)
		}
		return nil, wrong
	}
	switch n := len(file.Budget); {
	case n == 0:
		return nil, ErrNone
	case n > MaxBudgets:
		return nil, fmt.Errorf("%d budgets: the limit is %d", n, MaxBudgets)
	}
	all := make([]Budget, len(file.Budget))
	for i := range file.Budget {
		at := 0
		if i < len(lines) {
			at = lines[i]
		}
		if all[i], err = file.Budget[i].budget(); err != nil {
			return nil, fmt.Errorf("line %d: budget %d: %w", at, i+1, err)
		}
		all[i].Line = at
	}
	return all, nil
}

// keyLine returns the first line that gives a key, or the table of that name, from 1; 0 where none begins
// with it.
func keyLine(text, key string) int {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, "=")
		parts := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r[].'\"", r) })
		if len(parts) > 0 && parts[len(parts)-1] == key {
			return i + 1
		}
	}
	return 0
}

// headLines returns the lines that the [[budget]] stand in, from 1.
func headLines(text string) (lines []int) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.Join(strings.Fields(line), "") == "[[budget]]" {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// budget checks the entry.
func (e *entry) budget() (b Budget, err error) {
	b = Budget{
		Name: e.Name, Thread: e.Thread, Collector: e.Collector, Series: e.Series, Optional: e.Optional,
		Measure: Measure(strings.ToLower(e.Measure)), At: At(strings.ToLower(e.At)),
	}
	for _, p := range []string{b.Thread, b.Collector, b.Series} {
		if _, err := path.Match(p, ""); err != nil {
			return b, fmt.Errorf("the pattern %q lacks a closing bracket", p)
		}
	}
	if err := b.subject(); err != nil {
		return b, err
	}
	if e.Limit == nil {
		return b, errors.New(`the limit is missing: add, for example, limit = "4 ms"`)
	}
	if text, ok := e.Limit.(string); ok && b.Measure == Value {
		b.Limit, b.Unit, err = withUnit(text)
	} else {
		b.Limit, err = limit(e.Limit, b.Measure.Times())
	}
	if err != nil {
		return b, fmt.Errorf("limit: %w", err)
	}
	if e.Share == nil {
		if b.At == "" {
			b.At = P99
		}
		return b, b.known()
	}
	if b.At != "" {
		return b, errors.New("give either at (a value of all frames) or share (how many frames may be over the limit)")
	}
	if b.Measure == Longest || b.Measure == Value {
		return b, errors.New("share needs a measure of frames")
	}
	b.HasShare = true
	b.Share, err = share(e.Share)
	return b, err
}

// subject checks the subject of the budget, and sets the default measure.
func (b *Budget) subject() error {
	switch {
	case b.Collector != "" && b.Series != "":
		return errors.New("give either a collector or a series")
	case b.Series != "" && b.Measure == "":
		b.Measure = Value
	case b.Collector != "" && b.Measure == "":
		b.Measure = Total
	case b.Measure == "":
		b.Measure = Duration
	}
	switch b.Measure {
	case Duration:
		if b.Collector != "" || b.Series != "" {
			return errors.New("duration measures whole frames: for a collector give total, self, net, calls, level or longest")
		}
	case Total, Self, Net, Calls, Level, Longest:
		if b.Collector == "" {
			return fmt.Errorf("%s needs a collector: name one, or \"*\" for each", b.Measure)
		}
	case Value:
		if b.Series == "" {
			return errors.New("value needs a series: name one")
		}
	default:
		return fmt.Errorf("unknown measure %q: choose duration, total, self, net, calls, level, longest or value",
			string(b.Measure))
	}
	return nil
}

// known checks which value is held against the limit.
func (b *Budget) known() error {
	switch b.At {
	case Min, Mean, Median, P90, P95, P99, Max, Sum:
		return nil
	}
	return fmt.Errorf("at: unknown statistic %q: choose min, mean, median, p90, p95, p99, max or sum", string(b.At))
}

// limit reads a limit: "4 ms" of times, a number of all others.
func limit(v any, times bool) (float64, error) {
	n := math.NaN()
	switch v := v.(type) {
	case int64:
		n = float64(v)
	case float64:
		n = v
	case string:
		if times {
			d, err := time.ParseDuration(strings.ReplaceAll(v, " ", ""))
			if err != nil || d < 0 {
				return 0, fmt.Errorf("%q is not a time, such as \"4 ms\", \"250 µs\" or \"1.5 s\"", v)
			}
			return float64(d), nil
		}
		var err error
		if n, err = strconv.ParseFloat(v, 64); err != nil {
			return 0, fmt.Errorf("%q is not a number", v)
		}
	}
	if times {
		return 0, errors.New(`a time needs a unit, such as "4 ms"`)
	}
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("%v is not a number", v)
	}
	return n, nil
}

// ParsePart reads a part of something: "1 %", or 0.01.
func ParsePart(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimRightFunc(text, unicode.IsSpace), "%")
	part, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		part /= 100
	}
	if err != nil || !(part >= 0) || math.IsInf(part, 0) {
		return 0, fmt.Errorf("%q: give a share, such as \"1 %%\" or 0.01", text)
	}
	return part, nil
}

// share reads a part of all frames: "1 %", or 0.01.
func share(v any) (float64, error) {
	n := math.NaN()
	switch v := v.(type) {
	case int64:
		n = float64(v)
	case float64:
		n = v
	case string:
		var err error
		if n, err = ParsePart(v); err != nil {
			return 0, fmt.Errorf("share: %q is not a share of the frames, such as \"1 %%\" or 0.01", v)
		}
	}
	if !(n >= 0 && n <= 1) {
		return 0, fmt.Errorf("share: %v: give \"0 %%\" to \"100 %%\", or 0 to 1", v)
	}
	return n, nil
}
