package timeline

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Sizes in scale-1 pixels.
const (
	laneH       = 20 // pitch of lanes; bars leave a pixel free
	laneCompact = 16 // in a small window
	nameH       = 18 // of a name in the gutter
	timeH       = 15 // of the time below it
	gutterMin   = 66
	gutterWords = 104 // least with counters or rows left out
	gutterMost  = 170
	foldArrowW  = 20 // of the gutter, before the name
)

// block is the place of a track.
type block struct {
	track    model.TrackID
	offset   int64 // added to the track's times: its own clock aligned to the session's
	lanes    int
	deeper   int             // lanes left out as the user gave it fewer
	folded   bool            // all lanes are thin lines, and nothing else is shown
	many     []model.TrackID // tracks in one row; track is the first of them
	head     groupHead       // of the row above a group of tracks
	room     int             // for how many lanes there is room, where the user set it; 0: those in view
	dense    bool            // many lanes of things side by side: they are low, so that the crowd is visible
	root     bool            // lane 0 holds whole frames and is thin
	messages bool
	cores    *spans.Series // on which processor it ran, nil: not known
	ticks    *spans.Series // of its stack, nil: there is no room for a tick a sample
	counter  *counterRow   // the block is a counter's; track is its thread, or any
	whole    int           // lanes with those that are not in view
	slim     int           // so many of the last lanes in view have nothing wide enough for a name
	low      int           // so many of the last are drawn low: see lower
	constant int           // so many of the first hold one sampled call from begin to end, and are drawn low

	spansY0, spansY1 float32 // of the lanes of spans, below the block's top
	loadY0, loadY1   float32 // of the curve of load in the window
}

// alone reports whether a block has a single track.
func (b *block) alone() bool { return b.many == nil && b.head == groupHead{} && b.counter == nil }

// roomLanes returns for how many lanes a block has room, less the low one of whole frames.
func (b *block) roomLanes() int {
	switch {
	case b.room > 0:
		return b.room
	case b.dense:
		return denseLanes
	case b.root:
		return b.lanes - 1
	}
	return max(b.lanes, 1)
}

// scrollAnchor remembers which track was under the mouse, or without it at the top of the plot, so
// that it stays there when those above it grow, where one scrolled down.
type scrollAnchor struct {
	track   model.TrackID
	head    string // of the row above a group
	counter *counterRow
	into    float32 // how far below the track's top
	at      float32 // and below that of the plot
	scroll  float32
	atNs    int64 // when it was taken
	valid   bool
}

// awayNs is the time without a tick after which a timeline counts as hidden: it comes back with its
// scroll position.
const awayNs = 500_000_000

// layout places gutter, ruler, plot and the blocks of the visible tracks.
func (t *Timeline) layout(env *panel.Env, rect draw.Rect, in *panel.Input) {
	if t.stack.New() {
		t.stack.Use(&t.flags, &t.samples, &t.spans, &t.cores, &t.counters, &t.gaps)
	}
	if key := t.keyOf(env, rect); key != t.laid || t.looks.left < 0 && !panel.Stands(env, t.looks.atNs) {
		t.laid = key
		t.looks.left, t.looks.atNs = format.Pick(env.Paced, mostLooks, math.MaxInt), env.NowNs
		t.layBlocks(env)
	}
	scroll := t.pane.Scroll()
	contentH := t.stack.Height()
	if plot := t.pane.Plot(); in.Over && in.Y > plot.Y0 { // the hovered row stays when rows below it go
		contentH = max(contentH, scroll+plot.H())
	}
	t.pane.Place(env, rect, timepane.Shape{
		GutterW: min(max(t.gutterW, t.gutter), env.Px(gutterMost), rect.W()/3), ContentH: contentH,
		Empty: len(t.stack.Groups()) == 0, Threads: t.threads, Ruler: t.ruler,
		Turn: t.spans.load.turns,
	})
	at := float32(0)
	if plot := t.pane.Plot(); in.Over && in.Y > plot.Y0 && in.Y < plot.Y1 {
		at = in.Y - plot.Y0
	}
	t.anchor.valid = t.anchor.valid && env.NowNs-t.anchor.atNs < awayNs
	t.keepAnchor(scroll, at)
	t.anchor.atNs = env.NowNs
}

