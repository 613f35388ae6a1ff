package overview

import (
	"math"
	"slices"
	"sort"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// FrameStrip is the history of a session at a glance: one bar for each frame of the view's track,
// or the median of 2^n frames with a stem up to the worst of them, in columns of whole pixels. Its
// horizontal axis counts frame numbers, not time, so that a hitch takes as much room as any frame;
// missing numbers take room too, hatched, and those with less than a pixel mark their column. Its
// vertical axis is logarithmic and holds everything shown; frames that stand out have a mark above.
//
// The visible part is given by a zoom level (see stripLevel) and the frame at the right edge,
// counted from the first frame ever received, so that frames that leave memory at the other end do
// not move the picture. Groups of merged frames are anchored to the same count. A layout reads as
// many bars from the model as fit and walks them from right to left: its cost follows pixels.
type FrameStrip struct {
	panel.Layers[framesKey, framesTopKey]

	// All shows all frames, also while new ones come.
	All bool

	rect        draw.Rect // all of it
	open        draw.Rect // of the frame that is open, right of the plot; empty where none is
	plot        draw.Rect // where the columns stand: marks are above, the axis is at the left, times are below
	columns     []stripColumn
	bars, parts []frames.Bar
	axis        format.LogNs
	yBudget     float32
	marks       []stripMark
	lost        []lost // where marks are dense; marks are those of the worst frames alone
	ticks       []int64
	taken       []float32 // where words lie below the columns

	level    int   // zoom level; see stripLevel
	chosen   bool  // the user chose the level
	endAbs   int64 // one more than the frame at the right edge, counted from the first ever
	follow   bool  // the right edge is the newest frame
	live     bool  // the view was live on this session: the picture of that time stays where it was while paused
	seenA    int   // the selection of the last tick, to notice when another panel moved it
	session  *store.Session
	track    model.TrackID
	numTotal int64

	hand
	anchor             int // frame where a run selection began
	panRest, wheelRest float32

	laid  stripLayoutKey
	tip   panel.TipLines
	flags subject.Flags // of bookmarks
}

// stripLayoutKey is the inputs of the columns.
type stripLayoutKey struct {
	session            *store.Session
	track              model.TrackID
	rev                uint64
	rect               draw.Rect
	scale              float32
	level              int
	end, budget        int64
	chosen, live, drag bool
}

// stripColumn is one column on screen.
type stripColumn struct {
	x0, x1 float32
	bar    frames.Bar
	gap    bool  // missing frames only, or
	pause  int64 // ns in which the program stood still between two frames
	lostNs int64 // by how much its worst frame is longer than is typical around it; 0: it does not stand out
	number int64 // gap: first missing frame number
	narrow int64 // frames missing among its own or before them that have no room: the column has a mark

	yMedian, yWorst float32
}

// stripPitches are the widths of a frame in scale-1 pixels at the zoom levels at which none are
// merged.
var stripPitches = [...]float32{2, 3, 4, 6, 8, 12, 16, 24}

const (
	stripDefaultLevel = 2 // 4 px a frame
	stripFitLevel     = 5 // widest frames of a file that is shown whole
	stripMinLevel     = -60
	gapMostColumns    = 24
)

// stripLevel returns the width of a column in pixels and the number of frames in it at a zoom
// level: from 0 on the pitches above; below, 2 frames in 3 px, 2 in 2 px, 4 in 3 px, 4 in 2 px and
// so on.
func stripLevel(env *panel.Env, level int) (pitch float32, merge int64) {
	if level >= 0 {
		return env.Px(stripPitches[min(level, len(stripPitches)-1)]), 1
	}
	level = -max(level, stripMinLevel)
	return env.Px(stripPitches[level%2]), 1 << ((level + 1) / 2)
}

// Update handles a tick's input, lays the strip out in rect and draws it if anything changed.
func (s *FrameStrip) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	v := env.View
	t := v.Lead()
	s.place(env, rect, t)
	if t == nil || t.NumFrames() == 0 || rect.W() < 4 || rect.H() < 4 {
		s.drawEmpty(env)
		return panel.Action{}
	}
	if v.Session() != s.session || v.LeadTrack() != s.track {
		s.session, s.track = v.Session(), v.LeadTrack()
		s.chosen, s.follow, s.live, s.drag, s.seenA = false, true, false, dragNone, -1
	}
	if s.All {
		s.follow, s.chosen = true, false
	} else if v.Live() {
		s.follow, s.live = true, true
	} else if s.live {
		s.follow = false
	}
	act := s.input(env, t, in)
	s.reveal(env, t)
	s.drawIfChanged(env, t, in)
	return act
}

