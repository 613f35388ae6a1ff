package overview

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/find"
	"framescope/model/place"
	"framescope/model/store"
)

// drawIfChanged draws the bars if any of their inputs changed, and the overlay if the cursors did.
func (s *FrameStrip) drawIfChanged(env *panel.Env, t *store.Track, in *panel.Input) {
	v := env.View
	panel.Causes(env) // marks have their colors
	if s.BeginBase(env, s.rect, framesKey{v.GroundStamp(), v.Cause(), s.laid}) {
		s.drawBase(env, t)
	}
	hover := -1
	if in.Over && s.rect.Contains(in.X, in.Y) && s.drag == dragNone {
		hover = s.columnAt(in.X)
	}
	if s.BeginOver(framesTopKey{v.CursorStamp(), hover, v.Time().BeginNs, v.Time().EndNs}) {
		s.drawOver(env, t, hover)
	}
}

// framesKey is the inputs of the bars, framesTopKey those of the overlay.
type framesKey struct {
	view  uint64
	cause view.Cause
	laid  stripLayoutKey
}

type framesTopKey struct {
	cursor     uint64
	hover      int
	begin, end float64
}

func (s *FrameStrip) drawEmpty(env *panel.Env) {
	if !s.BeginBase(env, s.rect, framesKey{view: env.View.Stamp()}) {
		return
	}
	words := panel.NothingLine(env, "Each frame becomes a bar here, from the first one received.")
	s.session, s.columns, s.marks, s.laid = nil, s.columns[:0], s.marks[:0], stripLayoutKey{}
	s.List().Rect(s.rect, draw.Color(env.Theme.Well))
	s.List().TextIn(draw.Regular, s.rect.Inset(env.Px(8)), draw.Center, words, draw.Color(env.Theme.TextDim))
}

func (s *FrameStrip) drawBase(env *panel.Env, t *store.Track) {
	l, th := s.List(), env.Theme
	l.Rect(s.rect, draw.Color(th.Well))
	pitch, _ := stripLevel(env, s.level)
	space := float32(0)
	if pitch >= 3 {
		space = max(1, float32(int(env.Scale)))
	}
	s.washOver(env)
	for i := range s.columns {
		c := &s.columns[i]
		all := draw.Rect{X0: c.x0, Y0: s.plot.Y0, X1: c.x1, Y1: s.plot.Y1}
		switch {
		case c.pause > 0:
			panel.DrawStop(l, env, all, c.pause)
		case c.gap:
			l.Hatch(all, draw.Color(th.Hatch))
		default:
			s.drawColumn(env, t, c, space)
			if c.narrow > 0 {
				x1 := max(c.x1-space, c.x0+1)
				l.Rect(draw.Rect{X0: c.x0, Y0: s.plot.Y0, X1: x1, Y1: s.plot.Y0 + env.Px(3)}, draw.Color(th.Text2))
			}
		}
	}
	if s.opens() {
		s.drawOpen(env, t)
	}
	if s.hasMarks(env) {
		s.drawLost(env, t)
		for _, m := range s.marks {
			c := &s.columns[m.column]
			shape, color, _ := s.markOf(env, t, c)
			x, y, half := s.markX(env, c, space), s.rect.Y0+env.Px(marksPx/2), env.Px(marksPx/2)
			if len(s.lost) > 0 {
				l.Rect(draw.Rect{X0: x - half, Y0: y - half, X1: x + half, Y1: y + half}, draw.Color(th.Well))
			}
			subject.DrawMark(l, shape, color, x, y, env.Px(markPx))
		}
	}
	s.drawAxis(env)
	for _, x := range env.Limits.Frames(s.track) {
		if ns := int64(x.Budget.Limit); ns > s.axis.Lo && ns < s.axis.Hi {
			subject.DrawLimit(l, env, s.plot, s.yOf(ns), x)
		}
	}
	free := s.drawGapWords(env, t)
	s.drawTimes(env, t, free)
	s.drawFlags(env, t)
	if n := t.Evicted(); n > 0 && s.firstFrame() == 0 {
		var buf [64]byte
		label(l, env, s.plot.X0, s.plot.Y0, panel.ScratchText(subject.AppendLeft(append(buf[:0], "◂ "...), n)), s.rect.X1,
			225)
	}
	l.HLine(s.rect.X0, s.rect.X1, s.rect.Y1-1, 1, draw.Color(th.Separator))
}

