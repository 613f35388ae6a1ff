// Times draws the frame lengths of both compared sides: two histograms over each other, A filled and B a
// line, and beside them the figures of both.

package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/compare"
)

// Times is the panel.
type Times struct {
	panel.Layers[comparetimesKey, struct{}]
	cumulative, log bool

	hist  compare.Histogram
	of    comparetimesSource
	top   float64 // share at the upper edge
	hover int     // bin, one behind the last for longer frames; -1 none
	plot  draw.Rect
	head  subject.SidesHead
	tools panel.Toolbox
	tip   panel.TipLines
	mode  panel.CachedText
	buf   []byte
}

// comparetimesSource is the inputs of the bins.
type comparetimesSource struct {
	state      *view.Comparing
	revision   uint64
	cumulative bool
}

// comparetimesKey is the extra inputs of the picture.
type comparetimesKey struct {
	of     comparetimesSource
	log    bool
	hover  int
	looks  uint64
	budget int64
}

// bins is how many bins there are at most.
const bins = 48

// NewTimes returns the panel.
func NewTimes() *Times { return &Times{hover: -1} }

// Title implements panel.Panel.
func (c *Times) Title(*panel.Env) string { return "Frame time" }

// Mode describes a bin.
func (c *Times) Mode(env *panel.Env) string {
	if c.hist.StepNs == 0 || env.Comparing.Result().Single() {
		return ""
	}
	b := append(c.mode.New(), "share of frames in every "...)
	if c.cumulative {
		b = append(c.mode.New(), "share of frames up to, every "...)
	}
	return c.mode.Set(format.AppendRoundDuration(b, c.hist.StepNs))
}

// The tools.
const (
	toolCumulative = iota
	toolLog
)

// Tools implements panel.Tooled.
func (c *Times) Tools(*panel.Env) []panel.Tool {
	b := &c.tools
	b.Begin()
	b.Toggle(toolCumulative, c.cumulative, "Cumulative", "Cumulative: the frames up to the end of each bin")
	b.Toggle(toolLog, c.log, "Log y", "Few long frames are seen beside many short ones")
	return b.All()
}

// Use implements panel.Tooled.
func (c *Times) Use(_ *panel.Env, id, _ int) {
	switch id {
	case toolCumulative:
		c.cumulative = !c.cumulative
	case toolLog:
		c.log = !c.log
	}
}

// frames returns how long the frames took, nil where nothing is compared, or nothing that has any.
func frames(env *panel.Env) *compare.FrameTimes {
	if r := env.Comparing.Result(); r != nil {
		return r.Frames
	}
	return nil
}

// Update implements panel.Panel.
func (c *Times) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.fill(env)
	rest := c.head.Place(env, rect)
	c.plot = draw.Rect{
		X0: rest.X0 + env.Px(48), Y0: rest.Y0 + env.Px(22), X1: rest.X1 - env.Px(12), Y1: rest.Y1 - env.Px(22),
	}
	if w := c.tableW(env); rect.W() > 2*w {
		c.plot.X1 = rect.X1 - w
	}
	c.plot.X1, c.plot.Y1 = max(c.plot.X0, c.plot.X1), max(c.plot.Y0, c.plot.Y1)
	if c.hover = -1; in.Over {
		c.hover = c.at(in.X, in.Y)
	}
	budget := subject.Budget(env)
	if c.BeginBase(env, rect, comparetimesKey{c.of, c.log, c.hover, env.View.LookStamp(), budget}) {
		c.draw(env, rect)
	}
	return panel.Action{}
}

// tableW is how wide the figures beside the bins are.
func (c *Times) tableW(env *panel.Env) float32 { return env.Px(290) }

// fill makes the bins when the comparison is another.
func (c *Times) fill(env *panel.Env) {
	now := comparetimesSource{env.Comparing, env.Comparing.Revision(), c.cumulative}
	if now == c.of {
		return
	}
	c.of, c.hist, c.top = now, compare.Histogram{}, 0
	f := frames(env)
	if f == nil {
		return
	}
	c.hist = f.Histogram(bins)
	for side := range f.Sides {
		for k := range c.columns() {
			c.top = max(c.top, c.share(f, side, k))
		}
	}
	c.top = format.RoundUp(max(c.top, 1e-6), 1e-9, 1, 1.5, 2, 3, 4, 5, 6, 8)
	if c.cumulative {
		c.top = 1
	}
}

// columns returns the number of columns of the chart: the bins, and one for longer frames.
func (c *Times) columns() int {
	if c.hist.StepNs == 0 {
		return 0
	}
	return len(c.hist.Counts[0]) + 1
}

