package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// LockChart shows every lock against time: a group of rows for each. The first row is the lock itself, a bar for each time that it was held, in the colour of the thread that held it; recursive holds lie
// as darker steps inside. Where there are signals to a condition of that name, they have a row of ticks. Below is a row for each thread that waited: hatched bars for waiting, outlined ones for waiting
// for a condition, ticks for tries in vain. Arrows go from a signal to the end of the wait that it ended.
//
// What is shorter than minNs, two to four pixels, comes merged from the model, anchored in time (see model.Session.LockBars): columns are then divided among the threads that held the lock in them, and are as
// strong as they are full.
//
// Axis, ruler, cursors, ranges and gestures are those of a timeline; it is one without tracks that does them here.
type LockChart struct {
	axis    Timeline
	baseKey lockKey

	legend draw.Rect
	groups []lockGroup
	rows   []lockRow
	shown  lockShown
	namesW float32 // of the longest name of a lock, with its margins

	minNs   int64
	bars    []model.LockBar // of the group that is being drawn
	kept    keptLocks
	tipBars []model.LockBar
	stats   []model.LockStats
	arrows  []model.SignalArrow
	threads []model.LockThread
	locks   []model.CollectorID
	used    []model.TrackID // that used any lock, ascending: the legend
	px      []drawnLock
	shares  []lockShare
	column  lockColumn
	arrowPx []drawnArrow

	selected    model.LockUse
	hasSelected bool
	follow      model.CollectorID // the selected collector as of the last Update
	followed    bool

	tip  panel.TipLines
	buf  []byte
	mode panel.CachedText
}

// lockShown is what the layout of the rows depends on.
type lockShown struct {
	session   *model.Session
	rev, maps uint64
	scale     float32
	valid     bool
}

// lockGroup is the place of a lock: rows[from:to].
type lockGroup struct {
	band
	lock     model.CollectorID
	from, to int
	more     int // threads that have no row
	signals  int // index of the row of signals, -1 without
	holder   int // index of the row of holders, -1 without
}

type lockRowKind uint8

const (
	lockRowHolder lockRowKind = iota
	lockRowSignals
	lockRowThread
)

// keptLocks are answers to what the picture was made of. Bars stay as they are while it pans, so answers for somewhat more than the picture serve until it has left that.
type keptLocks struct {
	session    *model.Session
	rev        uint64
	minNs      int64
	begin, end int64
	of         []keptLock
	bars       []model.LockBar
}

type keptLock struct {
	lock     model.CollectorID
	from, to int
}

// aim makes ready to answer for a range.
func (k *keptLocks) aim(s *model.Session, begin, end, minNs int64) {
	same := k.session == s && k.rev == s.Revision()
	if same && k.minNs == minNs && begin >= k.begin && end <= k.end {
		return
	}
	k.session, k.rev, k.minNs, k.begin, k.end = s, s.Revision(), minNs, begin, end
	if same { // a session that grows needs new answers in the next tick anyway
		k.begin, k.end = begin-(end-begin)/2, end+(end-begin)/2
	}
	k.of, k.bars = k.of[:0], k.bars[:0]
}

// barsOf returns the bars of a lock in the range, and somewhat beyond it, valid until the next call.
func (k *keptLocks) barsOf(lock model.CollectorID) []model.LockBar {
	for _, l := range k.of {
		if l.lock == lock {
			return k.bars[l.from:l.to]
		}
	}
	from := len(k.bars)
	k.bars = k.session.LockBars(lock, k.begin, k.end, k.minNs, k.bars)
	k.of = append(k.of, keptLock{lock, from, len(k.bars)})
	return k.bars[from:]
}

// lockRow is a row of a group. y is in content space.
type lockRow struct {
	kind  lockRowKind
	track model.TrackID // of lockRowThread
	y, h  float32
}

// lockShare is the part of a column in which a thread held a lock.
type lockShare struct {
	track  model.TrackID
	busyNs int64
	count  int32
}

// drawnLock is a bar as it was drawn.
type drawnLock struct {
	bar      model.LockBar
	r        draw.Rect
	group    int
	from, to int // of a column: its shares; from == to for a bar
}