// drawLost draws bars in the row of dense marks, as high and strong as the time that the frames of a place lost. A bar
// has the color of the worst of them.
func (s *FrameStrip) drawLost(env *panel.Env, t *store.Track) {
	most := int64(1)
	for _, p := range s.lost {
		most = max(most, p.ns)
	}
	for _, p := range s.lost {
		share := float32(float64(p.ns) / float64(most))
		bottom := s.plot.Y0 - env.Px(1)
		r := draw.Rect{X0: p.x0, Y0: bottom - panel.Snap(env.Px(marksPx-1)*share), X1: p.x1, Y1: bottom}
		if _, color, _ := s.markOf(env, t, &s.columns[p.worst]); p.ns > 0 {
			s.List().Rect(r, draw.Mix(draw.Color(env.Theme.Well), color, uint8(70+80*share)))
		}
	}
}

// opens reports whether the frame that is open is in view: it follows the newest one.
func (s *FrameStrip) opens() bool {
	return s.open.X1 > s.open.X0 && s.endAbs == s.numTotal && len(s.columns) > 0
}

// openAt returns where the frame that is open lies: behind the last column.
func (s *FrameStrip) openAt() draw.Rect {
	r := s.open
	x := s.columns[len(s.columns)-1].x1
	return draw.Rect{X0: x, Y0: r.Y0, X1: x + r.W(), Y1: r.Y1}
}

// drawOpen draws the open frame as an outline, at its least height.
func (s *FrameStrip) drawOpen(env *panel.Env, t *store.Track) {
	o, _ := t.OpenFrame()
	r := s.openAt()
	r.X0, r.X1 = r.X0+env.Px(2), r.X1-env.Px(1)
	r.Y0 = max(s.yOf(max(o.End-o.Begin, 1)), r.Y0)
	s.List().Hatch(r, draw.Color(env.Theme.Hatch))
	s.List().Outline(r, max(1, float32(int(env.Scale))), draw.Color(env.Theme.FrameBar))
}

// washOver lays a wash below the columns with frames over a limit of a budget file.
func (s *FrameStrip) washOver(env *panel.Env) {
	least := int64(math.MaxInt64)
	for _, x := range env.Limits.Frames(s.track) {
		least = min(least, int64(x.Budget.Limit))
	}
	for i := range s.columns {
		if c := &s.columns[i]; !c.gap && c.bar.WorstNs > least {
			s.List().Rect(draw.Rect{X0: c.x0, Y0: s.plot.Y0, X1: c.x1, Y1: s.plot.Y1}, subject.LimitWash(env))
		}
	}
}

// drawFlags draws the bookmarks, at the columns in which they lie.
func (s *FrameStrip) drawFlags(env *panel.Env, t *store.Track) {
	s.flags.Reset()
	for _, m := range env.View.Bookmarks() {
		x, in := s.xOfMark(env, t, &m)
		if in {
			s.flags.Place(env, &m, x, s.plot.Y0, s.plot.X0, s.rect.X1)
		}
	}
	s.flags.Draw(s.List(), env, s.plot.Y1)
}

// xOfMark returns the position of a bookmark: for frames of the thread the middle of the first
// one's column, for others their begin. in is false if it is out of view.
func (s *FrameStrip) xOfMark(env *panel.Env, t *store.Track, m *view.Placed) (x float32, in bool) {
	if m.Place.Kind == place.Frames && m.Err == nil && m.Found.Track == env.View.LeadTrack() {
		x0, x1, in := s.xOfFrame(m.Found.First)
		return panel.Snap((x0 + x1) / 2), in
	}
	at, n := m.Found.BeginNs, len(s.columns)
	if n == 0 || at < t.Frame(s.firstFrame()).Begin || at > t.Frame(int(s.endAbs-t.Evicted())-1).End {
		return 0, false
	}
	return panel.Snap(s.xOfTime(t, at)), true
}

