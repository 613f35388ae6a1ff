// Package histogram draws how the times of a collector, or the values of a series, are distributed.
package histogram

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/store"
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

	panel.Layers[histogramKey, struct{}]
	Rect   draw.Rect
	Plot   draw.Rect
	fresh  panel.Refresher
	Values []float32
	Sorted []float32
	first  int
	step   int
	frames int // in the run
	Lo, Hi float64
	median float64
	Bins   []int32
	Most   int32
	mark   int // bin of the selected frame, -1 none
	over   int // bin under the mouse
	bands  []store.Band

	hit     panel.TipLines
	buf     []byte
	mode    panel.CachedText
	title   panel.CachedText
	edition uint64
}

type histogramKey struct {
	edition, view uint64
	over          int
}

// New returns a histogram of the view's collector.
func New() *Histogram { return &Histogram{Collector: model.NoCollector, mark: -1, over: -1} }

func (h *Histogram) collector(env *panel.Env) model.CollectorID {
	if h.Collector != model.NoCollector {
		return h.Collector
	}
	return env.View.Collector()
}

// Update brings the picture up to date. A click on a bin selects the next frame in it.
func (h *Histogram) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	h.Rect = rect
	h.Plot = draw.Rect{X0: rect.X0 + env.Px(9), Y0: rect.Y0 + env.Px(8), X1: rect.X1 - env.Px(9), Y1: rect.Y1 - env.Px(20)}
	h.gather(env)
	h.over = -1
	if in.Over {
		h.over = h.BinAt(in.X, in.Y)
		if h.over >= 0 && in.Left.Released && !in.Left.Dragging {
			h.selectIn(env, h.over)
		}
	}
	if h.BeginBase(env, rect, histogramKey{h.edition, env.View.Stamp(), h.over}) {
		h.draw(env)
	}
	return panel.Action{}
}

// run returns the frames to look at: the selected ones if they are several, else the newest or those around the selected one.
func (h *Histogram) run(env *panel.Env) (track *store.Track, first, last int, ok bool) {
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
func (h *Histogram) gather(env *panel.Env) {
	v, s := env.View, env.View.Session()
	c := h.collector(env)
	track, first, last, ok := h.run(env)
	if s == nil || !ok || c == model.NoCollector || int(c) >= s.Collectors().Len() {
		if len(h.Values) > 0 {
			h.edition++
		}
		h.Values, h.Bins, h.mark, h.fresh.Done = h.Values[:0], h.Bins[:0], -1, false
		return
	}
	bins := max(4, min(64, int(h.Plot.W()/env.Px(5))))
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), First: first, Last: last, Live: v.Live(), Extra: uint64(c)<<16 | uint64(bins)<<1}
	if h.Levels {
		key.Extra |= 1
	}
	if h.fresh.Due(env, key) {
		h.edition++
		h.first, h.frames = first, last-first+1
		h.step = (h.frames + histogramFrames - 1) / histogramFrames
		h.Values = h.Values[:0]
		for i := first; i <= last; i += h.step {
			var net float64
			h.bands = h.bands[:0]
			h.bands, net = s.FrameStrip(v.Track(), i, c, h.Levels, h.bands)
			h.Values = append(h.Values, float32(net))
		}
		h.Count(bins)
	}
	mark := -1
	if !v.Live() && v.FrameA() == v.FrameB() && v.FrameA() >= 0 && v.FrameA() < track.NumFrames() {
		h.bands = h.bands[:0]
		var net float64
		h.bands, net = s.FrameStrip(v.Track(), v.FrameA(), c, h.Levels, h.bands)
		mark = h.BinOf(float32(net))
	}
	if mark != h.mark {
		h.mark = mark
		h.edition++
	}
}

// count sorts the values into bins. The last bin holds also what is greater: a few wild frames must not squeeze all others into one bin.
func (h *Histogram) Count(bins int) {
	h.Sorted = append(h.Sorted[:0], h.Values...)
	slices.Sort(h.Sorted)
	n := len(h.Sorted)
	at := func(q float64) float64 { return float64(h.Sorted[int(q*float64(n-1))]) }
	h.median = at(0.5)
	h.Lo, h.Hi = float64(h.Sorted[0]), float64(h.Sorted[n-1])
	if far := at(0.95) + 1.2*(at(0.95)-at(0.05)); far < h.Hi && far > h.Lo {
		h.Hi = far
	}
	if h.Hi <= h.Lo {
		h.Hi = h.Lo + max(1e-6, h.Lo*0.01)
	}
	h.Bins = panel.Zeros(h.Bins, bins)
	h.Most = 1
	for _, v := range h.Values {
		b := h.BinOf(v)
		h.Bins[b]++
		h.Most = max(h.Most, h.Bins[b])
	}
}

