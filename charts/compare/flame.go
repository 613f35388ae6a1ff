// Flame draws the differential flame graph of a comparison: the call tree of B, each bar as wide as its
// time, red if slower, blue if faster, grey if the difference is noise. A vanished call has the width that
// it had in A.

package compare

import (
	"math"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
)

// Flame is the panel. A click selects the collector of a bar, a double click lets the bar fill the
// width and, outside of all, everything again.
type Flame struct {
	panel.Layers[key, struct{}]
	byA, noNoise bool

	of      source
	bars    []bar // of all threads, callers before callees
	threads []lane
	most    float64 // greatest change in color, ns
	single  bool    // each side is a single frame
	total   float64 // width of the whole, ns
	height  int     // rows of all threads
	zoom    int     // bar that fills the width, -1 none
	scroll  float32
	hover   int
	head    subject.SidesHead
	scale   subject.Scale
	names   float32 // width of those of the threads
	report  panel.HoverReport
	again   panel.DoubleGuard
	plot    draw.Rect
	tools   panel.Toolbox
	tip     panel.TipLines
	buf     []byte
}

// source is the inputs of the bars.
type source struct {
	state    *view.Comparing
	revision uint64
	byA      bool
}

// key is the extra inputs of the picture.
type key struct {
	of          source
	looks       uint64
	zoom, hover int
	scroll      float32
	noNoise     bool
}

// bar is a call path: from start, as wide as its width, in ns.
type bar struct {
	row          *compare.Row
	start, width float64
	depth, next  int // next: behind its callees
	y            int // row of the panel
	rect         draw.Rect
}

// lane is a thread with its rows.
type lane struct {
	title string
	y, n  int
}

// NewFlame returns the panel.
func NewFlame() *Flame { return &Flame{zoom: -1, hover: -1} }

// Title implements panel.Panel.
func (g *Flame) Title(*panel.Env) string { return "Differential flame graph" }

// Mode describes the widths.
func (g *Flame) Mode(env *panel.Env) string {
	switch {
	case env.Comparing.Result() == nil:
		return ""
	case g.byA:
		return "as wide as in A"
	}
	return "as wide as in B"
}

// The tools.
const (
	toolNoise = iota
	toolWidth
	toolWhole
	toolSum
)

