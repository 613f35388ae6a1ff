package flare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Measure is the meaning of a flame graph's widths.
type Measure uint8

// The three measures (FORMAT.md, "Three measures").
const (
	Duration Measure = iota // ms of wall time, waiting included
	CPUTime                 // µs, estimated
	Samples                 // count
)

// measures are the API's words for measures, those for one of them, and the value of a node.
var measures = [...]struct {
	word, unit string
	value      func(n *Node) int64
}{
	Duration: {"duration", "ms", func(n *Node) int64 { return n.Ms }},
	CPUTime:  {"cpu_time", "micros", func(n *Node) int64 { return n.CPUNs / 1000 }},
	Samples:  {"samples", "samples", func(n *Node) int64 { return n.Calls }},
}

// ParseMeasure reads the API's word for a measure; the empty word is Duration.
func ParseMeasure(word string) (Measure, bool) {
	for m := range measures {
		if measures[m].word == cmp.Or(word, "duration") {
			return Measure(m), true
		}
	}
	return 0, false
}

// Unit is the word for one of a measure.
func (m Measure) Unit() string { return measures[m].unit }

// Value returns a node's value of a measure.
func (m Measure) Value(n *Node) int64 { return measures[m].value(n) }

// Own returns a node's self value of a measure.
func (m Measure) Own(n *Node) int64 {
	own := m.Value(n)
	for _, c := range n.Children {
		own -= m.Value(c)
	}
	return own
}

// Collapsed writes a merged tree as text for flame graph programs: one line for each distinct path,
// frames joined by ";", and the value of the path itself.
func Collapsed(root *Node, m Measure) []string {
	var out []string
	var path []string
	clean := strings.NewReplacer(";", "_", "\n", "_", "\r", "_")
	var walk func(n *Node)
	walk = func(n *Node) {
		if own := m.Own(n); len(path) > 0 && own > 0 {
			out = append(out, strings.Join(path, ";")+" "+strconv.FormatInt(own, 10))
		}
		for _, c := range n.Children {
			path = append(path, clean.Replace(c.Label))
			walk(c)
			path = path[:len(path)-1]
		}
	}
	walk(root)
	slices.Sort(out)
	return out
}