// layoutKey is the inputs of the places of the blocks.
type layoutKey struct {
	session    *store.Session
	rev, shown uint64
	track      model.TrackID
	inView     depthKey
	compact    bool
	counters   uint64  // their stamp
	height     float32 // of the whole panel
	tickNs     int64   // least time between ticks of samples, 0: there are none
	atlas      *draw.Atlas
	scale      float32
}

func (t *Timeline) keyOf(env *panel.Env, rect draw.Rect) layoutKey {
	v := env.View
	key := layoutKey{
		session: v.Session(), rev: v.Session().Revision(), shown: v.Look().ShownStamp(), track: v.Track(),
		counters: v.Look().CountersStamp(), inView: timeInView(v), compact: env.Compact,
		atlas: env.Atlas, scale: env.Scale, height: rect.H(),
	}
	if key.session.Spans().AnySampled() && !t.pane.Empty() {
		key.tickNs = t.pane.PowerOf(env.Px(tickLess))
	}
	if key.session != t.laid.session {
		t.paced = panel.Paced[layoutKey]{}
	} else if key.session.NumTracks() > pacedTracks {
		paced := t.paced.Of(env, layoutKey{rev: key.rev, inView: key.inView})
		key.rev, key.inView = paced.rev, paced.inView
	}
	return key
}

// pacedTracks is from how many tracks on new data of a live session change the places of the blocks only as often
// as its figures.
const pacedTracks = 256

// mostLooks is in how many tracks with new spans a layout looks for what is in view; the next one goes on.
const mostLooks = 2000

// trackLook caches the properties of a track that its block needs and that are costly to compute.
type trackLook struct {
	of     nameKey
	name   string
	width  float32 // of the title
	framed bool    // lane 0 holds its frames
	looked bool    // framed is known
	depth  depthInView
}

// nameKey is the inputs of a track's name.
type nameKey struct {
	name, process string
	kind          model.TrackKind
	index         int
	grouping      view.TrackGrouping
}

// look returns the cached properties of a track.
func (t *Timeline) look(env *panel.Env, id model.TrackID, tr *store.Track) *trackLook {
	if t.looks.session != env.View.Session() || t.looks.atlas != env.Atlas {
		t.looks.session, t.looks.atlas, t.looks.of = env.View.Session(), env.Atlas, nil
	}
	for int(id) >= len(t.looks.of) {
		t.looks.of = append(t.looks.of, trackLook{})
	}
	l := &t.looks.of[id]
	d := &tr.Def
	if of := (nameKey{d.Name, d.Process, d.Kind, d.Index, env.View.Look().TrackGrouping()}); of != l.of || l.width == 0 {
		l.of, l.name = of, nameOf(env.View, tr)
		l.width = env.Atlas.Measure(draw.Medium, l.name)
	}
	if !l.looked && tr.NumFrames() > 0 && tr.Lanes() > 1 {
		l.framed, l.looked = hasFrameLane(env.View.Session(), id, tr), true
	}
	return l
}