// Tools implements panel.Tooled.
func (g *Flame) Tools(env *panel.Env) []panel.Tool {
	b := &g.tools
	b.Begin()
	if subject.SumTool(b, toolSum, env.Comparing); !env.Comparing.Timeless() {
		b.Toggle(toolNoise, !g.noNoise, "Noise grey", "Differences that may be chance have no color")
	}
	b.Toggle(toolWidth, g.byA, "Width of A", "Bars are as wide as in A, new ones as in B; off: the other way round")
	if g.zoom >= 0 {
		b.Action(toolWhole, "Whole", "Show the whole graph")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (g *Flame) Use(env *panel.Env, id, option int) {
	switch id {
	case toolSum:
		env.Comparing.SumBy(option)
	case toolNoise:
		g.noNoise = !g.noNoise
	case toolWidth:
		g.byA = !g.byA
	case toolWhole:
		g.zoom = -1
	}
}

// Update implements panel.Panel.
func (g *Flame) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	g.fill(env)
	g.layOut(env, rect)
	act := g.input(env, in)
	g.layOut(env, rect)
	looks := env.View.LookStamp()
	if g.BeginBase(env, rect, key{g.of, looks, g.zoom, g.hover, g.scroll, g.noNoise}) {
		g.draw(env, rect)
	}
	return act
}

// fill makes the bars when the comparison is another.
func (g *Flame) fill(env *panel.Env) {
	now := source{env.Comparing, env.Comparing.Revision(), g.byA}
	if now == g.of {
		return
	}
	g.of, g.bars, g.threads, g.zoom, g.hover, g.scroll = now, g.bars[:0], g.threads[:0], -1, -1, 0
	g.most, g.total, g.height, g.single = 0, 0, 0, false
	g.scale = subject.ScaleOf(env.Comparing)
	r := env.Comparing.Result()
	if r == nil {
		return
	}
	g.single = r.Single()
	for i := range r.Paths {
		row := &r.Paths[i]
		b := bar{row: row, width: g.widthOf(&row.Total), next: i + 1}
		if row.Parent >= 0 {
			b.depth = g.bars[row.Parent].depth + 1
		}
		g.bars = append(g.bars, b)
		if row.Total.Differs() {
			g.most = max(g.most, math.Abs(row.Total.Delta()))
		}
	}
	for i := len(g.bars) - 1; i >= 0; i-- { // callees come after their caller, which is as wide as all of them
		if p := g.bars[i].row.Parent; p >= 0 {
			g.bars[p].next = max(g.bars[p].next, g.bars[i].next)
		}
		sum := 0.0
		for k := i + 1; k < g.bars[i].next; k = g.bars[k].next {
			sum += g.bars[k].width
		}
		g.bars[i].width = max(g.bars[i].width, sum)
	}
	g.place(r)
}

// widthOf returns the width of a bar, in ns: that of the chosen side; without one there, that of the
// other.
func (g *Flame) widthOf(f *compare.Figure) float64 {
	first, second := f.Typical[1], f.Typical[0]
	if g.byA {
		first, second = second, first
	}
	return format.Pick(first > 0, first, second)
}

// place gives the bars their places: threads below each other, siblings side by side.
func (g *Flame) place(r *compare.Result) {
	for i := 0; i < len(g.bars); {
		thread := g.bars[i].row.Thread
		at, deepest := 0.0, 0
		end := i
		for ; end < len(g.bars) && g.bars[end].row.Thread == thread; end++ {
			b := &g.bars[end]
			b.y = g.height + b.depth
			deepest = max(deepest, b.depth)
			if b.row.Parent < 0 {
				b.start = at
				at += b.width
			}
			left := b.start
			for k := end + 1; k < b.next; k = g.bars[k].next {
				g.bars[k].start = left
				left += g.bars[k].width
			}
		}
		g.total = max(g.total, at)
		g.threads = append(g.threads, lane{r.Threads[thread].Title, g.height, deepest + 1})
		g.height += deepest + 1
		i = end
	}
}

// layOut gives the bars pixels.
func (g *Flame) layOut(env *panel.Env, rect draw.Rect) {
	g.head.Note = g.scale.Note()
	rect = g.head.Place(env, rect)
	g.names = env.Px(60)
	for i := range g.threads {
		g.names = max(g.names, env.Atlas.Measure(draw.Medium, g.threads[i].title)+env.Px(16))
	}
	g.names = min(g.names, panel.Snap(rect.W()/4))
	g.plot = draw.Rect{
		X0: rect.X0 + g.names, Y0: rect.Y0 + env.Px(6), X1: rect.X1 - env.Px(9), Y1: rect.Y1 - env.Px(24),
	}
	g.plot.X1, g.plot.Y1 = max(g.plot.X0, g.plot.X1), max(g.plot.Y0, g.plot.Y1)
	row := env.Px(20)
	g.scroll = max(0, min(g.scroll, g.contentH(env)-g.plot.H()))
	begin, width := 0.0, g.total
	if g.zoom >= 0 {
		begin, width = g.bars[g.zoom].start, g.bars[g.zoom].width
	}
	perPx := width / float64(max(g.plot.W(), 1))
	lane := 0
	for i := range g.bars {
		b := &g.bars[i]
		for g.threads[lane].y+g.threads[lane].n <= b.y {
			lane++
		}
		y := g.plot.Y0 - g.scroll + float32(b.y)*row + float32(lane)*env.Px(8)
		b.rect = draw.Rect{}
		if perPx > 0 && (g.zoom < 0 || g.bars[g.zoom].row.Thread == b.row.Thread) {
			x0 := min(max((b.start-begin)/perPx, -10), float64(g.plot.W())+10)
			x1 := min(max((b.start+b.width-begin)/perPx, -10), float64(g.plot.W())+10)
			b.rect = draw.Rect{
				X0: g.plot.X0 + panel.Snap(float32(x0)), Y0: y,
				X1: g.plot.X0 + panel.Snap(float32(x1)), Y1: y + row - env.Px(1),
			}
		}
	}
}

// contentH is how high all rows are.
func (g *Flame) contentH(env *panel.Env) float32 {
	return float32(g.height)*env.Px(20) + float32(max(len(g.threads)-1, 0))*env.Px(8)
}

// at returns the bar under a point, -1 none.
func (g *Flame) at(x, y float32) int {
	if !g.plot.Contains(x, y) {
		return -1
	}
	return slices.IndexFunc(g.bars, func(b bar) bool { return b.rect.Contains(x, y) })
}

func (g *Flame) input(env *panel.Env, in *panel.Input) panel.Action {
	g.hover = -1
	g.report.Begin()
	defer g.report.Report(env.View, g)
	if !in.Over {
		return panel.Action{}
	}
	g.scroll -= in.WheelY * env.Px(panel.WheelRowPx)
	g.hover = g.at(in.X, in.Y)
	c, track := g.collector(env, g.hover)
	if c != model.NoCollector {
		g.report.AtCollector(c)
	}
	switch {
	case in.DoubleClick && g.plot.Contains(in.X, in.Y):
		g.again.Doubled(env.View, in)
		g.zoom = g.hover
	case in.Left.Released && !in.Left.Dragging && g.again.Single(env.View) && c != model.NoCollector:
		env.View.SelectCollectorOf(track, c)
	case in.Right.Released && g.hover >= 0:
		return panel.MenuOf(g.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return panel.Action{}
}

// collector returns the collector of a bar in the shown session, and its thread.
func (g *Flame) collector(env *panel.Env, i int) (model.CollectorID, model.TrackID) {
	side := env.Comparing.ShownSide(env.View.Session())
	if i < 0 || side < 0 {
		return model.NoCollector, model.NoTrack
	}
	row := g.bars[i].row
	return row.Collectors[side], env.Comparing.Result().Threads[row.Thread].Tracks[side]
}

// HitTest implements panel.Panel.
func (g *Flame) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit := panel.NoHit()
	i := g.at(pxX, pxY)
	r := env.Comparing.Result()
	if i < 0 || r == nil || env.Comparing.Revision() != g.of.revision {
		return hit
	}
	b := &g.bars[i]
	if c, track := g.collector(env, i); c != model.NoCollector {
		hit.Kind, hit.Collector, hit.Track = panel.HitCollector, c, track
	}
	l := &g.tip
	l.Begin()
	l.Add(b.row.Name())
	l.Text("thread\t").Text(r.Threads[b.row.Thread].Title).End()
	subject.DeltaTip(l, "total", &b.row.Total, &g.scale)
	subject.CallsTip(l, b.row, g.scale.Of)
	hit.Lines, hit.Rect = l.All(), b.rect
	return hit
}

// fillOf returns the color of a bar: the greater the change, the stronger.
func (g *Flame) fillOf(env *panel.Env, f *compare.Figure) draw.Color {
	th := env.Theme
	grey := draw.Color(th.Even)
	shows := f.Differs() || g.noNoise && f.Delta() != 0
	if !shows || g.most <= 0 {
		return grey
	}
	color := subject.DeltaColor(env, f)
	if !f.Differs() {
		color = draw.Color(format.Pick(f.Delta() < 0, th.Faster, th.Slower))
	}
	share := min(math.Abs(f.Delta())/g.most, 1)
	if !f.Exact() { // that it changed is more than its size
		share = 0.35 + 0.65*share
	}
	return draw.Mix(color, grey, uint8(255*(1-share)))
}

func (g *Flame) draw(env *panel.Env, rect draw.Rect) {
	l, th := g.List(), env.Theme
	if len(g.bars) == 0 {
		words := env.Comparing.Words("Slower and faster calls, with their callers.")
		if env.Comparing.Result() != nil {
			words = subject.NothingCompared(env.Comparing)
		}
		panel.DrawWords(l, env, rect, words)
		g.head.Draw(env, l)
		return
	}
	g.head.Draw(env, l)
	g.drawThreads(env, rect)
	l.PushClip(g.plot)
	for i := range g.bars {
		g.drawBar(env, i)
	}
	l.PopClip()
	x := rect.X1 - env.Px(6)
	panel.DrawScrollBar(l, g.plot, x, x+env.Px(4), g.contentH(env), g.scroll, env.Px(16), draw.Color(th.TextDim))
	g.drawLegend(env, rect)
}

// drawThreads writes the names of the threads at the left.
func (g *Flame) drawThreads(env *panel.Env, rect draw.Rect) {
	l := g.List()
	l.PushClip(draw.Rect{X0: rect.X0, Y0: g.plot.Y0, X1: g.plot.X0, Y1: g.plot.Y1})
	for i, t := range g.threads {
		y := g.plot.Y0 - g.scroll + float32(t.y)*env.Px(20) + float32(i)*env.Px(8)
		r := draw.Rect{X0: rect.X0 + env.Px(9), Y0: y, X1: g.plot.X0 - env.Px(6), Y1: y + env.Px(19)}
		l.NameIn(draw.Medium, r, draw.Left, t.title, draw.Color(env.Theme.Text))
	}
	l.PopClip()
}

func (g *Flame) drawBar(env *panel.Env, i int) {
	b, l, th := &g.bars[i], g.List(), env.Theme
	r := b.rect
	if r.W() < 1 || r.Y1 <= g.plot.Y0 || r.Y0 >= g.plot.Y1 {
		return
	}
	if r.W() >= 3 {
		r.X1 -= env.Px(1)
	}
	f := &b.row.Total
	fill := g.fillOf(env, f)
	text := draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
	if fill == draw.Color(th.Even) {
		text = draw.Color(th.EvenText)
	}
	if f.Verdict == compare.Gone {
		l.Rect(r, draw.Color(th.Panel))
		l.Hatch(r, fill.WithAlpha(96))
		l.Outline(r, env.Px(1), fill)
		text = draw.Color(th.Text)
	} else {
		l.Rect(r, fill)
	}
	if c, _ := g.collector(env, i); c != model.NoCollector && env.View.Selects(c) && r.W() >= 4 {
		l.Outline(r, env.Px(2), draw.Color(th.Accent))
	} else if i == g.hover && r.W() >= 4 {
		l.Outline(r, env.Px(1), draw.Color(th.Text).WithAlpha(150))
	}
	g.label(env, b, r, text)
}

// label writes the name, and the change where it is one and there is room.
func (g *Flame) label(env *panel.Env, b *bar, r draw.Rect, text draw.Color) {
	l, f := g.List(), &b.row.Total
	name := b.row.Names[len(b.row.Names)-1]
	if len(b.row.Names) > 1 {
		name = shorter(name, b.row.Names[len(b.row.Names)-2])
	}
	name = draw.WithoutAddress(name)
	r.X0, r.X1 = max(r.X0, g.plot.X0)+env.Px(5), min(r.X1, g.plot.X1)-env.Px(4)
	if r.W() < env.Px(14) {
		return
	}
	g.buf = g.buf[:0]
	switch {
	case f.Verdict == compare.New:
		g.buf = append(g.buf, "new "...)
	case f.Verdict == compare.Gone:
		g.buf = append(g.buf, "gone "...)
	}
	if f.Differs() || g.noNoise && f.Delta() != 0 {
		g.buf = g.scale.AppendDelta(g.buf, f.Delta())
	}
	nameW, gap := env.Atlas.Measure(draw.Regular, name), env.Px(7)
	l.NameIn(draw.Regular, r, draw.Left, name, text)
	words := panel.ScratchText(g.buf)
	if r.X0 += nameW + gap; len(g.buf) > 0 && env.Atlas.Measure(draw.Regular, words) <= r.W() {
		l.TextIn(draw.Regular, r, draw.Left, words, text)
	}
}

// shorter removes the caller's name from the begin of a name.
func shorter(name, caller string) string {
	if len(name) > len(caller)+1 && name[:len(caller)] == caller && name[len(caller)] == ':' {
		return name[len(caller)+1:]
	}
	return name
}

// legendWords returns the words of the legend: for less in B, for more, and for no color.
func (g *Flame) legendWords() (less, more, same string) {
	if g.scale.Measure != "" {
		return "B less", "B more", "equal"
	}
	if g.single {
		return "B shorter", "B longer", "little or no difference"
	}
	return "B faster", "B slower", "within noise, or not tested"
}

// drawLegend explains the colors.
func (g *Flame) drawLegend(env *panel.Env, rect draw.Rect) {
	l, th := g.List(), env.Theme
	words := subject.Legend{
		List: l, Env: env,
		Row: draw.Rect{X0: rect.X0 + env.Px(9), Y0: rect.Y1 - env.Px(20), X1: rect.X1, Y1: rect.Y1 - env.Px(4)},
	}
	text2 := draw.Color(th.Text2)
	less, more, same := g.legendWords()
	if g.most > 0 {
		const n, stepPx = 24, 6
		words.Add(less, text2, 0, nil)
		g.buf = g.scale.AppendUnit(g.scale.Append(append(append(g.buf[:0], more...), ", up to ± "...), g.most), false)
		words.Add(panel.ScratchText(g.buf), text2, n*stepPx, func(r draw.Rect) {
			for i := range n {
				share := float64(i)/float64(n-1)*2 - 1
				f := compare.Figure{Typical: [2]float64{0, share * g.most}, Verdict: compare.Slower}
				if share < 0 {
					f.Verdict = compare.Faster
				}
				r.X1 = r.X0 + env.Px(stepPx)
				l.Rect(r, g.fillOf(env, &f))
				r.X0 = r.X1
			}
		})
		words.Add("gone", text2, subject.SwatchPx, func(r draw.Rect) {
			l.Hatch(r, draw.Color(th.Faster))
			l.Outline(r, env.Px(1), draw.Color(th.Faster))
		})
	}
	words.Swatch(same, text2, draw.Color(th.Even))
}