// BinOf returns the bin of a value.
func (h *Histogram) BinOf(v float32) int {
	if len(h.Bins) == 0 {
		return -1
	}
	share := (float64(v) - h.Lo) / (h.Hi - h.Lo)
	return min(max(int(share*float64(len(h.Bins))), 0), len(h.Bins)-1)
}

// BinRect returns the column of the plot that belongs to a bin, at full height.
func (h *Histogram) BinRect(bin int) draw.Rect {
	w := h.Plot.W() / float32(len(h.Bins))
	return draw.Rect{X0: panel.Snap(h.Plot.X0 + float32(bin)*w), Y0: h.Plot.Y0, X1: panel.Snap(h.Plot.X0 + float32(bin+1)*w), Y1: h.Plot.Y1}
}

// Bar returns the bar of a bin, whose height is its count.
func (h *Histogram) Bar(env *panel.Env, bin int) draw.Rect {
	r := h.BinRect(bin)
	if r.W() >= 4 {
		r.X1 -= env.Px(1)
	}
	if r.Y0 = r.Y1; h.Bins[bin] > 0 {
		r.Y0 -= max(env.Px(1), panel.Snap(h.Plot.H()*float32(h.Bins[bin])/float32(h.Most)))
	}
	return r
}

// Beyond tells whether the last bin holds greater values than its own.
func (h *Histogram) Beyond() bool { return float64(h.Sorted[len(h.Sorted)-1]) > h.Hi }

// Next returns the index of the first value from one on, in a circle, that is in a bin; -1 where none is.
func (h *Histogram) Next(from, bin int) int {
	for i := range h.Values {
		if k := (from + i) % len(h.Values); h.BinOf(h.Values[k]) == bin {
			return k
		}
	}
	return -1
}

// AppendRange appends which values a bin holds, written by value: "2 ms – 3 ms".
func (h *Histogram) AppendRange(dst []byte, bin int, value func(dst []byte, v float64) []byte) []byte {
	w := (h.Hi - h.Lo) / float64(len(h.Bins))
	dst = value(dst, h.Lo+float64(bin)*w)
	if bin == len(h.Bins)-1 && h.Beyond() {
		return append(dst, " and more"...)
	}
	return value(append(dst, " – "...), h.Lo+float64(bin+1)*w)
}

// DrawFoot writes the values at the ends of the axis into a row below the plot.
func (h *Histogram) DrawFoot(l *draw.List, env *panel.Env, foot draw.Rect, value func(dst []byte, v float64) []byte) {
	h.buf = value(h.buf[:0], h.Lo)
	l.TextFit(draw.Small, foot, draw.Left, panel.ScratchText(h.buf), draw.Color(env.Theme.Text2))
	if h.buf = h.buf[:0]; h.Beyond() {
		h.buf = append(h.buf, "≥ "...)
	}
	h.buf = value(h.buf, h.Hi)
	l.TextFit(draw.Small, foot, draw.Right, panel.ScratchText(h.buf), draw.Color(env.Theme.Text2))
}

// BinAt returns the bin under a point, -1 none.
func (h *Histogram) BinAt(pxX, pxY float32) int {
	if len(h.Bins) == 0 || !h.Plot.Contains(pxX, pxY) {
		return -1
	}
	for i := range h.Bins {
		if r := h.BinRect(i); pxX >= r.X0 && pxX < r.X1 {
			return i
		}
	}
	return -1
}

// selectIn selects the next frame, after the selected one, whose value is in a bin.
func (h *Histogram) selectIn(env *panel.Env, bin int) {
	from := 0
	if h.step > 0 && env.View.FrameA() >= h.first {
		from = (env.View.FrameA()-h.first)/h.step + 1
	}
	if k := h.Next(from, bin); k >= 0 {
		f := h.first + k*h.step
		env.View.SelectFrames(f, f)
	}
}

