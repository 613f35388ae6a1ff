package convert

import (
	"strings"

	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// names makes the texts of threads and call paths, each once.
type names struct {
	p       *Part
	numbers store.ThreadNumbers
	threads []string
	paths   []way
}

// way is a call path.
type way struct {
	name, path string
	place      model.Place
	depth      int64
}

// placeColumns are the columns that place writes.
var placeColumns = []Column{
	{Name: "file", Kind: Name, Null: true,
		Help: "file of the source code in which the collector is, as the source names it"},
	{Name: "line", Null: true, Help: "line in it: where the collector begins, or one of its lines"},
}

// place writes where in the source code something is.
func (w *walk) place(p model.Place) {
	w.maybe(p.File)
	w.known(int64(p.Line), p.Line != 0)
}

func newNames(p *Part) *names { return &names{p: p} }

// thread returns the name of a thread.
func (n *names) thread(id model.TrackID) string {
	for int(id) >= len(n.threads) { // one may come while a live session is written
		title := ""
		if t := n.p.Session.Track(model.TrackID(len(n.threads))); t != nil {
			title = t.Title()
		}
		n.threads = append(n.threads, title)
	}
	if id < 0 {
		return ""
	}
	return n.threads[id]
}

// thread writes the thread of a row.
func (w *walk) thread(id model.TrackID) {
	w.int(w.names.numbers.Of(w.p.Session, id))
	w.text(w.names.thread(id))
}

// threadColumns are the columns that thread writes.
var threadColumns = []Column{
	{Name: "thread_id", Help: "number of the thread, unique in the session: `--thread` takes it, `report --json` has it"},
	{Name: "thread", Kind: Name, Help: "name of the thread"},
}

// ofThread returns the columns of a table of threads' data.
func ofThread(more ...Column) []Column {
	return append(append([]Column(nil), threadColumns...), more...)
}

// way returns the names of a call path, as in folded stacks: none if damage took it from the recording.
func (n *names) way(id model.PathID) *way {
	if int(id) >= n.p.Session.Paths().Len() {
		return &way{}
	}
	for int(id) >= len(n.paths) {
		n.paths = append(n.paths, way{depth: -1})
	}
	if x := &n.paths[id]; x.depth >= 0 {
		return x
	}
	var x way
	up, c := n.p.Session.Path(id)
	if def := n.p.Session.Collector(c); def != nil {
		x = way{name: def.Title(), path: strings.ReplaceAll(def.Name, ";", ":"), place: def.Place}
	}
	if up != model.PathRoot && up < id {
		above := n.way(up)
		x.path, x.depth = above.path+";"+x.path, above.depth+1
	}
	n.paths[id] = x
	return &n.paths[id]
}

// Paths are the sums by call path.
var Paths = Table{
	Derived: true, ID: "paths", What: [2]string{"call path", "call paths"},
	Help: "sums of time, samples and sample weights by thread and call path",
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