// drawColumn draws the median of a column's frames as its body, and the worst as a stem on it. The
// part above the budget has a color: that of the mark if the frame stands out.
func (s *FrameStrip) drawColumn(env *panel.Env, t *store.Track, c *stripColumn, space float32) {
	l, th, budget := s.List(), env.Theme, env.View.Look().FrameBudgetNs()
	if c.bar.Stops > 0 {
		panel.DrawStop(l, env, draw.Rect{X0: c.x0, Y0: s.plot.Y0, X1: c.x1 - space, Y1: s.plot.Y1}, s.stoppedNs(t, c))
		return
	}
	body := draw.Color(th.FrameBar)
	over := draw.Mix(draw.Color(th.Well), draw.Color(th.Over), 190)
	if c.lostNs > 0 {
		var dimmed bool
		if _, over, dimmed = s.markOf(env, t, c); dimmed {
			body = draw.Dim(body, th.Well)
		}
	}
	hits := env.View.Look().FoundCalls()
	found := hits != nil && s.holds(t, c, hits)
	if hits != nil && !found {
		body, over = draw.Dim(body, th.Well), draw.Dim(over, th.Well)
	}
	part := func(r draw.Rect, ns int64, within draw.Color) {
		if r.Y0 >= r.Y1 {
			return
		}
		if subject.OverBudget(ns, budget) && s.yBudget > r.Y0 {
			line := min(s.yBudget, r.Y1)
			l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: line}, over)
			r.Y0 = line
		}
		if r.Y0 < r.Y1 {
			l.Rect(r, within)
		}
	}
	r := draw.Rect{X0: c.x0, Y0: c.yMedian, X1: c.x1 - space, Y1: s.plot.Y1}
	part(r, c.bar.MedianNs, body)
	if c.bar.WorstNs > c.bar.MedianNs {
		w := max(1, min(env.Px(2), r.W()-env.Px(1)))
		mid := panel.Snap((r.X0 + r.X1 - w) / 2)
		part(draw.Rect{X0: mid, Y0: c.yWorst, X1: mid + w, Y1: c.yMedian}, c.bar.WorstNs, body)
	}
	if found {
		l.Rect(draw.Rect{X0: r.X0, Y0: s.plot.Y1 - env.Px(2), X1: r.X1, Y1: s.plot.Y1}, draw.Color(th.Accent))
	}
}

// hasMarks reports whether there is room for marks above the plot.
func (s *FrameStrip) hasMarks(env *panel.Env) bool { return s.plot.Y0-s.rect.Y0 >= env.Px(markPx) }

// markX returns where the middle of a column's mark lies.
func (s *FrameStrip) markX(env *panel.Env, c *stripColumn, space float32) float32 {
	half := env.Px(markPx/2 + 1)
	return min(max(panel.Snap((c.x0+c.x1-space)/2), s.rect.X0+half), s.rect.X1-half)
}

// markAt returns the middle of the column with its mark at a point, to press there. Without one, ok
// is false and it returns the point's x.
func (s *FrameStrip) markAt(env *panel.Env, pxX, pxY float32) (x float32, ok bool) {
	if s.hasMarks(env) && pxY >= s.rect.Y0 && pxY < s.plot.Y0 {
		for _, m := range s.marks {
			if c := &s.columns[m.column]; panel.Abs32(s.markX(env, c, 0)-pxX) <= env.Px(markPx)/2 {
				return (c.x0 + c.x1) / 2, true
			}
		}
	}
	return pxX, false
}

// markOf returns how the worst frame of a column, a hitch, is marked: as its cause is. Where one cause
// is walked through, others are dim.
func (s *FrameStrip) markOf(
	env *panel.Env, t *store.Track, c *stripColumn,
) (shape string, color draw.Color, dimmed bool) {
	g := panel.Causes(env).Group(t.Frame(int(c.bar.Worst)).Number)
	shape, color = subject.GroupMark(env, g)
	if chosen := env.View.Cause(); g != nil && chosen != (view.Cause{}) && chosen != view.By(g) {
		return shape, draw.Dim(color, env.Theme.Well), true
	}
	return shape, color, false
}

// holds reports whether a column's frames have a hit of a search in them, on any thread.
func (s *FrameStrip) holds(t *store.Track, c *stripColumn, hits *find.Hits) bool {
	begin, end, ok := t.FrameTimes(int(c.bar.First), int(c.bar.First+max(c.bar.Count, 1))-1)
	return ok && hits.In(begin, end)
}

// stoppedNs returns how long the program stood still in the frames of a column, or between two.
func (s *FrameStrip) stoppedNs(t *store.Track, c *stripColumn) (ns int64) {
	ns = c.pause
	first := int(c.bar.First)
	for i := first; c.bar.Stops > 0 && i < first+int(c.bar.Count); i++ {
		if x, ok := subject.StopOf(t, i); ok {
			ns += x.End - x.Begin
		}
	}
	return ns
}

