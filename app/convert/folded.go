// This file writes folded (collapsed) stacks: a line for each call path and its self time or count,
// which flamegraph.pl, speedscope and inferno read.

package convert

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/folded"
)

// FoldedFormat is the format of folded stacks.
var FoldedFormat = Format{
	ID: "folded", Name: "Folded stacks", Ext: ".folded",
	Help:  "self time or samples of each call path, a line each: flamegraph.pl, speedscope, inferno",
	Why:   unmeasured,
	Write: foldedWrite,
}

// unmeasured says why a part has no sums of stacks.
func unmeasured(p *Part) error {
	_, err := p.Measure()
	return err
}

// foldedWrite writes the self sums of all call paths; if the part has several threads, each stack
// begins with the thread's name, as async-profiler writes it. A first line, not a stack, names any
// measure other than samples and its unit; another one says that stacks begin with threads.
func foldedWrite(ctx context.Context, p *Part, w io.Writer) error {
	m, err := p.Measure()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if m != spans.MeasureSamples {
		fmt.Fprintf(out, "%s%s, %s\n", folded.Weights, clean(p.WeightName(m)), p.MeasureUnit(m))
	}
	titles, roots := p.Titles(), map[string]bool{}
	rooted := len(p.Tracks) > 1 && !allHave(p, m)
	if rooted {
		fmt.Fprintln(out, folded.Threads)
	}
	var tree spans.Tree
	var line []byte
	var ends []int // where the part of the line before a node ends, by depth
	var below int64
	for _, id := range p.Tracks {
		t := p.Session.Track(id)
		if !t.Def.Kind.Calls() {
			below += t.NumSpans() // which have no callers
			continue
		}
		p.Tree(m, id, &tree)
		line, ends = line[:0], ends[:0]
		root := rootOf(t)
		if roots[root] {
			root = fmt.Sprintf("thread (%d): %s", t.Def.Index, clean(titles[id]))
		}
		if roots[root] = true; rooted {
			line = append(line, root...)
		}
		for k := range tree.Nodes {
			n := &tree.Nodes[k]
			if int(n.Depth) < len(ends) {
				line, ends = line[:ends[n.Depth]], ends[:n.Depth]
			}
			ends = append(ends, len(line))
			if len(line) > 0 {
				line = append(line, ';')
			}
			line = append(line, clean(p.Name(n.Collector))...)
			if n.Self > 0 {
				line := append(line, ' ')
				out.Write(append(strconv.AppendInt(line, n.Self, 10), '\n'))
			}
			if err := p.Done(ctx, 1); err != nil {
				return err
			}
		}
	}
	p.LeaveMeasures(m)
	p.LeaveSums(below, "folded stacks are sums without times")
	return out.Flush()
}

// rootOf is the name of a thread at the root of its stacks.
func rootOf(t *store.Track) string {
	return fmt.Sprintf("thread (%d): %s", t.Def.Index, clean(t.Title()))
}

// allHave reports whether the stacks of all threads begin with thread names already, as in
// async-profiler's files.
func allHave(p *Part, m spans.Measure) bool {
	var tree spans.Tree
	for _, id := range p.Tracks {
		if t := p.Session.Track(id); t.Def.Kind.Calls() {
			if p.Tree(m, id, &tree); len(tree.Nodes) > 0 && !has(p, &tree, rootOf(t)) {
				return false
			}
		}
	}
	return true
}

// has reports whether all stacks begin with a name already.
func has(p *Part, tree *spans.Tree, root string) bool {
	for k := range tree.Nodes {
		if n := &tree.Nodes[k]; n.Parent < 0 && p.Name(n.Collector) != root {
			return false
		}
	}
	return len(tree.Nodes) > 0
}

// clean returns a name without the separators of frames and lines, and without invisible characters.
func clean(name string) string {
	if name == "" {
		return "?"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ':'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, name)
}
