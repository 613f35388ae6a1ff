package locks

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

// Sizes of the rows of a group, in scale-1 pixels.
const (
	groupPad  = 6
	holderH   = 20
	signalH   = 13
	threadH   = 13
	holdInset = 3 // of each further hold of a recursion
)

// group is the rows of a lock: rows[from:to] of a useLane.
type group struct {
	lock     model.CollectorID
	from, to int
	more     int // threads that have no row
	signals  int // index of the row of signals, -1 without
	holder   int // index of the row of holders, -1 without
}

// useLane is the rows of all locks: the holders, signals, and a row for each thread that waited.
type useLane struct {
	rows    []row
	minNs   int64 // a power of two
	kept    keptUses
	bars    []locks.Bar // of the group that is being drawn
	scale   timepane.Scale
	shades  draw.Shades
	users   []user // by track
	px      []drawnUse
	shares  []share
	column  column
	columns []locks.Bar // those that were drawn
	arrows  []timepane.Signal
	near    []locks.Bar // of a tooltip
	buf     []byte
}

// row is one row of a group. y is below the top of the group.
type row struct {
	waits bool
	track model.TrackID // that waits
	y, h  float32

	place draw.Rect // in the picture that is being drawn
	line  draw.Row  // likewise
	seen  bool
}

// user caches the drawing data of a thread.
type user struct {
	fill draw.Color
	made bool
	row  int // where its waits are drawn, if that is in the group that is being drawn
}

// share is the part of a column in which a thread held a lock.
type share struct {
	track  model.TrackID
	busyNs int64
	count  int32
}

// drawnUse is a bar as it was drawn.
type drawnUse struct {
	bar      *locks.Bar
	r        draw.Rect
	from, to int // of a column: its shares; from == to for a bar
}

// column collects holds too short to draw separately: the threads that held a lock between two
// multiples of minNs.
type column struct {
	part    int64 // where it begins
	from    int   // its shares
	lone    *locks.Bar
	entries int
}

// reset begins a picture.
func (u *useLane) reset(p *timepane.Pane, env *panel.Env) {
	u.px, u.shares, u.arrows = u.px[:0], u.shares[:0], u.arrows[:0]
	u.columns = u.columns[:0]
	clear(u.users)
	if p.Empty() {
		return
	}
	begin, end := env.View.Time().Visible()
	u.minNs = p.PowerOf(2)
	u.scale = p.Scale(env)
	u.shades.Use(draw.Color(env.Theme.Panel))
	u.kept.aim(env.View.Session(), begin, end, u.minNs)
}

// group returns a lock's group with its rows. Layout places them.
func (u *useLane) group(lock model.CollectorID, threads []locks.Thread, held, signalled bool) group {
	g := group{lock: lock, from: len(u.rows), signals: -1, holder: -1}
	if held || !signalled {
		g.holder = len(u.rows)
		u.rows = append(u.rows, row{track: model.NoTrack})
	}
	if signalled {
		g.signals = len(u.rows)
		u.rows = append(u.rows, row{track: model.NoTrack})
	}
	for i := range threads {
		th := &threads[i]
		switch {
		case th.Waits+th.Failed+th.Conditions == 0:
		case len(u.rows)-g.from >= mostRows:
			g.more++
		default:
			u.rows = append(u.rows, row{waits: true, track: th.Track})
		}
	}
	g.to = len(u.rows)
	return g
}

// Layout implements timepane.Lane.
func (u *useLane) Layout(env *panel.Env, g *group, y float32) float32 {
	top := y
	y += env.Px(groupPad)
	for i := g.from; i < g.to; i++ {
		h := env.Px(threadH)
		switch i {
		case g.holder:
			h = env.Px(holderH)
		case g.signals:
			h = env.Px(signalH)
		}
		u.rows[i].y, u.rows[i].h = y, h
		y += h
		if i == g.signals && g.holder < 0 {
			y += env.Px(holderH - signalH) // room for the name
		}
	}
	return y + env.Px(groupPad) - top
}

// rowRect returns the place of a row in the window. y is the top of its group.
func (u *useLane) rowRect(plot draw.Rect, i int, y float32) draw.Rect {
	r := &u.rows[i]
	return draw.Rect{X0: plot.X0, Y0: y + r.y, X1: plot.X1, Y1: y + r.y + r.h - 2}
}

