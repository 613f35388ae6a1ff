package charts

import (
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// histogramFrames bounds the frames that a histogram looks at; longer runs are thinned out evenly, and the panel says so.
const histogramFrames = 2048

// Histogram shows how the values of the selected collector are distributed over the frames: of the selected run, or of the newest or the neighbouring frames where one is selected. The bin of
// the selected frame is marked.
type Histogram struct {
	// Collector is the one shown, NoCollector for the view's.
	Collector model.CollectorID
	// Levels: counter values instead of times.
	Levels bool

	list   *draw.List
	rect   draw.Rect
	plot   draw.Rect
	fresh  refresher
	values []float32
	sorted []float32
	first  int
	step   int
	frames int // in the run
	lo, hi float64
	median float64
	bins   []int32
	most   int32
	mark   int // bin of the selected frame, -1 none
	over   int // bin under the mouse
	bands  []model.Band

	drawKey histogramKey
	hit     tipLines
	buf     []byte
	mode    cachedText
	title   cachedText
	edition uint64
}

type histogramKey struct {
	rect          draw.Rect
	scale         float32
	edition, view uint64
	over          int
	theme         *assets.Theme
	valid         bool
}

// NewHistogram returns a histogram of the view's collector.
func NewHistogram() *Histogram { return &Histogram{Collector: model.NoCollector, mark: -1, over: -1} }

// List returns the picture of the last Update.
func (h *Histogram) List() *draw.List { return h.list }

func (h *Histogram) collector(env *Env) model.CollectorID {
	if h.Collector != model.NoCollector {
		return h.Collector
	}
	return env.View.Collector()
}

// Update brings the picture up to date. A click on a bin selects the next frame in it.
func (h *Histogram) Update(env *Env, rect draw.Rect, in *Input) Action {
	if listFor(&h.list, env) {
		h.drawKey = histogramKey{}
	}
	h.rect = rect
	h.plot = draw.Rect{X0: rect.X0 + env.Px(9), Y0: rect.Y0 + env.Px(8), X1: rect.X1 - env.Px(9), Y1: rect.Y1 - env.Px(20)}
	h.gather(env)
	h.over = -1
	if in.Over {
		h.over = h.binAt(in.X, in.Y)
		if h.over >= 0 && in.Left.Released && !in.Left.Dragging {
			h.selectIn(env, h.over)
		}
	}
	key := histogramKey{rect, env.Scale, h.edition, env.View.Stamp(), h.over, env.Theme, true}
	if key != h.drawKey {
		h.drawKey = key
		h.draw(env)
	}
	return Action{}
}

// run returns the frames to look at: the selected ones if they are several, else the newest or those around the selected one.
func (h *Histogram) run(env *Env) (track *model.Track, first, last int, ok bool) {
	v := env.View
	track = v.Shown()
	if track == nil || track.NumFrames() == 0 {
		return nil, 0, -1, false
	}
	n := track.NumFrames()
	if !v.Live() && v.FrameB() > v.FrameA() && v.FrameA() >= 0 && v.FrameB() < n {
		return track, v.FrameA(), v.FrameB(), true
	}
	if n <= histogramFrames {
		return track, 0, n - 1, true
	}
	if v.Live() || v.FrameA() < 0 {
		return track, n - histogramFrames, n - 1, true
	}
	first = min(max(0, v.FrameA()-histogramFrames/2), n-histogramFrames)
	first -= first % 64 // stepping from frame to frame does not count everything anew
	return track, first, first + histogramFrames - 1, true
}

// gather gets the values and counts them.
func (h *Histogram) gather(env *Env) {
	v, s := env.View, env.View.Session()
	c := h.collector(env)
	track, first, last, ok := h.run(env)
	if s == nil || !ok || c == model.NoCollector || int(c) >= s.NumCollectors() {
		if len(h.values) > 0 {
			h.edition++
		}
		h.values, h.bins, h.mark, h.fresh.done = h.values[:0], h.bins[:0], -1, false
		return
	}
	bins := max(4, min(64, int(h.plot.W()/env.Px(5))))
	key := rangeKey{session: s, revision: s.Revision(), track: v.Track(), first: first, last: last, live: v.Live(), extra: uint64(c)<<16 | uint64(bins)<<1}
	if h.Levels {
		key.extra |= 1
	}
	if h.fresh.due(env, key) {
		h.edition++
		h.first, h.frames = first, last-first+1
		h.step = (h.frames + histogramFrames - 1) / histogramFrames
		h.values = h.values[:0]
		for i := first; i <= last; i += h.step {
			var net float64
			h.bands = h.bands[:0]
			h.bands, net = s.FrameStrip(v.Track(), i, c, h.Levels, h.bands)
			h.values = append(h.values, float32(net))
		}
		h.count(bins)
	}
	mark := -1
	if !v.Live() && v.FrameA() == v.FrameB() && v.FrameA() >= 0 && v.FrameA() < track.NumFrames() {
		h.bands = h.bands[:0]
		var net float64
		h.bands, net = s.FrameStrip(v.Track(), v.FrameA(), c, h.Levels, h.bands)
		mark = h.binOf(float32(net))
	}
	if mark != h.mark {
		h.mark = mark
		h.edition++
	}
}

// count sorts the values into bins. The last bin holds also what is greater: a few wild frames must not squeeze all others into one bin.
func (h *Histogram) count(bins int) {
	h.sorted = append(h.sorted[:0], h.values...)
	slices.Sort(h.sorted)
	n := len(h.sorted)
	at := func(q float64) float64 { return float64(h.sorted[int(q*float64(n-1))]) }
	h.median = at(0.5)
	h.lo, h.hi = float64(h.sorted[0]), float64(h.sorted[n-1])
	if far := at(0.95) + 1.2*(at(0.95)-at(0.05)); far < h.hi && far > h.lo {
		h.hi = far
	}
	if h.hi <= h.lo {
		h.hi = h.lo + max(1e-6, h.lo*0.01)
	}
	h.bins = h.bins[:0]
	for range bins {
		h.bins = append(h.bins, 0)
	}
	h.most = 1
	for _, v := range h.values {
		b := h.binOf(v)
		h.bins[b]++
		h.most = max(h.most, h.bins[b])
	}
}

// binOf returns the bin of a value.
func (h *Histogram) binOf(v float32) int {
	if len(h.bins) == 0 {
		return -1
	}
	share := (float64(v) - h.lo) / (h.hi - h.lo)
	return min(max(int(share*float64(len(h.bins))), 0), len(h.bins)-1)
}

// binRect returns the column of the plot that belongs to a bin, at full height.
func (h *Histogram) binRect(bin int) draw.Rect {
	w := h.plot.W() / float32(len(h.bins))
	return draw.Rect{X0: snap(h.plot.X0 + float32(bin)*w), Y0: h.plot.Y0, X1: snap(h.plot.X0 + float32(bin+1)*w), Y1: h.plot.Y1}
}

func (h *Histogram) binAt(pxX, pxY float32) int {
	if len(h.bins) == 0 || !h.plot.Contains(pxX, pxY) {
		return -1
	}
	for i := range h.bins {
		if r := h.binRect(i); pxX >= r.X0 && pxX < r.X1 {
			return i
		}
	}
	return -1
}

// selectIn selects the next frame, after the selected one, whose value is in a bin.
func (h *Histogram) selectIn(env *Env, bin int) {
	n := len(h.values)
	from := 0
	if h.step > 0 && env.View.FrameA() >= h.first {
		from = (env.View.FrameA()-h.first)/h.step + 1
	}
	for i := range n {
		k := (from + i) % n
		if h.binOf(h.values[k]) == bin {
			f := h.first + k*h.step
			env.View.SelectFrames(f, f)
			return
		}
	}
}

// appendValue appends a value in the collector's units.
func (h *Histogram) appendValue(env *Env, dst []byte, v float64) []byte {
	if h.Levels {
		return AppendValue(dst, v, unitOf(env.View.Session(), h.collector(env)))
	}
	return AppendDuration(dst, int64(v*1e9+0.5))
}

func (h *Histogram) draw(env *Env) {
	l, th := h.list, env.Theme
	l.Reset(h.rect)
	l.Rect(h.rect, draw.Color(th.Panel))
	if len(h.bins) == 0 || h.plot.Empty() {
		words := "How a collector's times are spread.\nSelect a collector."
		if env.View.Session() == nil {
			words = "How a collector's times are spread.\nConnect a game or open a recording."
		}
		drawWords(l, env, h.rect, words)
		return
	}
	c := env.View.Palette().Fill(h.collector(env))
	if alike(c, draw.Color(th.Panel)) {
		c = draw.Color(th.FrameBar)
	}
	for i, n := range h.bins {
		r := h.binRect(i)
		if i == h.over {
			l.Rect(r, draw.Color(th.Hover))
		}
		gap := float32(0)
		if r.W() >= 4 {
			gap = env.Px(1)
		}
		color := c
		if i == h.mark {
			color = draw.Color(th.Selection)
		}
		if n > 0 {
			top := max(env.Px(1), snap(h.plot.H()*float32(n)/float32(h.most)))
			l.Rect(draw.Rect{X0: r.X0, Y0: r.Y1 - top, X1: r.X1 - gap, Y1: r.Y1}, color)
		}
		if i == h.mark {
			mid := (r.X0 + r.X1 - gap) / 2
			l.Triangle(mid-env.Px(4), r.Y1+env.Px(6), mid, r.Y1+env.Px(1), mid+env.Px(4), r.Y1+env.Px(6), color)
		}
	}
	l.HLine(h.plot.X0, h.plot.X1, h.plot.Y1, env.Px(1), draw.Color(th.Separator))
	x := snap(h.plot.X0 + h.plot.W()*float32((h.median-h.lo)/(h.hi-h.lo)))
	l.DashedV(x, h.plot.Y0, h.plot.Y1, env.Px(1), env.Px(3), env.Px(3), draw.Color(th.Target))

	foot := draw.Rect{X0: h.plot.X0, Y0: h.plot.Y1 + env.Px(3), X1: h.plot.X1, Y1: h.rect.Y1 - env.Px(1)}
	h.buf = h.appendValue(env, h.buf[:0], h.lo)
	l.TextFit(draw.Small, foot, draw.Left, scratchText(h.buf), draw.Color(th.Text2))
	h.buf = h.buf[:0]
	if float64(h.sorted[len(h.sorted)-1]) > h.hi {
		h.buf = append(h.buf, "≥ "...)
	}
	h.buf = h.appendValue(env, h.buf, h.hi)
	l.TextFit(draw.Small, foot, draw.Right, scratchText(h.buf), draw.Color(th.Text2))
	h.buf = h.appendValue(env, append(h.buf[:0], "median "...), h.median)
	w := env.Atlas.Measure(draw.Small, scratchText(h.buf))
	if x0 := x - w/2; x0 > foot.X0+env.Px(62) && x0+w < foot.X1-env.Px(70) {
		l.Text(draw.Small, x0, foot.Y0+env.Px(1), scratchText(h.buf), draw.Color(th.TextDim))
	}
}

// HitTest returns the bin under a point.
func (h *Histogram) HitTest(env *Env, pxX, pxY float32) Hit {
	hit := Hit{Collector: model.NoCollector, Frame: -1, Track: env.View.Track()}
	i := h.binAt(pxX, pxY)
	if i < 0 || env.View.Session() == nil {
		return hit
	}
	hit.Kind, hit.Collector, hit.Rect = HitAxis, h.collector(env), h.binRect(i)
	w := (h.hi - h.lo) / float64(len(h.bins))
	t := &h.hit
	t.begin()
	t.buf = h.appendValue(env, t.buf, h.lo+float64(i)*w)
	if i == len(h.bins)-1 && float64(h.sorted[len(h.sorted)-1]) > h.hi {
		t.buf = append(t.buf, " and more"...)
	} else {
		t.buf = h.appendValue(env, append(t.buf, " – "...), h.lo+float64(i+1)*w)
	}
	t.end()
	t.buf = AppendCount(t.buf, int64(h.bins[i]))
	t.buf = AppendCount(append(t.buf, " of "...), int64(len(h.values)))
	t.buf = AppendPercent(append(t.buf, " frames · "...), float64(h.bins[i])/float64(len(h.values)))
	t.end()
	hit.Lines = t.all()
	return hit
}

// Title returns the panel's title.
func (h *Histogram) Title(env *Env) string {
	b := append(h.buf[:0], "Distribution"...)
	if s, c := env.View.Session(), h.collector(env); s != nil && c != model.NoCollector {
		b = append(append(b, ": "...), fullName(s.Collector(c))...)
	}
	h.buf = b
	return h.title.set(b)
}

// Mode returns how many frames were counted: "200 frames", "2048 of 40 000 frames".
func (h *Histogram) Mode(*Env) string {
	b := h.buf[:0]
	if len(h.values) > 0 {
		b = AppendCount(b, int64(len(h.values)))
		if h.step > 1 {
			b = AppendCount(append(b, " of "...), int64(h.frames))
		}
		b = append(b, " frames"...)
	}
	h.buf = b
	return h.mode.set(b)
}
