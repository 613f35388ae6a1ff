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

// stack is a parsed line.
type stack struct {
	frames []byte
	count  float64 // more than trace.MostOne: too much
	before int     // where another number begins before the count, at the space; -1 without one
}

// skipped reports whether a line says nothing.
func skipped(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 || line[0] == '#'
}

// Weights begins a line that says what the counts of the stacks are, where they are no samples, and behind
// the last comma in which unit: "# weights: time, ns". Framescope writes it; to others it is no stack.
const Weights = "# weights: "

// Threads is a line that says that each stack begins with the name of its thread, which is no function: what
// async-profiler writes so, is one. Framescope writes it; to others it is no stack.
const Threads = "# stacks begin with threads"

// weightsOf parses the line about the meaning of the counts.
func weightsOf(line []byte) (kind trace.WeightKind, ok bool) {
	said, ok := bytes.CutPrefix(line, []byte(Weights))
	at := bytes.LastIndexByte(said, ',')
	if !ok || at <= 0 || len(said) > mostWeights {
		return kind, false
	}
	name, unit := bytes.TrimSpace(said[:at]), bytes.TrimSpace(said[at+1:])
	return trace.WeightKind{Name: trace.Shown(string(name)), Unit: trace.Shown(string(unit))}, len(name) > 0
}

// parseLine reads a line; ok is false where it is no stack with a count.
func parseLine(line []byte) (s stack, ok bool) {
	line = bytes.TrimRight(line, " \t")
	at := bytes.LastIndexByte(line, ' ')
	if at < 0 {
		return s, false
	}
	if s.count, ok = number(line[at+1:]); !ok {
		return s, false
	}
	s.frames = line[:at]
	s.before = bytes.LastIndexByte(s.frames, ' ')
	if _, two := number(s.frames[s.before+1:]); s.before <= 0 || !two {
		s.before = -1
	}
	return s, true
}

// number parses a count: digits, perhaps with a fraction. A value too large for a float64 is +Inf.
func number(b []byte) (v float64, ok bool) {
	if len(b) == 0 || len(b) > maxDigits {
		return 0, false
	}
	for _, c := range b {
		if c != '.' && (c < '0' || c > '9') {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}
