// Package analysis computes what the Flare API answers from the samples of a recording: call trees, CPU time by buckets, and the search for slow calls. Source: FORMAT.md of net/flare, section
// "Analysis". Each question can be asked in two ways: as the original server computes it, defects of its rules included (Compat), or as its rules were meant.
package analysis

import (
	"slices"
	"strconv"

	"framescope/net/flare/sample"
)

// Node is one node of a call tree.
type Node struct {
	Method   sample.MethodID // 0 for the root
	Label    string
	Calls    int64 // samples
	CPUNs    int64 // an estimate: the clock is read every 200 ms or more
	Ms       int64 // duration
	StartMs  int64 // from the beginning of the tree; time-ordered trees only
	Depth    int   // root 0
	Children []*Node
}

// Piece is a part of a thread's time with one stack: a sample's interval, cut to a range.
type Piece struct {
	BeginMs, EndMs int64
	CPUNs          int64 // estimated
	Index          int   // of the record
}

// Pieces returns what a thread did in [startMs, endMs): each record owns the time up to the next one, the last owns nothing. Negative times are the bounds of the recording.
// CPU time between two readings of the clock is spread over the time between them.
func Pieces(t *sample.Thread, startMs, endMs int64) []Piece {
	n := len(t.Records)
	if n < 2 {
		return nil
	}
	if startMs < 0 {
		startMs = t.Records[0].TimeMs
	}
	if endMs < 0 {
		endMs = t.Records[n-1].TimeMs
	}
	var out []Piece
	rate := cpuRates(t)
	first := max(0, after(t, startMs)-1)
	for i := first; i+1 < n && t.Records[i].TimeMs < endMs; i++ {
		a, b := max(t.Records[i].TimeMs, startMs), min(t.Records[i+1].TimeMs, endMs)
		if a >= b {
			continue
		}
		out = append(out, Piece{a, b, int64(rate[i] * float64(b-a)), i})
	}
	return out
}

// after returns the index of the first record later than a time.
func after(t *sample.Thread, ms int64) int {
	i, _ := slices.BinarySearchFunc(t.Records, ms+1, func(r sample.Record, ms int64) int { return int(min(max(r.TimeMs-ms, -1), 1)) })
	return i
}

// cpuRates returns, for each record's interval, the CPU ns that it used per ms.
func cpuRates(t *sample.Thread) []float64 {
	out := make([]float64, len(t.Records))
	from := 0
	for i := 1; i < len(t.Records); i++ {
		a, b := t.Records[from], t.Records[i]
		if b.CPUNs == a.CPUNs {
			continue
		}
		if d := b.TimeMs - a.TimeMs; d > 0 && b.CPUNs > a.CPUNs {
			for k := from; k < i; k++ {
				out[k] = float64(b.CPUNs-a.CPUNs) / float64(d)
			}
		} else if b.CPUNs > a.CPUNs {
			continue // within one ms: left to the next reading
		}
		from = i
	}
	return out
}

// Sequenced builds the time-ordered tree of a thread in a range: a method that follows itself under the same callers goes on. The first result is nil when there is nothing in the range; begin and
// end are the times of the first and the last record used.
func Sequenced(rec *sample.Recording, t *sample.Thread, startMs, endMs int64) (root *Node, beginMs, lastMs int64) {
	root = &Node{Label: "root"}
	pieces := Pieces(t, startMs, endMs)
	if len(pieces) == 0 {
		return root, startMs, endMs
	}
	beginMs = pieces[0].BeginMs
	for _, p := range pieces {
		stack := t.Records[p.Index].Stack
		addSequenced(rec, root, stack, p.BeginMs-beginMs, p.EndMs-p.BeginMs, p.CPUNs)
		lastMs = p.BeginMs
	}
	return root, beginMs, lastMs
}

