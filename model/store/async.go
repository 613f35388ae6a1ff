package store

import "framescope/model"

// markAsync notes the collectors of spans that are no calls. The spans of a batch are mostly of
// one.
func (s *Session) markAsync(t *Track, b *model.Batch) {
	if t.Def.Kind.Calls() {
		return
	}
	last := model.PathRoot
	note := func(path model.PathID) {
		if path != last && path != model.PathRoot && int(path) < s.paths.Len() {
			last = path
			s.paths.MarkBeside(path)
			if _, c := s.Path(path); c >= 0 {
				s.collectors.MarkAsync(c)
			}
		}
	}
	for i := range b.Spans {
		note(b.Spans[i].Path)
	}
	for i := range b.Rows {
		for _, r := range b.Rows[i].Rows {
			note(r.Path)
		}
	}
}
