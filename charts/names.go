package charts

import "framescope/model"

// fullName is a collector's full name; the root's is its own.
func fullName(d *model.Collector) string {
	if d.FullName == "" {
		return d.Name
	}
	return d.FullName
}

// unitOf returns the unit of a counter: its own, or the nearest ancestor's ("inherit").
func unitOf(s *model.Session, id model.CollectorID) string {
	for guard := 0; guard < 64 && id > 0; guard++ {
		d := s.Collector(id)
		if d.Unit != "" {
			return d.Unit
		}
		id = d.Parent
	}
	return ""
}