// share returns the part of a side's frames in a column, or up to its end.
func (c *Times) share(f *compare.FrameTimes, side, k int) float64 {
	n, sum := f.Sides[side].Received, int64(0)
	from := format.Pick(c.cumulative, 0, k)
	for i := from; i <= k; i++ {
		if i == len(c.hist.Counts[side]) {
			sum += c.hist.Above[side]
		} else {
			sum += c.hist.Counts[side][i]
		}
	}
	return float64(sum) / float64(max(n, 1))
}

// at returns the column under a point, -1 none.
func (c *Times) at(x, y float32) int {
	if !c.plot.Contains(x, y) || c.columns() == 0 {
		return -1
	}
	return min(int((x-c.plot.X0)/c.plot.W()*float32(c.columns())), c.columns()-1)
}

// columnRect returns the rectangle of a column of a height.
func (c *Times) columnRect(k int, share float64) draw.Rect {
	w := c.plot.W() / float32(c.columns())
	return draw.Rect{
		X0: c.plot.X0 + panel.Snap(float32(k)*w), Y0: c.plot.Y1 - panel.Snap(c.plot.H()*float32(c.height(share))),
		X1: c.plot.X0 + panel.Snap(float32(k+1)*w), Y1: c.plot.Y1,
	}
}

// height returns how high a share is drawn, 0 to 1. The logarithmic scale begins at a thousandth of
// its upper edge.
func (c *Times) height(share float64) float64 {
	if c.top <= 0 {
		return 0
	}
	share /= c.top
	if c.log {
		share = 1 + math.Log10(max(share, 1e-3))/3
	}
	return min(max(share, 0), 1)
}

// HitTest implements panel.Panel.
func (c *Times) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit := panel.NoHit()
	f, k := frames(env), c.at(pxX, pxY)
	if f == nil || k < 0 || env.Comparing.Revision() != c.of.revision {
		return hit
	}
	l := &c.tip
	l.Begin()
	from := c.hist.FromNs + int64(k)*c.hist.StepNs
	switch {
	case k == c.columns()-1:
		l.Duration(from).Text(" and longer").End()
	case c.cumulative:
		l.Text("up to ").Duration(from + c.hist.StepNs).End()
	default:
		l.Duration(from).Text(" to ").Duration(from + c.hist.StepNs).End()
	}
	for side, name := range [...]string{"A\t", "B\t"} {
		share := c.share(f, side, k)
		l.Text(name).Count(int64(share*float64(f.Sides[side].Received) + 0.5)).Text(" of ").
			Count(f.Sides[side].Received).Text(" frames, ").Percent(share).End()
	}
	hit.Lines, hit.Rect = l.All(), c.columnRect(k, c.top)
	hit.Kind = panel.HitAxis
	return hit
}

func (c *Times) draw(env *panel.Env, rect draw.Rect) {
	l, th := c.List(), env.Theme
	f := frames(env)
	if f == nil || c.columns() == 0 {
		words := env.Comparing.Words("Frame times of two ranges, overlaid.")
		switch {
		case f != nil:
			words = "Neither side has frames."
		case env.Comparing.Timeless():
			words = "A recording without times has no frames: sums are compared."
		case env.Comparing.Result() != nil:
			words = "One side has no frames: the sides are compared by time."
		}
		panel.DrawWords(l, env, rect, words)
		c.head.Draw(env, l)
		return
	}
	c.head.Draw(env, l)
	if env.Comparing.Result().Single() {
		c.drawSingle(env, f, rect)
		return
	}
	c.drawAxes(env)
	for k := range c.columns() {
		r := c.columnRect(k, c.share(f, 0, k))
		r.X1 = max(r.X1-1, r.X0)
		fill := draw.Color(th.FrameBar)
		if k == c.hover {
			fill = draw.Highlight(fill, th)
		}
		l.Rect(r, fill)
	}
	line, before := env.Px(2), c.plot.Y1
	for k := range c.columns() {
		r := c.columnRect(k, c.share(f, 1, k))
		l.HLine(r.X0, r.X1, r.Y0-line/2, line, draw.Color(th.Accent))
		if r.Y0 != before {
			l.VLine(r.X0, min(before, r.Y0)-line/2, max(before, r.Y0)+line/2, line, draw.Color(th.Accent))
		}
		before = r.Y0
	}
	c.drawMarks(env, f)
	if c.plot.X1 < rect.X1-env.Px(100) {
		r := draw.Rect{X0: c.plot.X1 + env.Px(28), Y0: rect.Y0 + c.head.Height(), X1: rect.X1 - env.Px(12), Y1: rect.Y1}
		c.drawFigures(env, f, r)
	}
}

