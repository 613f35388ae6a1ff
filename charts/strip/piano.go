package strip

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Roll shows when, inside one frame, each collector ran: one row for each, every start a bar of its
// own (VIEWER.md section 12). Rows are in the order that a game gives its collectors, as in the strip chart's
// stack, from the bottom up; those of the same rank by their first run, from the top down. If the chosen frame is
// missing, the picture is interpolated between the neighbours and marked as such.
type Roll struct {
	// Track is the thread shown, NoTrack for the view's.
	Track model.TrackID

	panel.Layers[pianoDrawKey, struct{}]
	axis     format.Axis // ns since the frame's begin
	gestures panel.Gestures
	again    panel.DoubleGuard
	hover    panel.HoverReport
	free     bool // the user moved the axis
	regions  pianoRegions

	newest newest
	source pianoSource
	key    pianoKey
	runs   []spans.Run // times since the frame's begin
	other  []spans.Run
	rows   []pianoRow
	pal    *view.Palette // of the picture that is drawn
	bars   []pianoBar
	fitNs  float64

	scrollY            float32 // px that rows below are out of view: the lowest rows matter most and are visible first
	revealed           pianoReveal
	hoverBar, hoverRow int

	hit         panel.TipLines
	buf         []byte
	names       draw.Names
	ticks       []int64
	mode, title panel.CachedText
}

// pianoRegions are the parts of the panel.
type pianoRegions struct{ all, ruler, labels, plot draw.Rect }

// pianoSource is the frame shown.
type pianoSource struct {
	kind          subject.SourceKind
	frame         int // index; the one before the gap when kind is flameMissing
	number, durNs int64
	// of a gap: the share of it that lies before the playhead, and the numbers missing
	share       float64
	first, last int64
}

type pianoKey struct {
	session  *store.Session
	track    model.TrackID
	revision uint64
	source   pianoSource
	interpol bool
}

// pianoRow is one collector's runs.
type pianoRow struct {
	collector  model.CollectorID
	first, end int32 // indices into runs
	total      int64
}

// pianoBar is a bar on the screen.
type pianoBar struct {
	row    int32
	run    int32 // the first one of merged
	merged int32
	rect   draw.Rect
}

// NewPiano returns a piano roll of a track, NoTrack for the view's.
func NewPiano(track model.TrackID) *Roll {
	return &Roll{Track: track, hoverBar: -1, hoverRow: -1, gestures: panel.Gestures{NoRange: true}}
}

func (p *Roll) track(env *panel.Env) model.TrackID {
	if p.Track != model.NoTrack {
		return p.Track
	}
	return env.View.Track()
}

// Update handles the input of a tick and brings the picture up to date.
func (p *Roll) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	p.layOut(env, rect)
	p.source = p.choose(env)
	p.query(env)
	p.fit(env)
	act := p.input(env, in)
	p.hover.Report(env.View, p)
	p.axis.Step(env.NowNs)
	p.place(env)
	if p.BeginBase(env, rect, p.drawKey(env)) {
		p.draw(env)
	}
	return act
}

// Extent implements panel.Sized.
func (p *Roll) Extent(env *panel.Env, _ float32) float32 {
	r := p.regions
	return r.plot.Y0 - r.all.Y0 + r.all.Y1 - r.plot.Y1 + float32(len(p.rows))*p.rowHeight(env)
}

func (p *Roll) layOut(env *panel.Env, rect draw.Rect) {
	r := pianoRegions{all: rect, plot: rect}
	r.plot.X1 -= env.Px(6)
	r.plot.Y0 = min(rect.Y0+env.Px(20), rect.Y1)
	r.plot.Y1 = max(r.plot.Y0, rect.Y1-env.Px(2))
	r.plot.X0 += env.Px(6)
	if rect.W() >= env.Px(280) {
		w := panel.Snap(max(env.Px(130), min(env.Px(270), rect.W()*0.3)))
		r.labels = draw.Rect{X0: rect.X0, Y0: r.plot.Y0, X1: rect.X0 + w, Y1: r.plot.Y1}
		r.plot.X0 = r.labels.X1
	}
	r.plot.X1 = max(r.plot.X0, r.plot.X1)
	r.ruler = draw.Rect{X0: r.plot.X0, Y0: rect.Y0, X1: r.plot.X1, Y1: r.plot.Y0}
	p.regions = r
}