// drawnArrow is an arrow as it was drawn.
type drawnArrow struct {
	arrow          model.SignalArrow
	x0, y0, x1, y1 float32
}

// lockKey is what the base of the list depends on.
type lockKey struct {
	panel.PictureKey
	begin, end float64
	scrollY    float32
	empty      bool
	selected   model.LockUse
}

// Sizes in scale-1 pixels.
const (
	lockPad        = 6
	lockHolderH    = 20
	lockSignalH    = 13
	lockThreadH    = 13
	lockInset      = 3 // of each further hold of a recursion
	lockLegendH    = 20
	lockGutter     = 152
	lockGutterMore = 184 // for long names, even in a narrow panel
	lockNameX      = 10
	lockNameX1     = 6
	lockMost       = 64 // rows of threads of one lock
)

// lockGutterShare is how much of the panel names of locks take where they need it.
const lockGutterShare = 0.24

// Update handles a tick's input, lays the chart out in rect, and draws it if anything changed.
func (c *LockChart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t, v := &c.axis, env.View
	if panel.ListFor(&t.list, env) {
		c.baseKey = lockKey{}
	}
	c.layout(env, rect)
	c.followSelection(env)
	var act panel.Action
	if v.Session() != nil {
		act = c.input(env, in)
	}
	t.nsPerPx = v.Time().NsPerPx(t.plot)
	key := lockKey{PictureKey: panel.PictureKeyOf(env, rect), begin: v.Time().BeginNs, end: v.Time().EndNs, scrollY: t.scrollY, empty: len(c.groups) == 0 || !v.Time().Valid()}
	if c.hasSelected {
		key.selected = c.selected
	}
	if key != c.baseKey {
		c.baseKey = key
		c.drawBase(env, key.empty)
		t.based()
	}
	c.hover(env, in)
	if t.overChanged(env, in) && !key.empty {
		c.drawOver(env, in)
	}
	return act
}

// List returns the list filled by the last Update.
func (c *LockChart) List() *draw.List { return c.axis.list }

// Title names the chart.
func (c *LockChart) Title(*panel.Env) string { return "Locks" }

// Mode says how many locks there are and how much time the panel shows.
func (c *LockChart) Mode(env *panel.Env) string {
	v := env.View
	if !v.Time().Valid() || len(c.groups) == 0 {
		return ""
	}
	b := format.AppendCount(c.buf[:0], int64(len(c.groups)))
	if len(c.groups) == 1 {
		b = append(b, " lock · "...)
	} else {
		b = append(b, " locks · "...)
	}
	b = append(format.AppendDuration(b, int64(v.Time().Width())), " / screen"...)
	c.buf = b
	return c.mode.Set(b)
}

// layout places legend, gutter, ruler, plot and the groups.
func (c *LockChart) layout(env *panel.Env, rect draw.Rect) {
	t, v := &c.axis, env.View
	shown := lockShown{session: v.Session(), maps: v.ShownStamp(), scale: env.Scale, valid: true}
	if v.Session() != nil {
		shown.rev = v.Session().Revision()
	}
	if shown != c.shown {
		c.shown = shown
		c.stack(env)
	}
	gutterW := min(max(env.Px(lockGutter), min(c.namesW, max(env.Px(lockGutterMore), rect.W()*lockGutterShare))), rect.W()/3)
	legendH := float32(0)
	if len(c.groups) > 0 && rect.H() > 4*rulerHeight(env) {
		legendH = env.Px(lockLegendH)
	}
	c.legend = draw.Rect{X0: rect.X0, Y0: rect.Y1 - legendH, X1: rect.X1, Y1: rect.Y1}
	t.place(env, rect, float32(int(gutterW)), legendH)
	t.scrollTo(t.scrollY)
	t.nsPerPx = v.Time().NsPerPx(t.plot)
}

