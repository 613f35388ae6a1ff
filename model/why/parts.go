package why

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Part is the time of a collector in a frame, beside its typical time there.
type Part struct {
	// Collector is NoCollector for the time that none covers.
	Collector model.CollectorID
	Waits     bool
	// SelfNs is its self time, TypicalNs the median self time of the frames around that are no
	// hitches.
	SelfNs, TypicalNs   int64
	Calls, TypicalCalls int64
	Seen                int // in how many of the frames around it ran
}

// ExcessNs is how much more it took than is typical, below 0 where it took less.
func (p *Part) ExcessNs() int64 { return p.SelfNs - p.TypicalNs }

// Parts appends the parts of the frame with an index, on its own thread, those furthest from typical
// first. Where the first waits, work that is at least half as far above typical goes before it. around is the
// number of frames compared with; 0: too few, and nothing is appended.
func (e *Engine) Parts(track model.TrackID, index int, out []Part) (list []Part, around int) {
	t := e.s.Track(track)
	if t == nil || index < 0 || index >= t.NumFrames() {
		return out, 0
	}
	e.listing, e.learns = true, 0
	defer func() { e.listing = false }()
	p, from := &e.own, len(out)
	if !p.ofFrame(e, e.s.Collectors().Tree(), track, index, nil) {
		return out, 0
	}
	for k := range p.parts {
		x := &p.parts[k]
		if x.self.is == 0 && x.self.typical == 0 && x.calls.is == 0 {
			continue
		}
		out = append(out, p.part(k))
	}
	slices.SortStableFunc(out[from:], func(a, b Part) int {
		return cmp.Compare(max(b.ExcessNs(), -b.ExcessNs()), max(a.ExcessNs(), -a.ExcessNs()))
	})
	works := func(p Part) bool { return !p.Waits && 2*p.ExcessNs() >= out[from].ExcessNs() && p.ExcessNs() > 0 }
	if k := slices.IndexFunc(out[from:], works); k > 0 && out[from].Waits {
		out = slices.Insert(out, from, out[from+k])
		out = slices.Delete(out, from+k+1, from+k+2)
	}
	return out, p.around
}

func (p *profile) part(k int) Part {
	x := &p.parts[k]
	id := x.id
	if k == 0 {
		id = model.NoCollector
	}
	return Part{
		Collector: id, Waits: x.waits, SelfNs: x.self.is, TypicalNs: x.self.typical,
		Calls: x.calls.is, TypicalCalls: x.calls.typical, Seen: x.seen,
	}
}

// least returns the part furthest below typical that is in none of the found causes.
func (p *profile) least(found *causes) (least Part) {
	for k := range p.parts {
		if of := p.part(k); of.ExcessNs() < least.ExcessNs() && !found.has(k, found.list) {
			least = of
		}
	}
	return least
}