// drawGapWords writes below each gap the number of missing frames, "35 held back", if there is
// room, and below each stop how long it was. It returns the places of these words: pairs of edges, from left to
// right. Where a column has several frames, narrow gaps leave that room to the times.
func (s *FrameStrip) drawGapWords(env *panel.Env, t *store.Track) []float32 {
	l, th := s.List(), env.Theme
	s.taken = s.taken[:0]
	if s.plot.Y1 >= s.rect.Y1 {
		return s.taken
	}
	word := subject.MissingWord(env.View.Session())
	free, least := s.plot.X0, float32(0)
	if _, merge := stripLevel(env, s.level); merge > 1 {
		least = env.Px(8)
	}
	for i := range s.columns {
		c := &s.columns[i]
		stops := c.bar.Stops > 0 || c.pause > 0
		if !c.gap && !stops || c.x0 < free || c.x1-c.x0 < least && !stops {
			continue
		}
		var words [48]byte
		text := panel.ScratchText(append(format.AppendCount(words[:0], c.bar.Missing), word...))
		if stops {
			text = panel.ScratchText(panel.AppendStopped(words[:0], s.stoppedNs(t, c)))
		}
		r := s.below(env, c.x0, env.Atlas.Measure(draw.Small, text))
		if r.X1 > s.rect.X1 {
			break
		}
		l.TextIn(draw.Small, r, draw.Left, text, draw.Color(th.Text2))
		s.taken = append(s.taken, r.X0, r.X1)
		free = r.X1 + env.Px(8)
	}
	return s.taken
}

// below returns the room of words of a width in the row of times, from x on.
func (s *FrameStrip) below(env *panel.Env, x, w float32) draw.Rect {
	return draw.Rect{X0: x, Y0: s.rect.Y1 - env.Px(1) - env.Atlas.LineHeight(draw.Small), X1: x + w + env.Px(4),
		Y1: s.rect.Y1 - env.Px(1)}
}

// drawTimes writes round times below the columns, where none of the words that are there lies.
func (s *FrameStrip) drawTimes(env *panel.Env, t *store.Track, taken []float32) {
	if s.plot.Y1 >= s.rect.Y1 || len(s.columns) == 0 {
		return
	}
	l, th := s.List(), env.Theme
	first, last := &s.columns[0], &s.columns[len(s.columns)-1]
	begin, end := s.timeAt(t, first.x0), t.Frame(int(last.bar.First+max(last.bar.Count, 1))-1).End
	if end <= begin {
		return
	}
	w := format.Window{BeginNs: float64(begin), EndNs: float64(end)}
	var sc format.TickScale
	sc, s.ticks = format.Ticks(w, draw.Rect{X0: first.x0, X1: last.x1, Y1: 1}, env.Px(110), s.ticks[:0])
	free := s.plot.X0
	for _, at := range s.ticks {
		x := panel.Snap(s.xOfTime(t, at))
		var buf [48]byte
		text := panel.ScratchText(format.AppendClock(buf[:0], at, sc.StepNs))
		width := env.Atlas.Measure(draw.Small, text)
		r := s.below(env, x-panel.Snap(width/2), width)
		for len(taken) > 1 && taken[1] < r.X0-env.Px(8) {
			taken = taken[2:]
		}
		if r.X0 < free || r.X1 > s.rect.X1 || len(taken) > 1 && taken[0] < r.X1+env.Px(8) {
			continue
		}
		l.VLine(x, s.plot.Y1, s.plot.Y1+env.Px(2), max(1, float32(int(env.Scale))), draw.Color(th.TextDim))
		l.TextIn(draw.Small, r, draw.Left, text, draw.Color(th.Text2))
		free = r.X1 + env.Px(16)
	}
}

