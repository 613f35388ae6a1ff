package convert

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"framescope/model"
	"framescope/model/flows"
)

// Arrow is a flow as formats have it in which steps of one number follow each other: arrows of a chain
// that meet have one number.
type Arrow struct {
	flows.Arrow
	ID uint64
	// First and Last tell that no arrow of its number leads to where it begins, and that none goes on
	// where it ends.
	First, Last bool
}

// Arrows gives the flows of the part that end on a track to fn, in order of that time.
func (p *Part) Arrows(id model.TrackID, fn func(a *Arrow) error) error {
	return p.Flows(id, func(f *flows.Arrow) error { return fn(p.arrow(f)) })
}

func (p *Part) arrow(f *flows.Arrow) *Arrow {
	a := &Arrow{Arrow: *f, First: !p.meets(f, true), Last: !p.meets(f, false)}
	key := []int64{int64(f.Name), int64(f.Chain)}
	if a.First && a.Last {
		key = append(key, f.From, f.To, int64(f.FromTrack), int64(f.ToTrack), int64(f.FromLane), int64(f.ToLane))
	}
	h := fnv.New64a()
	binary.Write(h, binary.LittleEndian, key)
	a.ID = max(h.Sum64(), 1)
	return a
}

// meets tells whether an arrow goes on as another of the part, and that as no other, or comes from it.
func (p *Part) meets(f *flows.Arrow, back bool) bool {
	if f.Chain == 0 {
		return false
	}
	var few [4]flows.Arrow
	next := p.Session.Flows().Next(f, back, few[:0])
	if len(next) != 1 || !p.hasArrow(&next[0]) {
		return false
	}
	var other [4]flows.Arrow
	return len(p.Session.Flows().Next(&next[0], !back, other[:0])) == 1
}

// hasArrow tells whether a flow is in the part.
func (p *Part) hasArrow(f *flows.Arrow) bool {
	begin, end := p.Time(f.ToTrack)
	return slices.Contains(p.Tracks, f.ToTrack) && (p.whole || f.To >= begin && f.To < end) &&
		(!p.Some || slices.Contains(p.Tracks, f.FromTrack))
}
