package view

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model/store"
)

// TrackOrder is the order in which tracks are shown.
type TrackOrder string

// The orders. What is pinned comes first in each of them.
const (
	TracksAsSent TrackOrder = ""     // see TrackRank
	TracksByName TrackOrder = "name" // numbers in names by their value
)

// TrackLook is how the user wants the tracks of a program to be shown. It is kept for the program:
// tracks are known by their titles.
type TrackLook struct {
	Order  TrackOrder `json:",omitempty"`
	Pinned []string   `json:",omitempty"` // at the top, in the order of the tracks
}

// Tracks returns how tracks are shown. The slices are the Look's own.
func (l *Look) Tracks() TrackLook { return l.tracks }

// SetTracks changes how tracks are shown.
func (l *Look) SetTracks(t TrackLook) {
	l.tracks = TrackLook{Order: t.Order, Pinned: slices.Clone(t.Pinned)}
	l.shownRev++
}

// TrackPinned tells whether a track stands at the top.
func (l *Look) TrackPinned(t *store.Track) bool {
	return len(l.tracks.Pinned) > 0 && slices.Contains(l.tracks.Pinned, t.Title())
}

// WithPinned returns the look with a title at the top, or no longer there.
func (t TrackLook) WithPinned(title string, on bool) TrackLook {
	t.Pinned = slices.DeleteFunc(slices.Clone(t.Pinned), func(s string) bool { return s == title })
	if on {
		t.Pinned = append(t.Pinned, title)
	}
	return t
}

// compareTracks compares two tracks by what the user wants: 0 where that says nothing.
func (l *Look) compareTracks(a, b *store.Track) int {
	x, y := l.TrackPinned(a), l.TrackPinned(b)
	switch {
	case x && !y:
		return -1
	case y && !x:
		return 1
	case l.tracks.Order == TracksByName:
		return compareNames(a.Title(), b.Title())
	}
	return 0
}

// compareNames compares names; runs of digits in them by their value, however many zeros they have
// in front.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
