// Package column is the example of CONTRIBUTING.md: a table of threads with an additional column.
package column

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

type thread struct{ *store.Track }

// columns are the table's. One more is one more literal, anywhere in the list; it is named by its ID
// everywhere.
var columns = []table.Column[thread]{
	{ID: "name", Title: "thread", Text: func(_ *panel.Env, r *thread) string { return r.Title() }},
	{
		ID: "frames", Title: "frames", Kind: table.Number, Width: 80, Lead: true,
		Value:  func(_ *panel.Env, r *thread) float64 { return float64(r.NumFrames()) },
		Format: func(dst []byte, v float64) []byte { return format.AppendCount(dst, int64(v)) },
	},
}

// Threads is the source of the table.
type Threads struct{ rows []thread }

// NewThreads returns the table: sorting, filter, scrolling, keys, copy and export come with it.
func NewThreads() *table.Table { return table.New("Threads", &Threads{}) }

// Rows implements table.Source.
func (t *Threads) Rows(env *panel.Env) (n int, revision uint64) {
	t.rows = t.rows[:0]
	s := env.View.Session()
	if s == nil {
		return 0, 0
	}
	for id := range model.TrackID(s.NumTracks()) {
		t.rows = append(t.rows, thread{s.Track(id)})
	}
	return len(t.rows), s.Revision()
}

// At implements table.Source.
func (t *Threads) At(i int) *thread { return &t.rows[i] }

// Columns implements table.Source.
func (t *Threads) Columns() []table.Column[thread] { return columns }

// Empty implements table.Source.
func (t *Threads) Empty(bool) string { return "Threads.\nThere are none." }
