package store

import "framescope/model"

// markAsync notes the collectors of spans that are no calls. The spans of a batch are mostly of
// one.
func (s *Session) markAsync(t *Track, spans []model.Span) {
	if t.Def.Kind.Calls() {
		return
	}
	last := model.PathRoot
	for i := range spans {
		if path := spans[i].Path; path != last && path != model.PathRoot && int(path) < s.paths.Len() {
			last = path
			s.paths.MarkBeside(path)
			if _, c := s.Path(path); c >= 0 {
				s.collectors.MarkAsync(c)
			}
		}
	}
}
