package gsttrace

// SpansLanes are those of things that are under way at the same time, each a span in the lowest free
// one.
type SpansLanes struct{ end []int64 }

// Place finds the lane of a span; ok is false when there are too many at one time. Lanes never
// overlap, whatever the order in which spans come.
func (l *SpansLanes) Place(begin, end int64) (lane int, ok bool) {
	for k, last := range l.end {
		if last <= begin {
			l.end[k] = end
			return k, true
		}
	}
	if len(l.end) >= MaxLanes {
		return 0, false
	}
	l.end = append(l.end, end)
	return len(l.end) - 1, true
}