// drawSingle draws two single frames as bars at one scale, below how they differ.
func (c *Times) drawSingle(env *panel.Env, f *compare.FrameTimes, rect draw.Rect) {
	l, th := c.List(), env.Theme
	edge := env.Px(12)
	r := draw.Rect{X0: rect.X0 + edge, Y0: rect.Y0 + c.head.Height() + env.Px(8), X1: rect.X1 - edge, Y1: rect.Y1}
	words := string(subject.AppendSingle(nil, env.Comparing.Result()))
	for _, line := range panel.WrapWords(env.Atlas, draw.Medium, words, r.W()) {
		at := draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + env.Px(20)}
		l.TextIn(draw.Medium, at, draw.Left, line, draw.Color(th.Text))
		r.Y0 += env.Px(20)
	}
	r.Y0 += env.Px(6)
	room, longest := r.W()-env.Px(130), max(f.Sides[0].Longest, f.Sides[1].Longest, 1)
	for side, color := range [...]draw.Color{view.SideA: draw.Color(th.FrameBar), view.SideB: draw.Color(th.Accent)} {
		x := &f.Sides[side]
		bar := draw.Rect{X0: r.X0, Y0: r.Y0, Y1: r.Y0 + env.Px(20)}
		bar.X1 = bar.X0 + max(env.Px(1), room*float32(float64(x.Longest)/float64(longest)))
		l.Rect(bar, color)
		c.buf = append(subject.AppendMs(append(c.buf[:0], markNames[side][1]...), float64(x.Longest)), " ms"...)
		words := draw.Rect{X0: bar.X1 + env.Px(8), Y0: bar.Y0, X1: r.X1, Y1: bar.Y1}
		l.TextIn(draw.Regular, words, draw.Left, panel.ScratchText(c.buf), draw.Color(th.Text))
		r.Y0 += env.Px(24)
	}
	r.Y0 += env.Px(8)
	c.drawParts(env, env.Comparing.Result(), r)
}

// drawParts lists the collectors whose self times differ most, as many as there is room for.
func (c *Times) drawParts(env *panel.Env, result *compare.Result, r draw.Rect) {
	parts := make([]*compare.Row, 0, len(result.Collectors))
	for i := range result.Collectors {
		if x := &result.Collectors[i]; math.Abs(x.Self.Delta()) >= leastPart {
			parts = append(parts, x)
		}
	}
	slices.SortStableFunc(parts, func(a, b *compare.Row) int {
		return cmp.Compare(math.Abs(b.Self.Delta()), math.Abs(a.Self.Delta()))
	})
	l, row := c.List(), env.Px(20)
	name := min(r.W()*0.4, env.Px(260))
	bars := draw.Rect{X0: r.X0 + name, X1: r.X1 - env.Px(90)}
	for _, x := range parts[:min(len(parts), max(0, int(r.H()/row)))] {
		delta := x.Self.Delta()
		at := draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + row}
		long := max(env.Px(1), bars.W()*float32(math.Abs(delta/parts[0].Self.Delta())))
		bar := draw.Rect{X0: bars.X0, Y0: at.Y0 + env.Px(5), X1: bars.X0 + panel.Snap(long), Y1: at.Y1 - env.Px(5)}
		l.Rect(bar, subject.DeltaColor(env, &x.Self))
		c.buf = append(subject.AppendDelta(c.buf[:0], delta), " ms"...)
		l.TextIn(draw.Regular, at, draw.Right, panel.ScratchText(c.buf), draw.Color(env.Theme.Text))
		at.X1 = bars.X0 - env.Px(10)
		l.NameIn(draw.Regular, at, draw.Left, x.Name()+" on "+result.Threads[x.Thread].Title, draw.Color(env.Theme.Text2))
		r.Y0 += row
	}
}

// leastPart is the least difference of a part that is listed, in ns: less is written as 0.00 ms.
const leastPart = 5000

