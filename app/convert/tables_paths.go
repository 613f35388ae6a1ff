package convert

import (
	"framescope/charts/subject"
	"framescope/model"

	"framescope/model/spans"
)

// Paths are the sums by call path.
var Paths = Table{
	Derived: true, ID: "paths", What: [2]string{"call path", "call paths"}, Help: "sums of time, samples and sample weights by thread and call path",
	Columns: append(ofThread(
		Column{Name: "measure", Kind: Name, Help: "the sum: Duration, Samples, or the unit of the samples"},
		Column{Name: "unit", Kind: Name, Null: true, Help: "unit of total and self: ns, B or another; empty: a count"},
		Column{Name: "name", Kind: Name, Help: "full name of the collector"},
		Column{Name: "path", Kind: Name, Help: "names from the outermost caller on, separated by ;"},
		Column{Name: "depth", Help: "number of callers"},
		Column{Name: "count", Help: "number of spans, or of runs of samples"},
		Column{Name: "total", Help: "sum with callees"},
		Column{Name: "self", Null: true, Help: "sum without callees; calls and samples only"},
	), placeColumns...),
	has: func(p *Part) bool { c := p.Session.Contents(); return c.Spans || c.Sampled },
	each: func(w *walk) error {
		var tree spans.Tree
		return w.tracks(func(id model.TrackID) error {
			calls := w.p.Session.Track(id).Def.Kind.Calls()
			for _, m := range w.p.Session.Spans().Measures([]model.TrackID{id}, nil) {
				w.p.Tree(m, id, &tree)
				if err := w.nodes(id, m, &tree, calls); err != nil {
					return err
				}
			}
			return nil
		})
	},
}

// nodes writes a call tree.
func (w *walk) nodes(id model.TrackID, m spans.Measure, tree *spans.Tree, calls bool) error {
	measure, unit := subject.MeasureName(w.p.Session, m), w.p.MeasureUnit(m)
	for k := range tree.Nodes {
		n := &tree.Nodes[k]
		x := w.names.way(n.Path)
		w.thread(id)
		w.text(measure)
		w.maybe(unit)
		w.text(x.name)
		w.text(x.path)
		w.int(x.depth)
		w.int(n.Count)
		w.int(n.Total)
		w.known(n.Self, calls)
		w.place(x.place)
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}
