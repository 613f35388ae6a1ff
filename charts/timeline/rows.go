package timeline

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// Sizes in scale-1 pixels.
const (
	laneH       = 19 // pitch of lanes; bars leave a pixel free
	laneLeast   = 15 // pitch where not everything fits at the full one
	rootLaneH   = 8  // pitch of the lane of whole frames, whose bars say only how long they took
	foldedLaneH = 5
	denseLanes  = 6 // a flow of more lanes takes the room of so many
	denseLeast  = 3
	foldedLanes = 3
	blockPadTop = 5
	blockPadEnd = 6
	rulerTickH  = 17
	rulerFrameH = 15
	gutterMin   = 66
	gutterWords = 104 // least with counters or a limit of depth
	gutterMost  = 170
)

// timelineBlock is the place of a track.
type timelineBlock struct {
	band
	track    model.TrackID
	lanes    int
	counters []*counterRow
	cores    *model.Series // on which processor it ran, nil: not known or not shown
	flags    float32       // height of the row of messages above the lanes, 0: none
	deeper   int           // lanes left out by the limit of depth
	folded   bool
	dense    bool  // what flows side by side in many lanes: they are low, so that the crowd is seen
	root     bool  // lane 0 holds whole frames and is thin
	offset   int64 // added to the track's times: its own clock aligned to the session's
}

// timelineRow is a lane that was drawn: bars[from:to].
type timelineRow struct {
	track      model.TrackID
	block      int
	lane       int
	y0, y1     float32 // of the bars, in the window
	from, to   int
	offset     int64
	foldedView bool
}

// drawnBar is a bar as it was drawn.
type drawnBar struct {
	bar    model.Bar // times shifted to the session's clock
	x0, x1 float32
}

// drawnGap is a hatched interval as it was drawn.
type drawnGap struct {
	gap    model.Gap
	track  model.TrackID
	r      draw.Rect
	merged int   // gaps drawn as one
	left   int64 // frames that left memory: what is before the oldest that is kept
}

// scrollAnchor remembers which track was at the top of the plot, so that it stays there when those above it grow.
type scrollAnchor struct {
	track model.TrackID
	into  float32
	valid bool
}

// clockAlign places a track whose clock is not the session's.
type clockAlign struct {
	offset int64
	number int64
}

// layout places gutter, ruler, plot and the blocks of the visible tracks.
func (t *Timeline) layout(env *panel.Env, rect draw.Rect) {
	v := env.View
	t.blocks = t.blocks[:0]
	gutterW := env.Px(gutterMin)
	lanes := 0
	for _, id := range v.VisibleTracks() {
		tr := v.Session().Track(id)
		b := timelineBlock{track: id, lanes: tr.Lanes(), folded: v.TrackFolded(id)}
		b.root = b.lanes > 1 && hasFrameLane(v.Session(), id, tr)
		if most := v.DepthLimit(); most > 0 {
			if b.root {
				most++
			}
			b.deeper = max(b.lanes-most, 0)
			b.lanes -= b.deeper
		}
		b.dense = tr.Def.Kind == model.TrackStream && b.lanes > denseLanes
		b.counters = t.countersOf(v, id, tr)
		if !t.Options.HideCores {
			b.cores = t.cores.seriesOf(v.Session(), id)
		}
		if !t.Options.HideMessages && tr.NumMessages() > 0 {
			b.flags = env.Px(flagRowH)
		}
		if tr.Def.OwnClock {
			b.offset = t.alignment(v, id, tr)
		}
		if !b.folded && !b.dense {
			lanes += max(b.lanes, 1)
			if b.root {
				lanes--
			}
		}
		t.blocks = append(t.blocks, b)
		if b.deeper > 0 || len(b.counters) > 0 {
			gutterW = max(gutterW, env.Px(gutterWords))
		}
		gutterW = max(gutterW, env.Atlas.Measure(draw.Medium, tr.Title())+env.Px(28))
	}
	// Lanes are as high as they can be for everything to fit, between two limits.
	t.lanePitch = env.Px(laneH)
	t.contentH = t.stack(env)
	if over := t.contentH - (rect.H() - rulerHeight(env)); over > 0 && lanes > 0 {
		t.lanePitch = max(env.Px(laneLeast), t.lanePitch-float32(math.Ceil(float64(over)/float64(lanes))))
		t.contentH = t.stack(env)
	}
	t.place(env, rect, min(gutterW, env.Px(gutterMost), rect.W()/3), 0)
	t.keepAnchor()
}

// stack places the blocks below each other and returns the height of all.
func (t *Timeline) stack(env *panel.Env) float32 {
	y, one := float32(0), max(1, float32(int(env.Scale)))
	for i := range t.blocks {
		b := &t.blocks[i]
		b.y = y
		if b.folded {
			b.h = env.Px(4) + float32(min(max(b.lanes, 1), foldedLanes))*env.Px(foldedLaneH) + env.Px(4)
			b.h = max(b.h, env.Px(laneH))
		} else {
			b.h = t.laneOffset(env, b, max(b.lanes, 1)) + env.Px(blockPadEnd) + float32(len(b.counters))*env.Px(counterH)
			if b.cores != nil {
				b.h += env.Px(coreGap) + env.Px(coreH)
			}
		}
		y += b.h + one
	}
	return y
}

