package convert_test

import (
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/app/query"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// BenchmarkTenMillion asks a session of ten million spans.
func BenchmarkTenMillion(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	g := testkit.Must(gen.New(gen.Options{Spans: 10_000_000, Tracks: 4, Depth: 10, Seed: 1}))(b)
	s := store.NewSession()
	g.Fill(s)
	db := testkit.Must(query.Open(query.Source{Part: convert.Between(s, model.MinTime, model.MaxTime)}))(b)
	for _, text := range []string{
		"select count(*) from spans",
		"select sum(self_ns) from spans",
		"select name, count(*), sum(duration_ns) from spans group by name",
		"select name, count(*), sum(self_ns) from spans group by name",
		"select count(*) from spans where begin_ns between 1e9 and 2e9",
	} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				testkit.Must(db.Query(b.Context(), text, query.Limits{Time: time.Minute, Rows: 1000}))(b)
			}
		})
	}
}