// Title names the chart.
func (s *FrameStrip) Title(env *panel.Env) string {
	if t := env.View.Lead(); t != nil {
		return t.Title()
	}
	return "Frames"
}

// Mode returns how many frames a column stands for.
func (s *FrameStrip) Mode(env *panel.Env) string {
	_, merge := stripLevel(env, s.level)
	if merge == 1 {
		return ""
	}
	return "median and worst of " + string(format.AppendCount(nil, merge))
}

// Columns returns the number of columns drawn, gaps included.
func (s *FrameStrip) Columns() int { return len(s.columns) }

// layout fills columns for the present level and right edge.
func (s *FrameStrip) layout(env *panel.Env, t *store.Track) {
	v := env.View
	n, evicted := t.NumFrames(), t.Evicted()
	s.numTotal = evicted + int64(n)
	if s.follow {
		s.endAbs = s.numTotal
	}
	s.endAbs = min(max(s.endAbs, evicted+1), s.numTotal)
	key := stripLayoutKey{
		session: v.Session(), track: v.LeadTrack(), rev: v.Session().Revision(), rect: s.rect, scale: env.Scale,
		level: s.level, end: s.endAbs, budget: v.Look().FrameBudgetNs(), chosen: s.chosen, live: s.live,
		drag: s.drag != dragNone,
	}
	if key == s.laid {
		return
	}
	if !s.chosen && !s.live {
		s.level = stripFitLevel
	} else if !s.chosen {
		s.level = stripDefaultLevel
	}
	// A file that is not zoomed by the user is shown whole; so is a short live session, at the default
	// width or less.
	smaller := !s.chosen && !s.live
	for smaller && s.level > stripMinLevel && s.leastWidth(env, t) > s.plot.W() {
		s.level--
	}
	full := s.columnsUpTo(env, t)
	for smaller && !full && s.level > stripMinLevel {
		s.level--
		full = s.columnsUpTo(env, t)
	}
	if end := s.endAbs; full && end < s.numTotal && s.drag == dragNone {
		// Everything before the right edge fits: no reason to leave newer frames out of view, unless
		// the paused picture would move for them.
		s.endAbs = s.numTotal
		if full = s.columnsUpTo(env, t); !full && s.live {
			full = s.fillFrom(env, t, end)
		}
	}
	s.align(full, !s.chosen && !s.live)
	s.scale(env)
	s.mark(env)
	key.level, key.end = s.level, s.endAbs
	s.laid = key
}

// fillFrom fills columns like columnsUpTo, up to a right edge up to which everything fits, or beyond it
// as far as there is room for newer frames.
func (s *FrameStrip) fillFrom(env *panel.Env, t *store.Track, end int64) (full bool) {
	pitch, merge := stripLevel(env, s.level)
	fits := func(cols int) bool {
		s.endAbs = min(end+int64(cols)*merge, s.numTotal)
		return s.columnsUpTo(env, t)
	}
	fits(0)
	room := 0
	if n := len(s.columns); n > 0 {
		room = int((s.plot.W() + s.columns[n-1].x0) / pitch)
	}
	return fits(sort.Search(room, func(k int) bool { return !fits(k + 1) }))
}