// user returns the drawing data of a thread.
func (u *useLane) user(env *panel.Env, track model.TrackID) *user {
	if int(track) >= len(u.users) || !u.users[track].made {
		u.meet(env, track)
	}
	return &u.users[track]
}

// meet computes the drawing data of a thread.
func (u *useLane) meet(env *panel.Env, track model.TrackID) {
	if n := int(track) + 1; n > len(u.users) {
		u.users = append(u.users, make([]user, n-len(u.users))...)
	}
	fill, _ := subject.ThreadColor(env, track)
	u.users[track] = user{fill: fill, made: true, row: -1}
}

// rowOf returns the index of the row of a thread in a group, -1 without.
func (u *useLane) rowOf(g *group, track model.TrackID) int {
	for i := g.from; i < g.to; i++ {
		if u.rows[i].waits && u.rows[i].track == track {
			return i
		}
	}
	return -1
}

// Draw implements timepane.Lane.
func (u *useLane) Draw(p *timepane.Pane, env *panel.Env, g *group, at timepane.Place) {
	if plot := p.Plot(); env.View.Lights(view.Lock(g.lock)) {
		ground := draw.Rect{X0: plot.X0, Y0: at.Y0, X1: plot.X1, Y1: at.Y1}
		p.List().Rect(ground, draw.Color(env.Theme.Accent).WithAlpha(24))
	}
	u.bars = u.kept.barsOf(g.lock)
	if g.holder >= 0 {
		u.drawHolds(p, env, u.rowRect(p.Plot(), g.holder, at.Y0))
	}
	u.drawWaits(p, env, g, at.Y0)
}

// Label implements timepane.Lane: the names of the lock and of the threads.
func (u *useLane) Label(p *timepane.Pane, env *panel.Env, g *group, at timepane.Place) {
	l, th, v, gutter := p.List(), env.Theme, env.View, p.Gutter()
	if v.Lights(view.Lock(g.lock)) {
		ground := p.Beside(at.Y0, at.Y1, 0, 0)
		l.Rect(ground, draw.Color(th.Accent).WithAlpha(40))
		ground.X1 = gutter.X0 + env.Px(3)
		l.Rect(ground, draw.Color(th.Accent))
	}
	y := at.Y0 + env.Px(groupPad) - 1
	name := p.Beside(y, y+env.Px(holderH), env.Px(nameX), env.Px(nameX1))
	p.Name(timepane.GroupNames, draw.Medium, name, lockName(v.Session(), g.lock), draw.Color(th.Text))
	for i := g.from; i < g.to; i++ {
		if u.rows[i].waits {
			r := u.rowRect(gutter, i, at.Y0)
			timepane.ThreadLabel(p, env, r.Y0, r.Y1, u.rows[i].track)
		}
	}
}

// at returns the item drawn at a point, or nil.
func (u *useLane) at(p *timepane.Pane, pxX, pxY float32) *drawnUse {
	return timepane.Nearest(p, u.px, func(d *drawnUse) draw.Rect { return d.r }, pxX, pxY)
}

// keptUses caches the queries of the picture. Bars stay as they are while it pans, so answers for
// somewhat more than the picture serve until it has left that; in a growing session, new bars are
// added.
type keptUses struct {
	session    *store.Session
	rev        uint64
	minNs      int64
	begin, end int64
	of         map[model.CollectorID]*locks.KeptBars
}

// aim makes ready to answer for a range.
func (k *keptUses) aim(s *store.Session, begin, end, minNs int64) {
	same := k.session == s && k.rev == s.Revision()
	if same && k.minNs == minNs && begin >= k.begin && end <= k.end {
		return
	}
	if k.session != s {
		k.of = map[model.CollectorID]*locks.KeptBars{}
	}
	k.session, k.rev, k.minNs, k.begin, k.end = s, s.Revision(), minNs, begin, end
	if same { // a session that grows needs new answers in the next tick anyway
		k.begin, k.end = begin-(end-begin)/2, end+(end-begin)/2
	}
}

// barsOf returns the bars of a lock in the range, and somewhat beyond it, valid until the next
// call for the same lock.
func (k *keptUses) barsOf(lock model.CollectorID) []locks.Bar {
	kept := k.of[lock]
	if kept == nil {
		kept = new(locks.KeptBars)
		k.of[lock] = kept
	}
	bars, _ := k.session.Locks().BarsAgain(kept, lock, k.begin, k.end, k.minNs)
	return bars
}
