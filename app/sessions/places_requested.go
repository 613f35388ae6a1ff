package sessions

import (
	"fmt"
	"os"

	"framescope/charts/view"
	"framescope/model/place"
	"framescope/model/store"
)

// Asked holds the places requested with recordings.
type Asked map[*store.Session]place.Place

// Go goes to the requested place in the shown session as soon as it is there. It warns if the place is
// missing at the end.
func (a Asked) Go(s *store.Session, v *view.View, warn func(error)) {
	p, ok := a[s]
	if !ok || !v.Time().Valid() { // it is placed once it was shown
		return
	}
	_, ended := s.Ended()
	f, err := p.Find(s)
	if !ended {
		_, end, _ := s.Bounds()
		switch {
		case err != nil, p.Kind == place.Range && end < p.EndNs,
			p.Kind == place.Frames && s.Track(f.Track).Frame(f.Last).Number < p.Last:
			return
		}
	}
	delete(a, s)
	if err != nil {
		warn(fmt.Errorf("#%s: %w", p, err))
		return
	}
	v.GoTo(p.Kind, f)
}

// CutPlace is place.Cut for paths on disk.
func CutPlace(link string) (name string, p place.Place, err error) {
	return place.Cut(link, func(name string) bool { _, err := os.Lstat(name); return err == nil })
}