// layBlocks makes the blocks of the visible tracks.
func (t *Timeline) layBlocks(env *panel.Env) {
	v := env.View
	t.lays++
	t.stack.Reset()
	t.threads = t.threads[:0]
	t.gutterW = env.Px(gutterMin)
	t.findGone(v)
	t.counters.pick(v.Look())
	for _, c := range t.counters.pinned {
		t.addCounter(env, c)
	}
	for _, g := range v.Look().TrackGroups() {
		if g.Key != "" {
			t.gutterW = max(t.gutterW, env.Px(gutterWords), env.Atlas.Measure(draw.Medium, g.Title)+env.Px(52))
		}
		t.addGroup(env, &g)
	}
	t.addHidden(env)
	if len(t.gone) > 0 {
		t.stack.Add(block{track: t.gone[0], many: t.gone, lanes: foldedLanes, folded: true})
	}
	t.spans.pitch = env.Px(format.Pick[float32](env.Compact, laneCompact, laneH))
	t.stack.Layout(env)
	t.measure(env)
	others, pinned := t.counters.others, len(t.counters.pinned)
	room := int((t.laid.height - timepane.RulerH(env) - t.tall.px) / t.counters.rowPx(env))
	least := min(len(others), leastCounters, int(countersShare*t.laid.height/t.counters.rowPx(env)))
	t.lower(env, t.tall.px+float32(least)*t.counters.rowPx(env)-(t.laid.height-timepane.RulerH(env)))
	for _, c := range others[:max(t.counters.firm, least, min(room, len(others)))] {
		t.addCounter(env, c)
	}
	if room < least { // below the tracks nobody would see them
		rows := t.stack.Groups()[pinned:]
		first := len(rows) - max(t.counters.firm, least)
		lead := slices.Clone(rows[first : first+least])
		copy(rows[least:first+least], rows[:first])
		copy(rows, lead)
	}
	t.stack.Layout(env)
	t.places = t.places[:0]
	for i := range t.stack.Groups() {
		switch b := &t.stack.Groups()[i]; {
		case b.many != nil:
			for _, id := range b.many {
				t.place(id, i)
			}
		case b.alone():
			t.place(b.track, i)
		}
	}
}

// tallest is the most height that the tracks ever took, while nothing but the view changed.
type tallest struct {
	key tallestKey
	px  float32
}

type tallestKey struct {
	session *store.Session
	shown   uint64
	tracks  int
	atlas   *draw.Atlas
	scale   float32
	compact bool
}

// measure notes how much height the tracks need with all their lanes, also those that are not in view: the
// panels below do not jump while one scrolls, and counters neither come nor go.
func (t *Timeline) measure(env *panel.Env) {
	k := &t.laid
	key := tallestKey{k.session, k.shown, len(t.threads), k.atlas, k.scale, k.compact}
	if key != t.tall.key {
		t.tall = tallest{key: key}
	}
	px := t.stack.Height()
	for i := range t.stack.Groups() {
		if b := &t.stack.Groups()[i]; b.alone() && !b.folded && !b.dense {
			px += float32(b.whole-max(b.lanes, 1)) * t.spans.pitch
		}
	}
	t.tall.px = max(t.tall.px, px)
}

// lower draws the lanes without names low, of the last tracks first, until px of room are won. Folded tracks count as
// unfolded, so that folding one changes no other.
func (t *Timeline) lower(env *panel.Env, px float32) {
	for i := range t.stack.Groups() {
		if b := &t.stack.Groups()[i]; b.alone() && b.folded {
			px += float32(b.whole) * t.spans.pitch
		}
	}
	for i := range slices.Backward(t.stack.Groups()) {
		if b := &t.stack.Groups()[i]; px > 0 && b.slim > 0 {
			b.low = b.slim
			px -= float32(b.low) * (t.spans.pitchOf(env, b) - env.Px(foldedLaneH))
		}
	}
}

// Useful implements panel.Modest: ruler, tracks, and the counters that there can be.
func (t *Timeline) Useful(env *panel.Env) float32 {
	if t.pane.Empty() && len(t.counters.others) == 0 { // a session of counters alone has no row while it is low
		return 0
	}
	return timepane.RulerH(env) + t.tall.px + float32(len(t.counters.others))*t.counters.rowPx(env)
}

// place notes which block shows a track.
func (t *Timeline) place(id model.TrackID, block int) {
	for int(id) >= len(t.places) {
		t.places = append(t.places, 0)
	}
	t.places[id] = block + 1
}

// addTrack adds the block of a track, unless it lies in the row of its group.
func (t *Timeline) addTrack(env *panel.Env, id model.TrackID, shown bool) {
	tr := env.View.Session().Track(id)
	l := t.look(env, id, tr)
	b := t.blockOf(env.View, id, tr, l)
	t.threads = append(t.threads, timepane.Thread{Track: id, OffsetNs: b.offset})
	if !shown {
		return
	}
	t.stack.Add(b)
	if b.deeper > 0 {
		t.gutterW = max(t.gutterW, env.Px(gutterWords))
	}
	t.gutterW = max(t.gutterW, l.width+env.Px(28))
}

