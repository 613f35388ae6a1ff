package strip

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/frames"
	"framescope/model/store"
)

// stripReference is what the values beside the labels stand for: one frame, or the mean of several.
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
	atNs   int64 // when it was computed
}

type stripReferenceKey struct {
	query       stripQueryKey
	first, last int
}

// stripLabel is one row of the label column.
type stripLabel struct {
	band    int
	desired float32 // px, where its middle would like to be
	rect    draw.Rect
	peak    float32
}

// refer decides which frames the labels' values stand for and gets the values.
func (c *Chart) refer(env *panel.Env, s *store.Session, track *store.Track) {
	v, r := env.View, &c.ref
	first, last := 0, -1
	n := track.NumFrames()
	r.inGap = false
	switch {
	case v.Live():
		last = n - 1
		first = max(0, track.FrameAt(track.Frame(last).End-panel.StripMeanNs)+1)
		first = min(first, last)
	case c.track == v.Track() && v.FrameA() >= 0 && v.FrameB() < n:
		first, last = v.FrameA(), v.FrameB()
	case v.RangeB() > v.RangeA() && track.FrameAt(v.RangeB()-1) >= 0:
		first, last = max(0, track.FrameAt(v.RangeA())), track.FrameAt(v.RangeB()-1)
	default:
		if i := track.FrameCovering(v.Playhead()); i >= 0 {
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
	if v.Live() && env.Animate && len(r.values) == len(c.strip.Bands) && env.NowNs-r.atNs < panel.LiveValuesNs && r.key.query.q.Focus == c.Focus {
		return
	}
	r.key, r.first, r.last, r.atNs = key, first, last, env.NowNs
	n, r.net = len(c.strip.Bands), 0
	r.values, r.counts = panel.Zeros(r.values, n), panel.Zeros(r.counts, n)
	if last < first {
		return
	}
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
			r.values[band] = st.Mean
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

// placeLabels decides which bands get a label and where: near the middle of their band over the
// visible time, in the order of the stack, never one over another. Where there is no room for all,
// those with the highest peaks stay and "+n more" stands for the others.
func (c *Chart) placeLabels(env *panel.Env) {
	c.labels, c.hidden = c.labels[:0], 0
	area := c.regions.labels
	rowH := env.Px(labelPx)
	c.twoLines = c.narrow(env) && c.labelled()*int(env.Px(labelTwoPx)) <= int(area.H())
	if c.twoLines {
		rowH = env.Px(labelTwoPx)
	}
	room := int(area.H() / rowH)
	if area.Empty() || room < 1 || len(c.edges) == 0 {
		return
	}
	bands := len(c.strip.Bands)
	for k := range bands {
		if !c.present(k) {
			continue
		}
		// Labels of a live chart do not follow every pixel.
		y := c.middle(k)
		if k < len(c.kept) && c.keptFor == c.topFor && panel.Abs32(c.kept[k]-y) <= env.Px(3) {
			y = c.kept[k]
		}
		c.labels = append(c.labels, stripLabel{band: k, peak: c.peaks[k], desired: y})
	}
	c.keptFor, c.kept = c.topFor, c.kept[:0]
	for range bands {
		c.kept = append(c.kept, -1e9)
	}
	for i := range c.labels {
		c.kept[c.labels[i].band] = c.labels[i].desired
	}
	if len(c.labels) > room {
		c.dropLabels(room - 1)
	}
	y1 := area.Y1
	if c.hidden > 0 {
		area.Y0 += rowH
	}
	// Labels go from the bottom up. A label that would overlap the one below is pushed up; then, from
	// the top down, those that left the area are pushed back.
	for i := range c.labels {
		l := &c.labels[i]
		bottom := min(l.desired+rowH/2, y1)
		l.rect = draw.Rect{X0: area.X0, Y0: bottom - rowH, X1: area.X1, Y1: bottom}
		y1 = l.rect.Y0
	}
	y0 := area.Y0
	for i := len(c.labels) - 1; i >= 0; i-- {
		l := &c.labels[i]
		if l.rect.Y0 < y0 {
			l.rect.Y0 = y0
		}
		l.rect.Y0 = panel.Snap(l.rect.Y0)
		l.rect.Y1 = l.rect.Y0 + rowH
		y0 = l.rect.Y1
	}
}

// The heights of a label at scale 1: of a name with its value beside it, and of a name with its
// value below.
const labelPx, labelTwoPx = 18, 31

// narrow tells whether the label column is too narrow for a name and a value side by side.
func (c *Chart) narrow(env *panel.Env) bool { return c.regions.labels.W() < env.Px(140) }

// present tells whether a band is worth a label: it is seen, or has a value.
func (c *Chart) present(band int) bool {
	return c.peaks[band] != 0 || band < len(c.ref.values) && c.ref.values[band] != 0
}

// labelled returns how many bands are present.
func (c *Chart) labelled() (n int) {
	for k := range c.strip.Bands {
		if c.present(k) {
			n++
		}
	}
	return n
}

// middle returns the mean height, in px, of the middle of a band over the visible columns.
func (c *Chart) middle(band int) float32 {
	n := len(c.strip.Bands) + 1
	sum, cols := float32(0), 0
	for i := range c.strip.Columns {
		// Where it has no height, it counts where it would lie: so labels are in the order of the stack.
		if c.strip.Columns[i].State == frames.ColumnData {
			sum += (c.edges[i*n+band] + c.edges[i*n+band+1]) / 2
			cols++
		}
	}
	if cols == 0 {
		return c.regions.plot.Y1
	}
	return min(max(panel.Snap(sum/float32(cols)), c.regions.plot.Y0), c.regions.plot.Y1)
}

// dropLabels keeps the n labels with the greatest peaks, in their order.
func (c *Chart) dropLabels(n int) {
	for len(c.labels) > max(n, 0) {
		least := 0
		for i := range c.labels {
			if c.labels[i].peak < c.labels[least].peak {
				least = i
			}
		}
		c.labels = slices.Delete(c.labels, least, least+1)
		c.hidden++
	}
}

// labelAt returns the band whose label is at a point, -1 none.
func (c *Chart) labelAt(pxX, pxY float32) int {
	i := slices.IndexFunc(c.labels, func(lb stripLabel) bool { return lb.rect.Contains(pxX, pxY) })
	if i < 0 {
		return -1
	}
	return c.labels[i].band
}