// stack makes the groups and rows of all locks that are not hidden.
func (c *LockChart) stack(env *panel.Env) {
	v := env.View
	c.groups, c.rows, c.used, c.axis.contentH, c.namesW = c.groups[:0], c.rows[:0], c.used[:0], 0, 0
	if v.Session() == nil {
		return
	}
	y, one := float32(0), max(1, float32(int(env.Scale)))
	c.locks = v.Session().Locks(c.locks[:0])
	for _, lock := range c.locks {
		if v.Hidden(lock) {
			continue
		}
		c.namesW = max(c.namesW, env.Atlas.Measure(draw.Medium, lockName(v.Session(), lock))+env.Px(lockNameX+lockNameX1+1))
		g := lockGroup{lock: lock, band: band{y: y}, from: len(c.rows), signals: -1, holder: -1}
		c.threads = v.Session().LockThreads(lock, c.threads[:0])
		var holds, signals int64
		for i := range c.threads {
			holds += c.threads[i].Holds
			signals += c.threads[i].Signals
			c.use(c.threads[i].Track)
		}
		at := y + env.Px(lockPad)
		add := func(kind lockRowKind, track model.TrackID, h float32) {
			c.rows = append(c.rows, lockRow{kind, track, at, env.Px(h)})
			at += env.Px(h)
		}
		if holds > 0 || signals == 0 {
			g.holder = len(c.rows)
			add(lockRowHolder, model.NoTrack, lockHolderH)
		}
		if signals > 0 {
			g.signals = len(c.rows)
			add(lockRowSignals, model.NoTrack, lockSignalH)
			if g.holder < 0 {
				at += env.Px(lockHolderH - lockSignalH) // room for the name
			}
		}
		for i := range c.threads {
			th := &c.threads[i]
			if th.Waits+th.Failed+th.Conditions == 0 {
				continue
			}
			if len(c.rows)-g.from >= lockMost {
				g.more++
				continue
			}
			add(lockRowThread, th.Track, lockThreadH)
		}
		g.to = len(c.rows)
		g.h = at + env.Px(lockPad) - y
		y += g.h + one
		c.groups = append(c.groups, g)
	}
	c.axis.contentH = y
}

// use notes that a track uses a lock.
func (c *LockChart) use(id model.TrackID) {
	i := len(c.used)
	for i > 0 && c.used[i-1] > id {
		i--
	}
	if i > 0 && c.used[i-1] == id {
		return
	}
	c.used = append(c.used, 0)
	copy(c.used[i+1:], c.used[i:])
	c.used[i] = id
}

// ScrollToLock brings the group of a lock into view.
func (c *LockChart) ScrollToLock(lock model.CollectorID) {
	t := &c.axis
	for i := range c.groups {
		g := &c.groups[i]
		if g.lock != lock {
			continue
		}
		if g.y < t.scrollY || g.h > t.plot.H() {
			t.scrollTo(g.y)
		} else if g.y+g.h > t.scrollY+t.plot.H() {
			t.scrollTo(g.y + g.h - t.plot.H())
		}
	}
}

// followSelection brings a lock into view when it was selected in another panel.
func (c *LockChart) followSelection(env *panel.Env) {
	v := env.View
	if c.followed && c.follow == v.Collector() {
		return
	}
	c.follow, c.followed = v.Collector(), true
	if v.Collector() != model.NoCollector {
		c.ScrollToLock(v.Collector())
	}
	if c.hasSelected && c.selected.Lock != v.Collector() {
		c.hasSelected = false
	}
}

// groupAt returns the index of the group at a window position, -1 none.
func (c *LockChart) groupAt(pxY float32) int { return bandAt(&c.axis, c.groups, pxY) }

// rowRect returns the place of a row in the window.
func (c *LockChart) rowRect(i int) draw.Rect {
	t, r := &c.axis, &c.rows[i]
	y := t.screenY(r.y)
	return draw.Rect{X0: t.plot.X0, Y0: y, X1: t.plot.X1, Y1: y + r.h - 2}
}

// rowOf returns the index of the row of a thread in a group, -1 without.
func (c *LockChart) rowOf(g *lockGroup, track model.TrackID) int {
	for i := g.from; i < g.to; i++ {
		if c.rows[i].kind == lockRowThread && c.rows[i].track == track {
			return i
		}
	}
	return -1
}
