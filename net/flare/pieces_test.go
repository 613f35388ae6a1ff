package flare

import (
	"context"
	"maps"
	"slices"

	"framescope/model"
)

// openInPieces plays a folder as an agent would send it: all threads' samples in order of time,
// names late, with a flush after every n samples.
func openInPieces(ctx context.Context, dir string, to *sink, n int) error {
	rec, err := ReadFolder(ctx, dir, nil)
	if err != nil {
		return err
	}
	type one struct {
		thread, index int
	}
	var all []one
	for i, t := range rec.Threads {
		for k := range t.Records {
			all = append(all, one{i, k})
		}
	}
	slices.SortStableFunc(all, func(a, b one) int {
		return int(min(max(rec.Threads[a.thread].Records[a.index].TimeMs-rec.Threads[b.thread].Records[b.index].TimeMs, -1), 1))
	})
	// Tracks in the same order as when a folder is read.
	m := NewMapper(to, model.Info{}, rec.Threads[all[0].thread].Records[all[0].index].TimeMs)
	for _, t := range inOrder(rec.Threads) {
		if len(t.Records) > 0 {
			m.thread(t.ID, t.Name)
		}
	}
	for i, x := range all {
		t := rec.Threads[x.thread]
		m.Sample(t.ID, t.Name, t.Records[x.index])
		if i == len(all)/2 {
			for _, id := range slices.Sorted(maps.Keys(rec.Methods)) {
				m.Method(id, rec.Methods[id])
			}
		}
		if i%n == 0 {
			m.Flush()
		}
	}
	m.Close("end")
	return nil
}