// choose decides which frame to show: the newest while live, else the first selected, else the one
// at the playhead.
func (p *Roll) choose(env *panel.Env) pianoSource {
	v := env.View
	id := p.track(env)
	track := v.Session().Track(id)
	if track == nil || track.NumFrames() == 0 {
		return pianoSource{}
	}
	n := track.NumFrames()
	at := -1
	switch {
	case v.Live():
		at = p.newest.indexOf(env, track)
	case id == v.Track() && v.FrameA() >= 0 && v.FrameA() < n:
		at = v.FrameA()
	default:
		at = v.FrameAtPlayhead(id, 0)
	}
	if at >= 0 {
		f := track.Frame(at)
		return pianoSource{kind: subject.SourceShown, frame: at, number: f.Number, durNs: f.End - f.Begin}
	}
	at = track.FrameAt(v.Playhead())
	if at < 0 || at+1 >= n {
		return pianoSource{}
	}
	a, b := track.Frame(at), track.Frame(at+1)
	src := pianoSource{kind: subject.SourceMissing, frame: at, number: a.Number, first: a.Number + 1, last: b.Number - 1}
	if b.Begin > a.End {
		src.share = float64(v.Playhead()-a.End) / float64(b.Begin-a.End)
	}
	src.durNs = int64(float64(a.End-a.Begin)*(1-src.share) + float64(b.End-b.Begin)*src.share)
	return src
}

// newest is the shown frame while frames come: it changes only as often as figures do, so that the
// picture matches the frame named above it, and stays readable.
type newest struct {
	track        *store.Track
	number, atNs int64
}

// indexOf returns the frame's index.
func (x *newest) indexOf(env *panel.Env, track *store.Track) int {
	if x.track == track && panel.Stands(env, x.atNs) {
		if i, ok := track.FrameByNumber(x.number); ok {
			return i
		}
	}
	last := track.NumFrames() - 1
	*x = newest{track, track.Frame(last).Number, env.NowNs}
	return last
}

// query gets the runs of the frame from the model if anything about it changed.
func (p *Roll) query(env *panel.Env) {
	s := env.View.Session()
	if p.source.kind == subject.SourceEmpty {
		p.runs, p.rows, p.key = p.runs[:0], p.rows[:0], pianoKey{}
		return
	}
	key := pianoKey{s, p.track(env), s.Revision(), p.source, env.View.Look().ShowInterpolated()}
	if key == p.key {
		return
	}
	p.key = key
	p.runs = p.frameRuns(s, p.source.frame, p.runs[:0])
	if p.source.kind == subject.SourceMissing {
		p.interpolate(env, s)
	}
	p.rows = p.rows[:0]
	for i := range p.runs {
		r := &p.runs[i]
		if n := len(p.rows); n == 0 || p.rows[n-1].collector != r.Collector {
			p.rows = append(p.rows, pianoRow{collector: r.Collector, first: int32(i)})
		}
		row := &p.rows[len(p.rows)-1]
		row.end = int32(i + 1)
		row.total += r.End - r.Begin
	}
	slices.SortStableFunc(p.rows, func(a, b pianoRow) int {
		x, y := &p.runs[a.first], &p.runs[b.first]
		return cmp.Or(cmp.Compare(s.Collector(y.Collector).Sort, s.Collector(x.Collector).Sort),
			cmp.Compare(y.Begin, x.Begin), cmp.Compare(x.End, y.End))
	})
}

// frameRuns appends the runs of a frame, with times since its begin.
func (p *Roll) frameRuns(s *store.Session, frame int, out []spans.Run) []spans.Run {
	from := len(out)
	out = s.PianoRuns(p.key.track, frame, out)
	begin := s.Track(p.key.track).Frame(frame).Begin
	for i := from; i < len(out); i++ {
		out[i].Begin -= begin
		out[i].End -= begin
	}
	return out
}

// interpolate replaces the runs of the frame before a gap by an interpolation to the frame after: a
// collector with as many runs in both moves from the one to the other; else the nearer frame
// counts.
func (p *Roll) interpolate(env *panel.Env, s *store.Session) {
	if !env.View.Look().ShowInterpolated() {
		p.runs = p.runs[:0]
		return
	}
	u := p.source.share
	p.other = p.frameRuns(s, p.source.frame+1, p.other[:0])
	if u > 0.5 {
		p.runs, p.other = p.other, p.runs
		u = 1 - u
	}
	byCollector := func(runs []spans.Run, f func(c model.CollectorID, i, j int)) {
		panel.EachRun(len(runs), func(i int) model.CollectorID { return runs[i].Collector }, f)
	}
	byCollector(p.runs, func(c model.CollectorID, i, j int) {
		byCollector(p.other, func(other model.CollectorID, k, m int) {
			if other != c || m-k != j-i {
				return
			}
			for x := range j - i {
				a, b := &p.runs[i+x], &p.other[k+x]
				a.Begin += int64(float64(b.Begin-a.Begin) * u)
				a.End += int64(float64(b.End-a.End) * u)
			}
		})
	})
}

// fit shows the whole frame, or the target frame time where that is longer, unless the user moved
// the axis. The width stays while it suits, so that live frames do not make it breathe.
func (p *Roll) fit(env *panel.Env) {
	if p.source.kind == subject.SourceEmpty {
		return
	}
	need := float64(max(p.source.durNs, subject.Budget(env)))
	if need > p.fitNs || need < 0.6*p.fitNs {
		p.fitNs = need * 1.03
	}
	p.axis.SetLimits(0, int64(p.fitNs)+1)
	if b, e := p.axis.Target(); !p.free && (b != 0 || e != p.fitNs) || !p.axis.Valid() {
		p.axis.Set(0, p.fitNs, env.Animate && p.axis.Valid() && !env.View.Live(), env.NowNs)
	}
}