// addSequenced adds one sample to a time-ordered tree.
func addSequenced(rec *sample.Recording, root *Node, stack []sample.MethodID, atMs, ms, cpuNs int64) {
	node := root
	root.Calls++
	root.Ms += ms
	root.CPUNs += cpuNs
	for k := len(stack) - 1; k >= 0; k-- {
		var child *Node
		if n := len(node.Children); n > 0 && node.Children[n-1].Method == stack[k] {
			child = node.Children[n-1]
		} else {
			child = &Node{Method: stack[k], Label: rec.Method(stack[k]), StartMs: atMs, Depth: node.Depth + 1}
			node.Children = append(node.Children, child)
		}
		child.Calls++
		child.Ms += ms
		child.CPUNs += cpuNs
		node = child
	}
}

// Merged builds the merged tree of several threads in a range. The root is the sum of its children.
func Merged(rec *sample.Recording, threads []*sample.Thread, startMs, endMs int64) *Node {
	m := newMerger(rec)
	for _, t := range threads {
		for _, p := range Pieces(t, startMs, endMs) {
			m.add(t.Records[p.Index].Stack, p.EndMs-p.BeginMs, p.CPUNs)
		}
	}
	for _, c := range m.root.Children {
		m.root.Calls += c.Calls
		m.root.CPUNs += c.CPUNs
		m.root.Ms += c.Ms
	}
	return m.root
}

type merger struct {
	rec      *sample.Recording
	root     *Node
	children map[edge]*Node
}

type edge struct {
	parent *Node
	method sample.MethodID
}

func newMerger(rec *sample.Recording) *merger {
	return &merger{rec: rec, root: &Node{Label: "CallStack"}, children: map[edge]*Node{}}
}

func (m *merger) add(stack []sample.MethodID, ms, cpuNs int64) {
	node := m.root
	for k := len(stack) - 1; k >= 0; k-- {
		e := edge{node, stack[k]}
		child := m.children[e]
		if child == nil {
			child = &Node{Method: stack[k], Label: m.rec.Methods[stack[k]], Depth: node.Depth + 1}
			m.children[e] = child
			node.Children = append(node.Children, child)
		}
		child.Calls++
		child.Ms += ms
		child.CPUNs += cpuNs
		node = child
	}
}

// Measure is what a flame graph's widths stand for.
type Measure uint8

// The three measures (FORMAT.md, "Three measures").
const (
	Duration Measure = iota // ms of wall time, waiting included
	CPUTime                 // µs, estimated
	Samples                 // count
)

// ParseMeasure reads the API's word for a measure; the empty word is Duration.
func ParseMeasure(word string) (Measure, bool) {
	switch word {
	case "", "duration":
		return Duration, true
	case "cpu_time":
		return CPUTime, true
	case "samples":
		return Samples, true
	}
	return 0, false
}

// Unit is the word for one of a measure.
func (m Measure) Unit() string { return [...]string{"ms", "micros", "samples"}[m] }

// Value returns what a node has of a measure.
func (m Measure) Value(n *Node) int64 {
	switch m {
	case CPUTime:
		return n.CPUNs / 1000
	case Samples:
		return n.Calls
	}
	return n.Ms
}

// Collapsed writes a merged tree as text for flame graph programs: one line for each distinct path, frames joined by ";", and the value of the path itself.
func Collapsed(root *Node, m Measure) []string {
	var out []string
	var walk func(n *Node, path string)
	walk = func(n *Node, path string) {
		own := m.Value(n)
		for _, c := range n.Children {
			own -= m.Value(c)
		}
		if path != "" && own > 0 {
			out = append(out, path+" "+strconv.FormatInt(own, 10))
		}
		for _, c := range n.Children {
			name := clean(c.Label, c.Method)
			if path != "" {
				name = path + ";" + name
			}
			walk(c, name)
		}
	}
	walk(root, "")
	slices.Sort(out)
	return out
}

func clean(label string, id sample.MethodID) string {
	if label == "" {
		label = strconv.FormatInt(int64(id), 10)
	}
	b := []byte(label)
	for i, c := range b {
		if c == ';' || c == '\n' || c == '\r' {
			b[i] = '_'
		}
	}
	return string(b)
}