// drawAxes draws the scales.
func (c *Times) drawAxes(env *panel.Env) {
	l, th := c.List(), env.Theme
	steps := []float64{0, 0.25, 0.5, 0.75, 1}
	if c.log {
		steps = []float64{0.001, 0.01, 0.1, 1}
	}
	for _, part := range steps {
		share := part * c.top
		y := c.plot.Y1 - panel.Snap(c.plot.H()*float32(c.height(share)))
		l.HLine(c.plot.X0, c.plot.X1, y, env.Px(1), draw.Color(th.Grid))
		c.buf = format.AppendPercent(c.buf[:0], share)
		r := draw.Rect{X0: c.plot.X0 - env.Px(44), Y0: y - env.Px(8), X1: c.plot.X0 - env.Px(5), Y1: y + env.Px(8)}
		l.TextIn(draw.Small, r, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
	}
	n := c.columns() - 1
	every := max(1, int(float32(n)*env.Px(58)/max(c.plot.W(), 1))+1)
	for k := 0; k <= n; k += every {
		if k+every > n && k != n { // the last label is the begin of the longer frames
			k = n
		}
		x := c.columnRect(k, 0).X0
		l.VLine(x, c.plot.Y1, c.plot.Y1+env.Px(3), env.Px(1), draw.Color(th.TextDim))
		c.buf = c.buf[:0]
		if k == n {
			c.buf = append(c.buf, "≥ "...)
		}
		c.buf = strconv.AppendFloat(c.buf, float64(c.hist.FromNs+int64(k)*c.hist.StepNs)/1e6, 'f', c.digits(), 64)
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf))
		at := min(max(x-w/2, c.plot.X0), c.plot.X1-w)
		l.Text(draw.Small, at, c.plot.Y1+env.Px(4), panel.ScratchText(c.buf), draw.Color(th.Text2))
	}
	r := draw.Rect{
		X0: c.plot.X0 - env.Px(44), Y0: c.plot.Y1 + env.Px(3), X1: c.plot.X0 - env.Px(5), Y1: c.plot.Y1 + env.Px(19),
	}
	l.TextIn(draw.Small, r, draw.Right, "ms", draw.Color(th.Text2))
}

// digits is the number of decimals that distinguish the bins, in ms.
func (c *Times) digits() int {
	n := 0
	for step := c.hist.StepNs; step < 1e6 && n < 6; step *= 10 {
		n++
	}
	return n
}

// xOf returns where a length lies, false behind the bins.
func (c *Times) xOf(ns float64) (float32, bool) {
	k := (ns - float64(c.hist.FromNs)) / float64(c.hist.StepNs)
	if k < 0 || k > float64(c.columns()-1) {
		return 0, false
	}
	return c.plot.X0 + panel.Snap(float32(k)*c.plot.W()/float32(c.columns())), true
}

// single reports whether a side is one frame, which has no median.
func single(f *compare.FrameTimes, side int) bool { return f.Sides[side].Received == 1 }

// markNames are the names of a side's mark: for several frames the median, for one that frame.
var markNames = [2][2]string{view.SideA: {"A median ", "A "}, view.SideB: {"B median ", "B "}}

// drawMarks marks both medians and the budget.
func (c *Times) drawMarks(env *panel.Env, f *compare.FrameTimes) {
	l, th := c.List(), env.Theme
	if x, ok := c.xOf(float64(subject.Budget(env))); ok {
		l.DashedV(x, c.plot.Y0, c.plot.Y1, env.Px(1), env.Px(5), env.Px(4), draw.Color(th.Target))
		c.buf = append(subject.AppendMs(append(c.buf[:0], "budget "...), float64(subject.Budget(env))), ' ')
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf))
		if x+w < c.plot.X1 {
			l.Text(draw.Small, x+env.Px(4), c.plot.Y0, panel.ScratchText(c.buf), draw.Color(th.Text2))
		}
	}
	a, okA := c.xOf(f.Sides[0].Median)
	b, okB := c.xOf(f.Sides[1].Median)
	begin, end := float32(0), float32(0) // of the label before
	for side, x := range [2]float32{a, b} {
		if ok := [2]bool{okA, okB}[side]; !ok {
			continue
		}
		color, name := draw.Color(th.Text2), markNames[side][0]
		if single(f, side) {
			name = markNames[side][1]
		}
		if side == view.SideB {
			color = draw.Color(th.Accent)
		}
		l.VLine(x, c.plot.Y0-env.Px(2), c.plot.Y1, env.Px(1), color) // below the words of the other
		c.buf = subject.AppendMs(append(c.buf[:0], name...), f.Sides[side].Median)
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf))
		left := (side == 0) == (a <= b)
		at := x + env.Px(4)
		if left && x-w-env.Px(4) > c.plot.X0 {
			at = x - w - env.Px(4)
		}
		if at+w > c.plot.X1 {
			at = c.plot.X1 - w
		}
		switch overlaps := at < end && at+w > begin; {
		case overlaps && end+w > c.plot.X1:
			at = begin - w
		case overlaps:
			at = end
		}
		if begin, end = at-env.Px(8), at+w+env.Px(8); at >= c.plot.X0-env.Px(44) {
			l.Text(draw.Small, at, c.plot.Y0-env.Px(17), panel.ScratchText(c.buf), color)
		}
	}
}

