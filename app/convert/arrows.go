package convert

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"framescope/model"
	"framescope/model/spans"
)

// Arrow is a flow for formats that connect steps of one number: arrows of a chain that meet in a span
// have one number.
type Arrow struct {
	spans.Arrow
	// ID is the number, above 0.
	ID uint64
	// First and Last report that no arrow of its number leads to its begin, and that none goes on at
	// its end.
	First, Last bool
}

// Arrows passes the flows of the part to fn, chain by chain, each chain in its order. It leaves out
// arrows that the format cannot hold: the chain ends there, and a new one begins behind. It calls can
// once for each.
func (p *Part) Arrows(can func(a *spans.Arrow) bool, fn func(a *Arrow) error) error {
	round, outside := int64(0), int64(0)
	for _, id := range p.Tracks {
		err := p.Flows(id, func(f *spans.Arrow) error {
			if !p.hasArrow(f) {
				outside++
				return nil
			}
			round++
			if p.meets(f, true) {
				return nil // written with the first of its chain
			}
			return p.chain(*f, can, func(a *Arrow) error {
				round--
				if a == nil {
					return nil
				}
				return fn(a)
			})
		})
		if err != nil {
			return err
		}
	}
	p.Leave(round, "flow", "flows", "they go round in a circle")
	p.Leave(outside, "flow", "flows", "they begin outside of the range")
	return nil
}

// chain passes a chain from its first arrow on to fn, nil for arrows that the format cannot hold.
func (p *Part) chain(f spans.Arrow, can func(a *spans.Arrow) bool, fn func(a *Arrow) error) error {
	a := Arrow{Arrow: f, First: true}
	fits, number := can(&f), uint64(0)
	for {
		var few [4]spans.Arrow
		var next spans.Arrow
		more := p.meets(&a.Arrow, false)
		if more {
			next = p.Session.Flows().Next(&a.Arrow, false, few[:0])[0]
		}
		nextFits := more && can(&next)
		goesOn := fits && nextFits && p.inOneSpan(&a.Arrow, &next)
		if !fits {
			fn(nil)
		} else {
			if a.First {
				number = id(&a.Arrow)
			}
			a.ID, a.Last = number, !goesOn
			if err := fn(&a); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
		a, fits = Arrow{Arrow: next, First: !goesOn}, nextFits
	}
}

// id returns the number of the arrows that follow a first one.
func id(f *spans.Arrow) uint64 {
	h := fnv.New64a()
	binary.Write(h, binary.LittleEndian, [...]int64{
		int64(f.Name), int64(f.Chain), f.From, f.To, int64(f.FromTrack), int64(f.ToTrack), int64(f.FromLane), int64(f.ToLane),
	})
	return max(h.Sum64(), 1)
}

// inOneSpan reports whether an arrow ends in the span in which another one begins.
func (p *Part) inOneSpan(a, next *spans.Arrow) bool {
	table := p.Session.Spans()
	to, some := a.End(table)
	from, begins := next.Begin(table)
	return some == begins && to.Ref == from.Ref
}

// meets reports whether an arrow goes on as another of the part, and that as no other, or comes from it.
func (p *Part) meets(f *spans.Arrow, back bool) bool {
	if f.Chain == 0 {
		return false
	}
	var few [4]spans.Arrow
	next := p.Session.Flows().Next(f, back, few[:0])
	if len(next) != 1 || !p.hasArrow(&next[0]) {
		return false
	}
	var other [4]spans.Arrow
	return len(p.Session.Flows().Next(&next[0], !back, other[:0])) == 1
}

// hasArrow reports whether both ends of a flow are in the part.
func (p *Part) hasArrow(f *spans.Arrow) bool {
	return p.has(f.FromTrack, f.From) && p.has(f.ToTrack, f.To)
}

// has reports whether a time of a track is in the part.
func (p *Part) has(id model.TrackID, ns int64) bool {
	begin, end := p.Time(id)
	return (!p.Some || slices.Contains(p.Tracks, id)) && (p.whole || ns >= begin && ns < end)
}
