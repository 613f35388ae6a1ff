// Package folded reads folded (collapsed) stacks: text with a line for each distinct stack of a
// sampling profiler, its frames from the outermost to the innermost between semicolons, and how many
// samples had it. There are no times.
package folded

import (
	"bytes"
	"errors"
	"strconv"

	"framescope/net/trace"
)

// Weights begins a line that says what the counts of the stacks are, where they are no samples, and behind
// the last comma in which unit: "# weights: time, ns". Framescope writes it; to others it is no stack.
const Weights = "# weights: "

// Threads is a line that says that each stack begins with the name of its thread, which is no function: what
// async-profiler writes so, is one. Framescope writes it; to others it is no stack.
const Threads = "# stacks begin with threads"

const (
	maxDigits   = 1 << 10 // of a count
	mostWeights = 1 << 8  // longest text about the unit of the counts, in bytes
)

// skipped reports whether a line says nothing.
func skipped(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 || line[0] == '#'
}

// parseWeights parses the line about the meaning of the counts.
func parseWeights(line []byte) (kind trace.WeightKind, ok bool) {
	said, ok := bytes.CutPrefix(line, []byte(Weights))
	at := bytes.LastIndexByte(said, ',')
	if !ok || at <= 0 || len(said) > mostWeights {
		return kind, false
	}
	name, unit := bytes.TrimSpace(said[:at]), bytes.TrimSpace(said[at+1:])
	return trace.WeightKind{Name: trace.Shown(string(name)), Unit: trace.Shown(string(unit))}, len(name) > 0
}

// parseLine parses a stack: what stands before its last word, which is its count.
func parseLine(line []byte) (frames []byte, count float64, ok bool) {
	line = bytes.TrimRight(line, " \t")
	at := bytes.LastIndexByte(line, ' ')
	if at < 0 {
		return nil, 0, false
	}
	count, ok = parseCount(line[at+1:])
	return line[:at], count, ok
}

// parseCount parses digits, perhaps with a fraction. A value too large for a float64 is +Inf.
func parseCount(b []byte) (v float64, ok bool) {
	if len(b) > maxDigits || len(bytes.Trim(b, "0123456789.")) > 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// cutBefore cuts off the count of before a change, if there are two.
func cutBefore(frames []byte) (rest []byte, ok bool) {
	rest, _, ok = parseLine(frames)
	return rest, ok && len(rest) > 0
}
