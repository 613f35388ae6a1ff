package convert_test

import (
	"fmt"
	"slices"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/charts/subject"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// twins are threads of one name, two of them with one number, in two processes.
func twins() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Update"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for i, def := range []model.TrackDef{
		{Name: "Worker", Index: 7, Process: "game"}, {Name: "Worker", Index: 8, Process: "game"}, {Name: "Main", Index: 1, Process: "game"},
		{Name: "Worker", Index: 7, Process: "editor"},
	} {
		def.ID, def.Object, def.Peer = model.TrackID(i), model.NoObject, model.NoObject
		s.Apply(def)
	}
	for i := range model.TrackID(4) {
		s.Append(&model.Batch{Track: i, Spans: []model.Span{{Begin: 10, End: 11 + int64(i), Path: 1}}})
	}
	return s
}

// Threads of one name stay apart in formats of sums, in which a thread is its name, and time is time.
func TestTwins(t *testing.T) {
	for _, f := range []*convert.Format{&convert.PprofFormat, &convert.FoldedFormat} {
		again, _ := converttest.Again(t, f, converttest.Part(t, twins(), ""))
		p := converttest.Part(t, again, "")
		m := testkit.Must(p.Measure())(t)
		if name := subject.MeasureName(again, m); name != "time" || p.MeasureUnit(m) != "ns" {
			t.Errorf("%s: the measure is %s in %s", f.ID, name, p.MeasureUnit(m))
		}
		var got []string
		for _, id := range p.Tracks {
			var tree spans.Tree
			p.Tree(m, id, &tree)
			for k := range tree.Nodes {
				if n := &tree.Nodes[k]; n.Self > 0 {
					got = append(got, fmt.Sprint(again.Track(id).Title(), " ", n.Self))
				}
			}
		}
		slices.Sort(got)
		want := []string{"Main 3", "Worker (7) 1", "Worker (8) 2", "Worker (9) 4"}
		if f == &convert.FoldedFormat { // which has their numbers besides
			want = []string{"Main 3", "Worker (9) 4", "Worker 1", "Worker 2"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", f.ID, got, want)
		}
	}
}
