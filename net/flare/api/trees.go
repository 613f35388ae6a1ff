package api

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"framescope/assets"
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

// Sizes of a picture.
const (
	defaultImageWidth = 900
	maxImageWidth     = 1 << 14
)

// errNothing is the answer when there is nothing to draw, in the original's words.
const errNothing = failure("create flame graph failed: I/O error: No stack counts found")

// flameGraph answers with a picture of a thread: what it did in the order of time, or (option
// merged) a flame graph of its merged tree.
func (q *query) flameGraph(ctx context.Context, req *request, out *reply) error {
	measure, ok := flare.ParseMeasure(req.trimmed("stats_type", ""))
	if !ok {
		return badMeasure(req)
	}
	width := req.integer("image_width", defaultImageWidth)
	if width <= 0 {
		width = defaultImageWidth
	}
	width = min(max(width, flare.MinWidthPx), maxImageWidth)
	o := fields{}
	var t *flare.Thread
	var tree flare.Timeline
	var boxes []flare.Box
	var err error
	if req.flag("merged") {
		if t, err = q.thread(req); err != nil {
			return err
		}
		tree.BeginMs, tree.EndMs = q.times(req)
		if tree.Root, err = flare.Merged(ctx, q.rec, []*flare.Thread{t}, tree.BeginMs, tree.EndMs); err != nil {
			return err
		}
		tree.Root.Label = "root"
		boxes = flare.FlameMerged(tree.Root, measure, q.shown)
		if req.flag("collapsed") {
			o["collapsed_stacks"] = flare.ListOf(flare.Collapsed(tree.Root, measure))
		}
	} else {
		if t, tree, err = q.timeline(ctx, req); err != nil {
			return err
		}
		boxes = q.flameChart(tree.Root, measure)
	}
	if len(boxes) == 0 {
		return errNothing
	}
	picture := flare.Picture{Title: "Flame Graph", WidthPx: int(width), End: boxes[0].End, Theme: assets.Light()}
	maps.Copy(o, fields{
		"end_time": tree.EndMs, "flame_graph_data": string(picture.Append(nil, boxes)), "image_width": width,
		"session_id": q.id, "start_time": tree.BeginMs, "stats_type": cmp.Or(req.trimmed("stats_type", ""), "duration"),
		"thread_id": t.ID,
	})
	return out.success(o)
}

// flameChart lays a time-ordered tree out on a time axis. What would be too narrow to be seen is
// left out with what it calls. The original shows times whatever the measure is, with its unit.
func (q *query) flameChart(root *flare.Node, measure flare.Measure) (out []flare.Box) {
	if root.Ms <= 0 {
		return nil
	}
	value := measure.Value
	if q.compat {
		value = flare.Duration.Value
	}
	total := value(root)
	var place func(n *flare.Node)
	place = func(n *flare.Node) {
		if n.Ms*1000 < root.Ms {
			return
		}
		out = append(out, flare.Box{
			Depth: n.Depth, Begin: n.StartMs, End: n.StartMs + n.Ms, Label: q.shown(n.Label),
			Tooltip: flare.Tip(n.Label, value(n), measure.Unit(), total), Key: n.Label,
		})
		for _, c := range n.Children {
			place(c)
		}
	}
	place(root)
	return out
}

// shown is what stands in the bar of a method: class and method, for the package would take the
// room. The original cuts the whole name.
func (q *query) shown(name string) string {
	if q.compat {
		return name
	}
	_, inside := flare.SplitName(name)
	return inside
}