// drawFigures writes the figures of both sides.
func (c *Times) drawFigures(env *panel.Env, f *compare.FrameTimes, r draw.Rect) {
	l, th := c.List(), env.Theme
	y, row := r.Y0, env.Px(19)
	cell := func(col int, text string, color draw.Color) {
		left, w := r.X0+env.Px(96), (r.W()-env.Px(96))/3
		box := draw.Rect{X0: left + float32(col)*w, Y0: y, X1: left + float32(col+1)*w, Y1: y + row}
		l.TextIn(draw.Regular, box, draw.Right, text, color)
	}
	name := func(s string, color draw.Color) {
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0, Y0: y, X1: r.X0 + env.Px(96), Y1: y + row}, draw.Left, s, color)
	}
	name("ms", draw.Color(th.Text2))
	cell(0, "A", draw.Color(th.Text2))
	cell(1, "B", draw.Color(th.Accent))
	cell(2, "B − A", draw.Color(th.Text2))
	a, b := &f.Sides[0], &f.Sides[1]
	type figure struct {
		name string
		a, b float64
	}
	figures := []figure{{"median", a.Median, b.Median}, {"p95", a.P95, b.P95}, {"p99", a.P99, b.P99}, {"longest", a.Longest, b.Longest}}
	if single(f, view.SideA) && single(f, view.SideB) {
		figures = []figure{{"the frame", a.Longest, b.Longest}}
	}
	for _, x := range figures {
		if y += row; y+row > r.Y1 {
			return
		}
		name(x.name, draw.Color(th.Text2))
		cell(0, string(subject.AppendMs(nil, x.a)), draw.Color(th.Text))
		cell(1, string(subject.AppendMs(nil, x.b)), draw.Color(th.Text))
		cell(2, string(subject.AppendDelta(nil, x.b-x.a)), draw.Color(th.Text2))
	}
	if len(figures) == 1 {
		return
	}
	if y += row; y+row > r.Y1 {
		return
	}
	name("over budget", draw.Color(th.Text2))
	cell(0, string(format.AppendPercent(nil, a.Share())), draw.Color(th.Text))
	cell(1, string(format.AppendPercent(nil, b.Share())), draw.Color(th.Text))
	if y += row; y+row > r.Y1 {
		return
	}
	name("hitches", draw.Color(th.Text2))
	cell(0, string(format.AppendCount(nil, a.Hitches)), draw.Color(th.Text))
	cell(1, string(format.AppendCount(nil, b.Hitches)), draw.Color(th.Text))
	cell(2, oftener(&f.Hitches), subject.DeltaColor(env, &f.Hitches))
	if y += row; y+row > r.Y1 {
		return
	}
	c.drawVerdict(env, f, draw.Rect{X0: r.X0, Y0: y + env.Px(4), X1: r.X1, Y1: y + row + env.Px(4)})
}

// oftener describes which side has more hitches.
func oftener(f *compare.Figure) string {
	switch f.Verdict {
	case compare.Slower, compare.New:
		return "more"
	case compare.Faster, compare.Gone:
		return "fewer"
	case compare.Noise, compare.Identical:
		return f.Verdict.String()
	}
	return ""
}

// drawVerdict writes whether frames changed.
func (c *Times) drawVerdict(env *panel.Env, f *compare.FrameTimes, r draw.Rect) {
	words := append(c.buf[:0], "within noise"...)
	if m := &f.Mean; m.Verdict == compare.Identical {
		words = append(c.buf[:0], "identical, frame by frame"...)
	} else if m.Verdict.Changed() {
		words = append(append(c.buf[:0], m.Verdict.String()...), ": "...)
		words = append(subject.AppendDelta(words, m.Delta()), " ± "...)
		words = append(subject.AppendSpread(words, m.Half, m.Delta()), " ms"...)
	} else if m.Verdict == compare.Untested {
		words = append(c.buf[:0], "too few frames to tell"...)
		if m.Lack == compare.LacksIndependent {
			words = append(c.buf[:0], "frames too alike to tell"...)
		}
		if m.Needs > 0 {
			words = append(append(words, ", it takes about "...), strconv.Itoa(m.Needs)...)
		}
	}
	c.List().TextIn(draw.Medium, r, draw.Left, string(words), subject.DeltaColor(env, &f.Mean))
}