// leastWidth returns how much room all frames up to the right edge take, without those that are
// missing.
func (s *FrameStrip) leastWidth(env *panel.Env, t *store.Track) float32 {
	pitch, merge := stripLevel(env, s.level)
	return float32(format.FloorDiv(s.endAbs-1, merge)-format.FloorDiv(t.Evicted(), merge)+1) * pitch
}

// columnsUpTo fills columns, from the right edge to the left, with x counted from the right edge
// (negative), and reports whether the oldest frame is among them.
func (s *FrameStrip) columnsUpTo(env *panel.Env, t *store.Track) (full bool) {
	pitch, merge := stripLevel(env, s.level)
	evicted := t.Evicted()
	end := s.endAbs - evicted // index
	fit := int64(s.plot.W()/pitch) + 2
	firstAbs := format.FloorDiv(s.endAbs-1, merge) - fit + 1
	first := firstAbs*merge - evicted
	s.bars = s.bars[:0]
	if first < 0 { // eviction may have cut the oldest group
		if cut := merge - evicted%merge; cut < merge && cut > 0 {
			s.bars = env.View.Session().Frames().Bars(env.View.LeadTrack(), 0, int(cut), 1, s.bars)
			first = cut
		} else {
			first = 0
		}
	}
	s.bars = env.View.Session().Frames().Bars(env.View.LeadTrack(), int(first), int(merge), int(fit), s.bars)
	s.columns = s.columns[:0]
	g := gapScale{pxPerFrame: pitch / float32(merge), least: max(env.Px(1), 1), most: min(s.plot.W()/4, env.Px(160),
		gapMostColumns*pitch)}
	x := float32(0)
	for i := len(s.bars) - 1; i >= 0; i-- {
		for b := s.bars[i]; b.Count > 0 && int64(b.First) < end; {
			part, rest := s.lastPart(t, b, g.leastFrames())
			c := stripColumn{x0: x - pitch, x1: x, bar: part, narrow: part.Missing}
			if part.Stops > 0 {
				c.x0 = x - max(pitch, env.Px(stopPx))
			}
			s.columns = append(s.columns, c)
			if x = c.x0; x <= -s.plot.W() {
				return part.First == 0 && x >= -s.plot.W()
			}
			if missing := t.Frame(int(part.First)).Missing; missing > 0 {
				if w := g.width(missing); w > 0 {
					s.columns[len(s.columns)-1].narrow -= missing
					s.columns = append(s.columns, stripColumn{
						x0: x - w, x1: x, gap: true, bar: frames.Bar{First: part.First, Missing: missing},
						number: t.Frame(int(part.First)).Number - missing,
					})
					x -= w
				}
			}
			if stop, ok := t.LastPause(int(part.First)-1, int(part.First)); ok {
				w := max(pitch, env.Px(stopPx))
				s.columns = append(s.columns, stripColumn{
					x0: x - w, x1: x, gap: true, pause: stop.End - stop.Begin, bar: frames.Bar{First: part.First},
				})
				x -= w
			}
			if part.First == 0 {
				return x >= -s.plot.W()
			}
			b = rest
		}
	}
	return true
}

// lastPart divides the frames of a column at the last gap in it of at least that many frames, or at the last stop
// between two of them: each that can be seen lies between the frames that it is between. rest has a Count of 0 where
// there is none.
func (s *FrameStrip) lastPart(t *store.Track, b frames.Bar, least int64) (part, rest frames.Bar) {
	if b.Count < 2 {
		return b, rest
	}
	first, end, at := int(b.First), int(b.First+b.Count), 0
	if b.Missing >= least {
		at, _ = t.LastGap(first, end-1, least)
	}
	if stop, ok := t.LastPause(first, end-1); ok {
		at = max(at, stop.Frame)
	}
	if at <= first {
		return b, rest
	}
	all := s.session.Frames()
	s.parts = all.Bars(s.track, first, at-first, 1, s.parts[:0])
	s.parts = all.Bars(s.track, at, end-at, 1, s.parts)
	return s.parts[1], s.parts[0]
}