// hasFrameLane tells whether the outermost spans of a track are its frames.
func hasFrameLane(s *model.Session, id model.TrackID, tr *model.Track) bool {
	if tr.NumFrames() == 0 || !isFrameRoot(s.Collector(0)) {
		return false
	}
	bar, ok := s.SpanAt(id, 0, tr.Frame(0).Begin, 0)
	return ok && bar.Collector == 0
}

// keepAnchor scrolls so that the track at the top of the plot stays where it was when blocks above it changed their height.
func (t *Timeline) keepAnchor() {
	if t.anchor.valid && t.scrollY > 0 {
		for i := range t.blocks {
			if b := &t.blocks[i]; b.track == t.anchor.track {
				t.scrollY = b.y + min(t.anchor.into, b.h)
			}
		}
	}
	t.scrollTo(t.scrollY)
}

// scrollTo scrolls as far as there is content, and remembers what is at the top.
func (t *Timeline) scrollTo(y float32) {
	t.scrollY = float32(int(min(max(y, 0), max(t.contentH-t.plot.H(), 0))))
	t.anchor.valid = false
	for i := range t.blocks {
		if b := &t.blocks[i]; b.y+b.h > t.scrollY {
			t.anchor = scrollAnchor{track: b.track, into: t.scrollY - b.y, valid: true}
			break
		}
	}
}

// blockAt returns the index of the block at a window position, -1 none.
func (t *Timeline) blockAt(pxY float32) int { return bandAt(t, t.blocks, pxY) }

// laneY returns the window position of a lane's top.
func (t *Timeline) laneY(env *panel.Env, b *timelineBlock, lane int) (y0, y1 float32) {
	if b.folded {
		y0 = t.screenY(b.y) + env.Px(4) + float32(lane)*env.Px(foldedLaneH)
		return y0, y0 + env.Px(foldedLaneH) - 1
	}
	top := t.screenY(b.y)
	y0, y1 = top+t.laneOffset(env, b, lane), top+t.laneOffset(env, b, lane+1)
	return y0, y1 - max(1, float32(int(env.Scale)))
}

// pitch returns how far apart the lanes of an unfolded block are.
func (t *Timeline) pitch(env *panel.Env, b *timelineBlock) float32 {
	if b.dense {
		return max(env.Px(denseLeast), float32(int(denseLanes*t.lanePitch/float32(b.lanes))))
	}
	return t.lanePitch
}

// laneOffset returns how far below the block's top a lane of an unfolded block begins.
func (t *Timeline) laneOffset(env *panel.Env, b *timelineBlock, lane int) float32 {
	y := env.Px(blockPadTop) + b.flags + float32(lane)*t.pitch(env, b)
	if b.root && lane > 0 {
		y += env.Px(rootLaneH) - t.pitch(env, b)
	}
	return y
}

// visibleLanes returns the lanes of a block that are inside the plot.
func (t *Timeline) visibleLanes(env *panel.Env, b *timelineBlock) (from, to int) {
	pitch, lanes := t.pitch(env, b), b.lanes
	if b.folded {
		return 0, min(lanes, foldedLanes)
	}
	top := t.screenY(b.y) + t.laneOffset(env, b, 1) - pitch // where lane 0 would begin at full height
	if t.plot.Y0 > top+pitch {
		from = int((t.plot.Y0 - top) / pitch)
	}
	to = min(lanes, int((t.plot.Y1-top)/pitch)+1)
	return from, max(from, to)
}

// alignment returns what to add to the times of a track with a clock of its own, so that one of its frames begins when the frame of the same number of the view's track does; where they
// have no number in common, so that the newest frames begin together. It changes only when the clocks have drifted apart by more than 50 ms. It is an approximation, and shown as such.
func (t *Timeline) alignment(v *view.View, id model.TrackID, tr *model.Track) int64 {
	const drift = 50_000_000
	n := tr.NumFrames()
	main := v.Shown()
	if n == 0 || main == nil || main == tr || main.NumFrames() == 0 {
		return t.align[id].offset
	}
	f := tr.Frame(n - 1)
	m := main.Frame(main.NumFrames() - 1)
	if i, ok := main.FrameByNumber(f.Number); ok {
		m = main.Frame(i)
	} else if i, ok := tr.FrameByNumber(m.Number); ok {
		f = tr.Frame(i)
	}
	old, known := t.align[id]
	offset := m.Begin - f.Begin
	if d := offset - old.offset; known && d < drift && d > -drift {
		return old.offset
	}
	if t.align == nil {
		t.align = map[model.TrackID]clockAlign{}
	}
	t.align[id] = clockAlign{offset, m.Number}
	return offset
}