// appendValue appends a value in the collector's units.
func (h *Histogram) appendValue(env *panel.Env, dst []byte, v float64) []byte {
	if h.Levels {
		return format.AppendValue(dst, v, subject.UnitOf(env.View.Session(), h.collector(env)))
	}
	return format.AppendDuration(dst, int64(v*1e9+0.5))
}

func (h *Histogram) draw(env *panel.Env) {
	l, th := h.List(), env.Theme
	if len(h.Bins) == 0 || h.Plot.Empty() {
		words := "How a collector's times are spread.\nSelect a collector."
		if env.View.Session() == nil {
			words = "How a collector's times are spread.\nConnect a game or open a recording."
		}
		panel.DrawWords(l, env, h.Rect, words)
		return
	}
	c := env.View.Look().Palette().Fill(h.collector(env))
	if panel.Alike(c, draw.Color(th.Panel)) {
		c = draw.Color(th.FrameBar)
	}
	for i := range h.Bins {
		if i == h.over {
			l.Rect(h.BinRect(i), draw.Color(th.Hover))
		}
		r, color := h.Bar(env, i), c
		if i == h.mark {
			color = draw.Color(th.Selection)
		}
		l.Rect(r, color)
		if i == h.mark {
			mid := (r.X0 + r.X1) / 2
			l.Triangle(mid-env.Px(4), r.Y1+env.Px(6), mid, r.Y1+env.Px(1), mid+env.Px(4), r.Y1+env.Px(6), color)
		}
	}
	l.HLine(h.Plot.X0, h.Plot.X1, h.Plot.Y1, env.Px(1), draw.Color(th.Separator))
	x := panel.Snap(h.Plot.X0 + h.Plot.W()*float32((h.median-h.Lo)/(h.Hi-h.Lo)))
	l.DashedV(x, h.Plot.Y0, h.Plot.Y1, env.Px(1), env.Px(3), env.Px(3), draw.Color(th.Target))

	foot := draw.Rect{X0: h.Plot.X0, Y0: h.Plot.Y1 + env.Px(3), X1: h.Plot.X1, Y1: h.Rect.Y1 - env.Px(1)}
	h.DrawFoot(l, env, foot, func(dst []byte, v float64) []byte { return h.appendValue(env, dst, v) })
	h.buf = h.appendValue(env, append(h.buf[:0], "median "...), h.median)
	w := env.Atlas.Measure(draw.Small, panel.ScratchText(h.buf))
	if x0 := x - w/2; x0 > foot.X0+env.Px(62) && x0+w < foot.X1-env.Px(70) {
		l.Text(draw.Small, x0, foot.Y0+env.Px(1), panel.ScratchText(h.buf), draw.Color(th.TextDim))
	}
}

// HitTest returns the bin under a point.
func (h *Histogram) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit := panel.Hit{Collector: model.NoCollector, Frame: -1, Track: env.View.Track()}
	i := h.BinAt(pxX, pxY)
	if i < 0 || env.View.Session() == nil {
		return hit
	}
	hit.Kind, hit.Collector, hit.Rect = panel.HitAxis, h.collector(env), h.BinRect(i)
	t := &h.hit
	t.Begin()
	value := func(dst []byte, v float64) []byte { return h.appendValue(env, dst, v) }
	t.With(h.AppendRange(t.Buf, i, value)).End()
	t.Count(int64(h.Bins[i])).Text(" of ").Count(int64(len(h.Values))).Text(" frames · ")
	t.Percent(float64(h.Bins[i]) / float64(len(h.Values))).End()
	hit.Lines = t.All()
	return hit
}

// Title returns the panel's title.
func (h *Histogram) Title(env *panel.Env) string {
	b := append(h.title.New(), "Distribution"...)
	if s, c := env.View.Session(), h.collector(env); s != nil && c != model.NoCollector {
		b = append(append(b, ": "...), subject.FullName(s.Collector(c))...)
	}
	return h.title.Set(b)
}

// Mode returns how many frames were counted: "200 frames", "2048 of 40 000 frames".
func (h *Histogram) Mode(*panel.Env) string {
	b := h.mode.New()
	if len(h.Values) > 0 {
		b = format.AppendCount(b, int64(len(h.Values)))
		if h.step > 1 {
			b = format.AppendCount(append(b, " of "...), int64(h.frames))
		}
		b = append(b, " frames"...)
	}
	return h.mode.Set(b)
}