// gapScale is the width of missing frames, in pixels.
type gapScale struct{ pxPerFrame, least, most float32 }

// leastFrames returns how many missing frames have room of their own.
func (g gapScale) leastFrames() int64 { return int64(math.Ceil(float64(g.least / g.pxPerFrame))) }

// width returns the room of missing frames: theirs, up to a limit, in whole pixels; 0 where it is less
// than a pixel at scale 1.
func (g gapScale) width(missing int64) float32 {
	if missing < g.leastFrames() {
		return 0
	}
	return max(float32(int(min(float32(missing)*g.pxPerFrame, g.most)+0.5)), g.least)
}

// mostStretch is how much wider than at its level a column becomes at most so that the strip is
// filled: as much as lies between two levels.
const mostStretch = 1.51

// align gives the columns their positions in the window: the newest at the right edge, or, while
// everything fits, the oldest at the left edge. A whole history that fits fills the strip if that
// takes little stretching.
func (s *FrameStrip) align(full, whole bool) {
	right, stretch := s.plot.X1, float32(1)
	if n := len(s.columns); n > 0 && full {
		w := -s.columns[n-1].x0
		if k := s.plot.W() / w; whole && k <= mostStretch {
			stretch = k
		}
		right = s.plot.X0 + w*stretch
	}
	for i := range s.columns {
		c := &s.columns[i]
		c.x0, c.x1 = panel.Snap(right+c.x0*stretch), panel.Snap(right+c.x1*stretch)
	}
	slices.Reverse(s.columns)
}

// reveal brings a selection that another panel made into view, then lays out.
func (s *FrameStrip) reveal(env *panel.Env, t *store.Track) {
	v := env.View
	s.layout(env, t)
	if v.LeadA() == s.seenA {
		return
	}
	s.seenA = v.LeadA()
	if v.LeadA() < 0 || v.Live() || s.drag != dragNone || len(s.columns) == 0 {
		return
	}
	first, last := s.firstFrame(), int(s.endAbs-t.Evicted())
	if v.LeadA() >= first && v.LeadA() < last {
		return
	}
	_, merge := stripLevel(env, s.level)
	half := int64(last-first) / 2
	s.follow = false
	s.endAbs = t.Evicted() + int64(v.LeadA()) + max(half, merge)
	s.layout(env, t)
}

// firstFrame returns the index of the leftmost frame.
func (s *FrameStrip) firstFrame() int {
	if i := slices.IndexFunc(s.columns, func(c stripColumn) bool { return !c.gap }); i >= 0 {
		return int(s.columns[i].bar.First)
	}
	return 0
}

// columnAt returns the index of the column at x, the nearest one outside, -1 when there is none.
func (s *FrameStrip) columnAt(pxX float32) int {
	i := sort.Search(len(s.columns), func(i int) bool { return s.columns[i].x1 > pxX })
	return min(i, len(s.columns)-1)
}

// frameAt returns the frame at x: of a merged column the worst, of a gap the one before it.
func (s *FrameStrip) frameAt(pxX float32) int {
	i := s.columnAt(pxX)
	if i < 0 {
		return -1
	}
	if c := &s.columns[i]; c.gap {
		return max(0, int(c.bar.First)-1)
	} else if c.bar.Worst >= c.bar.First {
		return int(c.bar.Worst)
	}
	return int(s.columns[i].bar.First)
}

// xOfFrame returns the left and right edges of the column in which a frame is; ok is false when it
// is out of view.
func (s *FrameStrip) xOfFrame(frame int) (x0, x1 float32, ok bool) {
	i := sort.Search(len(s.columns), func(i int) bool { // a gap has a Count of 0
		return int(s.columns[i].bar.First+s.columns[i].bar.Count) > frame
	})
	if i >= len(s.columns) || s.columns[i].gap || int(s.columns[i].bar.First) > frame {
		return 0, 0, false
	}
	return s.columns[i].x0, s.columns[i].x1, true
}