// blockOf returns the block of a track.
func (t *Timeline) blockOf(v *view.View, id model.TrackID, tr *store.Track, l *trackLook) block {
	b := block{track: id, lanes: tr.Lanes(), folded: v.Look().TrackFolded(id)}
	b.root = b.lanes > 1 && l.framed
	b.whole = b.lanes
	if tr.Def.Kind.Calls() {
		b.lanes = l.depth.lanesFor(v, tr, t.laid.inView, &t.looks.left)
		if b.root {
			b.lanes = max(b.lanes, 2)
		}
		b.constant = format.Pick(b.root, 0, l.depth.constant)
		if l.depth.wide > format.Pick(b.root, 1, 0) && v.Look().TrackLanes(id) == 0 {
			b.slim = b.lanes - l.depth.wide
		}
	}
	b.dense = !tr.Def.Kind.Calls() && b.lanes > denseLanes
	if b.room = v.Look().TrackLanes(id); b.room > 0 && !b.dense {
		most := b.room
		if b.root {
			most++
		}
		b.deeper = max(b.lanes-most, 0)
		b.lanes = min(b.lanes, most)
		b.whole = 0
	}
	b.whole = max(b.whole, b.lanes, 1)
	b.cores = timepane.CoreSeries(v.Session(), id)
	b.ticks = ticksOf(v, id, t.laid.tickNs)
	b.messages = tr.NumMessages() > 0
	if tr.Def.OwnClock {
		b.offset = t.alignment(v, id, tr)
	}
	return b
}

// hasFrameLane reports whether the outermost spans of a track are its frames.
func hasFrameLane(s *store.Session, id model.TrackID, tr *store.Track) bool {
	if tr.NumFrames() == 0 || !s.Collector(0).IsFrameRoot() {
		return false
	}
	bar, ok := s.Spans().At(id, 0, tr.Frame(0).Begin, 0)
	return ok && bar.Collector == 0
}

// keepAnchor scrolls so that the track under the mouse, or at the top of the plot, stays where it
// was when blocks above it changed their height, unless the user has scrolled since. The top row
// stays at the top, as the user scrolled to it. scroll is the position before the present layout; at
// is the mouse's distance from the top of the plot, 0 if it is elsewhere.
func (t *Timeline) keepAnchor(scroll, at float32) {
	p, blocks, a := &t.pane, t.stack.Groups(), &t.anchor
	if a.valid && scroll == a.scroll && scroll > 0 {
		for i := range blocks {
			if blocks[i].track == a.track && blocks[i].head.key == a.head && blocks[i].counter == a.counter {
				y, h := t.stack.Band(i)
				p.ScrollTo(y + min(a.into, h) - a.at)
			}
		}
	}
	*a = scrollAnchor{scroll: p.Scroll(), at: at}
	for i := range blocks {
		if y, h := t.stack.Band(i); y+h > p.Scroll()+at {
			a.track, a.head, a.counter = blocks[i].track, blocks[i].head.key, blocks[i].counter
			a.into, a.valid = p.Scroll()+at-y, true
			return
		}
	}
}

// alignment returns the offset of a track with a clock of its own, so that one of its frames begins
// when the frame of the same number of the view's track does; without common numbers, so that the
// newest frames begin together. It changes only when the clocks have drifted apart by more than 50
// ms. It is an approximation, and shown as such.
func (t *Timeline) alignment(v *view.View, id model.TrackID, tr *store.Track) int64 {
	const drift = 50_000_000
	n := tr.NumFrames()
	main := v.Shown()
	if n == 0 || main == nil || main == tr || main.NumFrames() == 0 {
		return t.align[id]
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
	if d := offset - old; known && d < drift && d > -drift {
		return old
	}
	if t.align == nil {
		t.align = map[model.TrackID]int64{}
	}
	t.align[id] = offset
	return offset
}