// drawOver draws selection, visible range, ghost cursor, playhead and the column under the mouse.
func (s *FrameStrip) drawOver(env *panel.Env, t *store.Track, hover int) {
	l, th, v := s.List(), env.Theme, env.View
	one := max(1, float32(int(env.Scale)))
	if b, e := v.Time().Visible(); v.Time().Valid() {
		x0, x1 := s.xOfTime(t, b), s.xOfTime(t, e)
		if x1 > x0 || x0 > s.plot.X0 && x1 < s.plot.X1 {
			x1 = max(x1, x0+env.Px(2))
			l.Rect(draw.Rect{X0: x0, Y0: s.plot.Y1 - env.Px(3), X1: x1, Y1: s.plot.Y1}, draw.Color(th.Text).WithAlpha(200))
		}
	}
	if hover >= 0 && hover < len(s.columns) {
		c := s.columns[hover]
		l.Rect(draw.Rect{X0: c.x0, Y0: s.rect.Y0, X1: c.x1, Y1: s.plot.Y1}, draw.Color(th.Hover))
	}
	if v.LeadA() >= 0 && v.LeadB() >= v.LeadA() && !v.Live() {
		if x0, x1, ok := s.spanOf(v.LeadA(), v.LeadB()); ok {
			r := draw.Rect{X0: x0 - one, Y0: s.rect.Y0, X1: max(x1, x0+env.Px(2)) + one, Y1: s.plot.Y1 + one}
			l.Rect(r, draw.Color(th.Accent).WithAlpha(58))
			l.Outline(r, one, draw.Color(th.Accent))
		}
	}
	if v.Pointer().HasTime() && hover < 0 {
		x := s.xOfTime(t, v.Pointer().Time())
		l.VLine(x, s.plot.Y0, s.plot.Y1, one, draw.Color(th.Text).WithAlpha(90))
	}
	if x := s.xOfPlayhead(v, t); x > s.plot.X0 && x <= s.plot.X1 {
		w := env.Px(2)
		x = min(max(x-w/2, s.plot.X0), s.plot.X1-w)
		l.Rect(draw.Rect{X0: x, Y0: s.plot.Y0, X1: x + w, Y1: s.plot.Y1}, draw.Color(th.Text))
	}
}

// spanOf returns the room of frames a to b as far as it is visible.
func (s *FrameStrip) spanOf(a, b int) (x0, x1 float32, ok bool) {
	n := len(s.columns)
	if n == 0 {
		return 0, 0, false
	}
	first, lastCol := s.firstFrame(), s.columns[n-1]
	last := int(lastCol.bar.First+lastCol.bar.Count) - 1
	if b < first || a > last {
		return 0, 0, false
	}
	x0, x1 = s.plot.X0, s.plot.X1
	if l, _, in := s.xOfFrame(a); in {
		x0 = l
	}
	if _, r, in := s.xOfFrame(b); in {
		x1 = r
	}
	return x0, x1, true
}

// xOfTime returns the position of a time, between the columns' edges in proportion to the time;
// outside the columns it is their nearest edge.
func (s *FrameStrip) xOfTime(t *store.Track, timeNs int64) float32 {
	n := len(s.columns)
	if n == 0 {
		return s.plot.X0
	}
	i := t.FrameCovering(timeNs)
	if i < 0 {
		i = t.FrameAt(timeNs)
	}
	return s.xInFrame(t, i, timeNs)
}

// xOfPlayhead is xOfTime for the playhead: where a clock went back and several frames run at its
// time, the selected one has it.
func (s *FrameStrip) xOfPlayhead(v *view.View, t *store.Track) float32 {
	at := v.Playhead()
	if f := t.Frame(v.LeadA()); len(s.columns) > 0 && v.LeadA() >= 0 && f.Begin <= at && at < f.End {
		return s.xInFrame(t, v.LeadA(), at)
	}
	return s.xOfTime(t, at)
}

// xInFrame is xOfTime for a time of a frame.
func (s *FrameStrip) xInFrame(t *store.Track, i int, timeNs int64) float32 {
	if i < s.firstFrame() {
		return max(s.plot.X0, s.columns[0].x0)
	}
	f := t.Frame(i)
	if timeNs >= f.End && i+1 < t.NumFrames() {
		if next := t.Frame(i + 1); next.Missing > 0 {
			if x0, _, ok := s.xOfFrame(i + 1); ok { // the gap's column is left of it
				if j := s.columnAt(x0 - 1); j >= 0 && s.columns[j].gap {
					g := s.columns[j]
					return g.x0 + (g.x1-g.x0)*panel.Share(timeNs, f.End, next.Begin)
				}
			}
		}
	}
	x0, x1, ok := s.xOfFrame(i)
	if !ok {
		return s.plot.X1
	}
	j := s.columnAt((x0 + x1) / 2)
	b := s.columns[j].bar
	begin, end := f.Begin, f.End
	if b.Count > 1 {
		begin, end, _ = t.FrameTimes(int(b.First), int(b.First+b.Count)-1)
	}
	return x0 + (x1-x0)*panel.Share(timeNs, begin, end)
}
