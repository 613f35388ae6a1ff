package strip

import (
	"math/bits"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// dominates is the share of the time, waits aside, from which on a single band says nothing.
const dominates = 0.75

// opened is the collector in place of which its children are stacked: one that has nearly all of the time.
// It is looked for again when there is twice as much as before, and when all is there, so that the bands are
// calm.
type opened struct {
	id    model.CollectorID // 0: none
	key   openedKey
	stats []frames.Stats
}

type openedKey struct {
	session *store.Session
	track   model.TrackID
	log2    int // of the number of frames
	ended   bool
}

// dominant returns what is opened: below the root, which nobody chose, the collectors that dominate. One that
// the user chose shows its children as they are.
func (c *Chart) dominant(s *store.Session) model.CollectorID {
	if c.Levels || c.Focus != 0 {
		c.opened.id, c.opened.key = 0, openedKey{}
		return 0
	}
	n := s.Track(c.track).NumFrames()
	key := openedKey{session: s, track: c.track, log2: bits.Len(uint(n))}
	_, key.ended = s.Ended()
	if o := &c.opened; key != o.key {
		o.key, o.id = key, 0
		o.stats = s.Frames().AllStats(c.track, false, 0, n-1, o.stats[:0])
		for next := o.below(s); next != 0; next = o.below(s) {
			o.id = next
		}
	}
	return c.opened.id
}

// below returns the child of the opened collector that dominates what was opened last, and has children with
// time itself; 0: there is none.
func (o *opened) below(s *store.Session) (most model.CollectorID) {
	sum, of := 0.0, 0.0
	parents := map[model.CollectorID]bool{}
	for i := range o.stats {
		st := &o.stats[i]
		k := s.Collector(st.Collector)
		parents[k.Parent] = parents[k.Parent] || st.Mean > 0 && st.Collector != 0
		switch {
		case st.Collector == o.id:
			sum += max(st.SelfMean, 0)
		case k.Parent == o.id && !k.Waits:
			if sum += st.Mean; st.Mean > of {
				most, of = st.Collector, st.Mean
			}
		}
	}
	return format.Pick(of < dominates*sum || !parents[most], 0, most)
}

// isOwn reports whether the band of a collector has its self time alone: that of the focus, and of an opened one.
func (c *Chart) isOwn(s *store.Session, id model.CollectorID) bool {
	return id == c.Focus || c.opened.id != 0 && (id == c.opened.id || s.Collectors().IsDescendant(c.opened.id, id))
}