// Fit shows the whole frame again; false when it is shown already.
func (p *Roll) Fit(env *panel.Env) bool {
	was := p.free
	p.free = false
	p.axis.Set(0, p.fitNs, env.Animate, env.NowNs)
	return was
}

// pianoReveal is what the selected row was brought into view for.
type pianoReveal struct {
	collector model.CollectorID
	track     model.TrackID
	high      float32
}

// reveal scrolls to the row of a collector that has just been selected.
func (p *Roll) reveal(env *panel.Env) {
	now := pianoReveal{env.View.Collector(), p.key.track, p.regions.plot.H()}
	if now == p.revealed || len(p.rows) == 0 {
		return
	}
	p.revealed = now
	for i := range p.rows {
		if p.rows[i].collector == now.collector {
			low := float32(i) * p.rowHeight(env)
			p.scrollY = max(low+p.rowHeight(env)-now.high, min(p.scrollY, low))
		}
	}
}

func (p *Roll) rowHeight(env *panel.Env) float32 { return env.Px(20) }

// rowY returns the upper edge of a row; row 0 is the lowest.
func (p *Roll) rowY(env *panel.Env, row int) float32 {
	return p.regions.plot.Y0 - p.above(env) + float32(len(p.rows)-1-row)*p.rowHeight(env)
}

// overflow returns how many px of rows do not fit, above how many of them are out of view at the
// top.
func (p *Roll) overflow(env *panel.Env) float32 {
	return max(0, float32(len(p.rows))*p.rowHeight(env)-p.regions.plot.H())
}

func (p *Roll) above(env *panel.Env) float32 { return p.overflow(env) - p.scrollY }

// rowAt returns the row at a height, -1 none.
func (p *Roll) rowAt(env *panel.Env, pxY float32) int {
	if pxY < p.regions.plot.Y0 || pxY >= p.regions.plot.Y1 {
		return -1
	}
	i := int((pxY - p.regions.plot.Y0 + p.above(env)) / p.rowHeight(env))
	if i < 0 || i >= len(p.rows) {
		return -1
	}
	return len(p.rows) - 1 - i
}

// place computes the bars of the rows on the screen.
func (p *Roll) place(env *panel.Env) {
	p.bars = p.bars[:0]
	plot := p.regions.plot
	rowH := p.rowHeight(env)
	p.reveal(env)
	p.scrollY = max(0, min(p.scrollY, p.overflow(env)))
	if !p.axis.Valid() || plot.W() < 1 {
		return
	}
	pad := env.Px(2)
	for row := range p.rows {
		y := p.rowY(env, row)
		if y+rowH <= plot.Y0 || y >= plot.Y1 {
			continue
		}
		from := len(p.bars)
		for i := p.rows[row].first; i < p.rows[row].end; i++ {
			r := &p.runs[i]
			x0, x1 := panel.Snap(float32(p.axis.ToPx(plot, r.Begin))), panel.Snap(float32(p.axis.ToPx(plot, r.End)))
			x1 = max(x1, x0+1)
			if x1 <= plot.X0 || x0 >= plot.X1 {
				continue
			}
			if n := len(p.bars); n > from {
				// Runs on the same pixel are one bar; a bar that touches the one before begins a pixel later,
				// so that the two are seen as two.
				last := &p.bars[n-1]
				if x1 <= last.rect.X1 || x0 < last.rect.X1 && x1-last.rect.X1 < 2 {
					last.merged++
					last.rect.X1 = max(last.rect.X1, x1)
					continue
				}
				x0 = max(x0, last.rect.X1)
				if x0 == last.rect.X1 && x1-x0 >= 2 {
					x0++
				} else if x0 == last.rect.X1 && last.rect.W() >= 2 {
					last.rect.X1--
				}
			}
			p.bars = append(p.bars, pianoBar{row: int32(row), run: i, merged: 1,
				rect: draw.Rect{X0: x0, Y0: y + pad, X1: x1, Y1: y + rowH - pad}})
		}
	}
}

// barAt returns the index of the bar under a point, or within two pixels beside it, -1 none. Bars of rows or runs
// that a change of the frame removed are none.
func (p *Roll) barAt(env *panel.Env, pxX, pxY float32) int {
	if !p.regions.plot.Contains(pxX, pxY) {
		return -1
	}
	best, bestD := -1, 2*env.Scale+0.01
	for i := range p.bars {
		b := &p.bars[i]
		r := &b.rect
		if pxY < r.Y0 || pxY >= r.Y1 || int(b.row) >= len(p.rows) || int(b.run+b.merged) > len(p.runs) {
			continue
		}
		d := max(r.X0-pxX, pxX-r.X1, 0)
		if d == 0 && pxX < r.X1 {
			return i
		}
		if d < bestD {
			best, bestD = i, d
		}
	}
	return best
}
