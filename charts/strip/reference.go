package strip

import (
	"math"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
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
