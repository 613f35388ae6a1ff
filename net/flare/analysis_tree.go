// The analysis computes the answers of the Flare API from the samples of a recording: call trees, CPU time by
// buckets, and the search for slow calls. Source: FORMAT.md of net/flare, section "Analysis". Each has two modes:
// the original server's, with the defects of its rules (Compat), or the rules as intended.

package flare

import (
	"context"
	"errors"
	"sort"
)

// Node is one node of a call tree.
type Node struct {
	Method   MethodID // 0 for the root
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

// Pieces returns what a thread did in [startMs, endMs): each record owns the time up to the next
// one, the last owns nothing. Negative times are the bounds of the recording. CPU time between two
// readings of the clock is spread over the time between them.
func Pieces(t *Thread, startMs, endMs int64) []Piece {
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
func after(t *Thread, ms int64) int {
	return sort.Search(len(t.Records), func(i int) bool { return t.Records[i].TimeMs > ms })
}

// cpuRates returns, for each record's interval, the CPU ns that it used per ms.
func cpuRates(t *Thread) []float64 {
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

// maxNodes bounds a tree: an answer of some 150 MB.
var maxNodes = 1 << 20

// ErrTooLarge is returned for a tree of more than a million nodes.
var ErrTooLarge = errors.New("the call tree would have more than a million nodes: request a shorter range")

// checkEvery is how many samples are taken between two looks at the context.
const checkEvery = 1 << 12

// builder makes nodes and counts them.
type builder struct {
	ctx   context.Context
	rec   *Recording
	nodes int
	steps int
	open  []*Node // the path of the newest sample
}

// step reports whether to go on with one more sample.
func (b *builder) step() error {
	if b.nodes > maxNodes {
		return ErrTooLarge
	}
	if b.steps++; b.steps%checkEvery == 0 {
		return b.ctx.Err()
	}
	return nil
}

func (b *builder) child(parent *Node, id MethodID, label string) *Node {
	b.nodes++
	n := &Node{Method: id, Label: label, Depth: parent.Depth + 1}
	parent.Children = append(parent.Children, n)
	return n
}

// Each calls use for a node and all below it.
func (n *Node) Each(use func(*Node)) {
	use(n)
	for _, c := range n.Children {
		c.Each(use)
	}
}

func (n *Node) add(ms, cpuNs int64) {
	n.Calls++
	n.Ms += ms
	n.CPUNs += cpuNs
}

// Timeline is a time-ordered call tree.
type Timeline struct {
	Root    *Node
	BeginMs int64 // wall clock of the tree's beginning, Unix epoch ms
	// EndMs is the end of the last interval; in compat mode the time of the last record used, because the original
	// does not add that record's duration. With nothing in the range both are the requested bounds.
	EndMs int64
}

// Sequenced builds the time-ordered tree of a thread in a range: a method that follows itself under
// the same callers goes on. One that was away for a sample is a new call, which the original, and compat mode,
// takes for the old one if its caller called nothing else in between.
func Sequenced(ctx context.Context, compat bool, rec *Recording, t *Thread, startMs, endMs int64) (Timeline, error) {
	out := Timeline{Root: &Node{Label: "root"}, BeginMs: startMs, EndMs: endMs}
	pieces := Pieces(t, startMs, endMs)
	if compat {
		pieces = compatPieces(t, startMs, endMs)
	}
	if len(pieces) == 0 {
		return out, nil
	}
	b := builder{ctx: ctx, rec: rec}
	last := pieces[len(pieces)-1]
	out.BeginMs, out.EndMs = pieces[0].BeginMs, last.EndMs
	if compat {
		out.EndMs = last.BeginMs
	}
	for _, p := range pieces {
		if err := b.step(); err != nil {
			return out, err
		}
		b.sequence(out.Root, t.Records[p.Index].Stack, p.BeginMs-out.BeginMs, p.EndMs-p.BeginMs, p.CPUNs, compat)
	}
	return out, nil
}

// sequence adds one sample to a time-ordered tree. Calls go on that were in the sample before, or,
// if gaps do not matter, that were the last of their caller.
func (b *builder) sequence(root *Node, stack []MethodID, atMs, ms, cpuNs int64, gaps bool) {
	node := root
	root.add(ms, cpuNs)
	depth := 0
	for k := len(stack) - 1; k >= 0 && b.nodes <= maxNodes; k-- {
		var child *Node
		if n := len(node.Children); n > 0 {
			child = node.Children[n-1]
		}
		if child == nil || child.Method != stack[k] || !gaps && (depth >= len(b.open) || b.open[depth] != child) {
			child = b.child(node, stack[k], b.rec.Method(stack[k]))
			child.StartMs = atMs
		}
		if depth < len(b.open) {
			b.open[depth] = child // deeper nodes belong to another one then, and are not found any more
		} else {
			b.open = append(b.open, child)
		}
		depth++
		child.add(ms, cpuNs)
		node = child
	}
	b.open = b.open[:depth]
}

// Merged builds the merged tree of several threads in a range. The root is the sum of its children.
// A thread that is named twice counts once.
func Merged(ctx context.Context, rec *Recording, threads []*Thread, startMs, endMs int64) (*Node, error) {
	m := newMerger(ctx, rec)
	done := map[*Thread]bool{}
	for _, t := range threads {
		if done[t] {
			continue
		}
		done[t] = true
		for _, p := range Pieces(t, startMs, endMs) {
			if err := m.step(); err != nil {
				return m.root, err
			}
			m.add(t.Records[p.Index].Stack, p.EndMs-p.BeginMs, p.CPUNs)
		}
	}
	for _, c := range m.root.Children {
		m.root.Calls += c.Calls
		m.root.CPUNs += c.CPUNs
		m.root.Ms += c.Ms
	}
	return m.root, nil
}

type merger struct {
	builder
	root     *Node
	children map[edge]*Node
}

type edge struct {
	parent *Node
	method MethodID
}

func newMerger(ctx context.Context, rec *Recording) *merger {
	return &merger{builder: builder{ctx: ctx, rec: rec}, root: &Node{Label: "CallStack"}, children: map[edge]*Node{}}
}

func (m *merger) add(stack []MethodID, ms, cpuNs int64) {
	node := m.root
	for k := len(stack) - 1; k >= 0 && m.nodes <= maxNodes; k-- {
		e := edge{node, stack[k]}
		child := m.children[e]
		if child == nil {
			child = m.child(node, stack[k], m.rec.Method(stack[k]))
			m.children[e] = child
		}
		child.add(ms, cpuNs)
		node = child
	}
}
