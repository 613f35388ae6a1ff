package api

import (
	"cmp"
	"context"
	"slices"

	"framescope/net/flare"
)

// callTree answers with the merged tree of some threads.
func (q *query) callTree(ctx context.Context, req *request, out *reply) error {
	// The design says that no threads are all threads; the original takes none.
	threads, some, err := q.named(req, false)
	if err != nil {
		return err
	}
	if !some && !q.compat {
		threads = q.threads()
	}
	start, end := q.times(req)
	var root *flare.Node
	if q.compat {
		root, err = flare.CompatMerged(ctx, q.rec, threads, start, end)
	} else {
		root, err = flare.Merged(ctx, q.rec, threads, start, end)
	}
	if err != nil {
		return err
	}
	if q.compat {
		unnamed(root, q.rec)
	} else {
		measure, ok := flare.ParseMeasure(req.trimmed("stats_type", ""))
		if !ok {
			return badMeasure(req)
		}
		sortTree(root, measure)
	}
	form := treeForm{merged: true, compat: q.compat}
	return out.success(fields{"call_tree_data": []treeNode{form.tree(root)}, "session_id": q.id})
}

// unnamed takes the numbers away that stand for names, as the original's merged tree has none.
func unnamed(root *flare.Node, rec *flare.Recording) {
	root.Each(func(n *flare.Node) {
		if _, known := rec.Methods[n.Method]; n != root && !known {
			n.Label = ""
		}
	})
}

// sortTree puts the children that have most of a measure first.
func sortTree(root *flare.Node, m flare.Measure) {
	root.Each(func(n *flare.Node) {
		slices.SortStableFunc(n.Children, func(a, b *flare.Node) int {
			return cmp.Or(cmp.Compare(m.Value(b), m.Value(a)), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Method, b.Method))
		})
	})
}

// timeline builds the time-ordered tree of a request's thread.
func (q *query) timeline(ctx context.Context, req *request) (*flare.Thread, flare.Timeline, error) {
	t, err := q.thread(req)
	if err != nil {
		return nil, flare.Timeline{}, err
	}
	start, end := q.times(req)
	tree, err := flare.Sequenced(ctx, q.compat, q.rec, t, start, end)
	return t, tree, err
}

// sequenced answers with the time-ordered tree of a thread. d3_flame_graph is the same by its old
// name.
func (q *query) sequenced(ctx context.Context, req *request, out *reply) error {
	t, tree, err := q.timeline(ctx, req)
	if err != nil {
		return err
	}
	name := "sequenced_call_tree_data"
	if req.cmd == "d3_flame_graph" {
		name = "d3_flame_graph_stacks"
	}
	form := treeForm{compat: q.compat}
	return out.success(fields{
		name: form.tree(tree.Root), "session_id": q.id, "start_time": tree.BeginMs, "end_time": tree.EndMs,
		"stats_type": req.trimmed("stats_type", "duration"), "thread_id": t.ID,
	})
}

func badMeasure(req *request) error {
	return failuref("invalid stats_type: %s", shortText(req.trimmed("stats_type", ""), 60))
}
