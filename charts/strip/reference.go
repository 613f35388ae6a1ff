package strip

import (
	"math"
	"math/bits"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// stripReference is the frames of the values beside the labels: one frame, or the mean of several.
type stripReference struct {
	key    stripReferenceKey
	first  int // frame indices on the chart's track; last < first: none
	last   int
	gap    frames.Gap // where the playhead stands in one
	found  []frames.Gap
	inGap  bool
	values []float64 // by band
	counts []int32
	net    float64
	took   float64 // duration of the frames, s
	atNs   int64   // when it was computed
}

type stripReferenceKey struct {
	query       stripQueryKey
	first, last int
}

// whole reports whether net equals the frames' length, to all written digits: only then it has a
// frame rate. The time between a frame's blocks is in none of them.
func (r *stripReference) whole() bool { return r.net > 0 && math.Abs(r.net-r.took) <= 0.0005*r.took }

// duration returns the mean duration of frames of a track, s.
func duration(track *store.Track, first, last int) float64 {
	return float64(track.SumOfFrames(first, last)) / float64(track.CountedFrames(first, last)) / 1e9
}

// refer decides which frames the labels' values stand for and gets the values.
func (c *Chart) refer(env *panel.Env, s *store.Session, track *store.Track) {
	v, r := env.View, &c.ref
	first, last := 0, -1
	r.inGap = false
	a, b, selected := v.FramesOf(c.track)
	switch {
	case v.Live():
		first, last = panel.FramesOf(v, c.track)
	case selected:
		first, last = a, b
	default:
		if i := v.FrameAtPlayhead(c.track, 0); i >= 0 {
			first, last = i, i
		} else if i = track.FrameAt(v.Playhead()); i >= 0 {
			r.inGap = true
			if r.found = track.Gaps(v.Playhead(), v.Playhead(), r.found[:0]); len(r.found) > 0 {
				r.gap = r.found[0]
			}
		}
	}
	key := stripReferenceKey{c.queryKey, first, last}
	if key == r.key && len(r.values) == len(c.strip.Bands) {
		return
	}
	if v.Live() && len(r.values) == len(c.strip.Bands) && panel.Stands(env, r.atNs) &&
		r.key.query.q.Focus == c.Focus {
		return
	}
	r.key, r.first, r.last, r.atNs = key, first, last, env.NowNs
	n := len(c.strip.Bands)
	r.net = 0
	r.values, r.counts = panel.Zeros(r.values, n), panel.Zeros(r.counts, n)
	if last < first {
		return
	}
	r.took = duration(track, first, last)
	c.stats = s.Frames().AllStats(c.track, c.Levels, first, last, c.stats[:0])
	stacked := 0.0
	for i := range c.stats {
		st := &c.stats[i]
		if st.Collector == c.Focus {
			r.net = st.Mean
			continue
		}
		if s.Collector(st.Collector).Parent == c.Focus { // also those that no column in view shows
			stacked += st.Mean
		}
		if band := slices.Index(c.strip.Bands, st.Collector); band >= 0 {
			r.values[band] = format.Pick(c.isOwn(s, st.Collector), st.SelfMean, st.Mean)
		}
	}
	if r.net = max(r.net, stacked); c.Levels && c.Focus == 0 { // counters of the root have no value of their own
		r.net = stacked
	}
	if own := slices.Index(c.strip.Bands, c.Focus); own >= 0 {
		r.values[own] = r.net - stacked
	}
	frames := int64(last - first + 1)
	for i := range c.stats {
		if band := slices.Index(c.strip.Bands, c.stats[i].Collector); band >= 0 {
			r.counts[band] = int32((c.stats[i].Count + frames/2) / frames)
		}
	}
}

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
