package tables

import (
	"testing"

	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// What the chosen thread has nothing of comes last and is dimmed, but is still there.
func TestCollectorTreePutsTheThreadsOwnFirst(t *testing.T) {
	s := store.NewSession()
	for id, name := range []string{"Frame", "Draw", "App", "Idle"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name, Sort: 10 - id})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.TrackDef{ID: 1, Name: "Draw"})
	frame := func(track model.TrackID, c model.CollectorID) {
		s.Append(&model.Batch{Track: track, HasFrame: true, Number: 1, Begin: 0, End: 10e6, Alone: []model.CollectorTime{{Collector: c, Ns: 10e6, Count: 1}}})
	}
	frame(0, 2)
	frame(1, 1)
	names := func(track model.TrackID) (out []string, dim []bool) {
		env := &panel.Env{View: view.New(s)}
		env.View.SetTrack(track)
		tree := NewCollectorTree()
		table.New("", tree)
		rows, _ := tree.Rows(env)
		for i := range rows {
			out = append(out, s.Collector(tree.rows[i].collector).Name)
			dim = append(dim, tree.Row(env, tree.At(i)).Dim)
		}
		return out, dim
	}
	for _, tc := range []struct {
		track       model.TrackID
		first, last string
	}{{0, "App", "Draw"}, {1, "Draw", "App"}} {
		got, dim := names(tc.track)
		if len(got) != 3 || got[0] != "Frame" || got[1] != tc.first || got[2] != tc.last {
			t.Errorf("track %d: rows %v, want Frame, %s, %s", tc.track, got, tc.first, tc.last)
			continue
		}
		if dim[0] || dim[1] || !dim[2] {
			t.Errorf("track %d: dimmed %v, want only the last", tc.track, dim)
		}
	}
}
