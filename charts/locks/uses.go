// Package locks shows the locks that threads waited for and held, along time.
package locks

import (
	"framescope/charts/draw"
	"framescope/charts/format"
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
	session           *store.Session
	rev               uint64
	minNs, begin, end int64
	of                map[model.CollectorID]*locks.KeptBars
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

// drawHolds draws the holds of a lock: long ones separately, the rest in columns, recursive holds
// inside.
func (u *useLane) drawHolds(p *timepane.Pane, env *panel.Env, row draw.Rect) {
	u.column = column{from: len(u.shares)}
	first, inner := len(u.px), false
	for i := range u.bars {
		b := &u.bars[i]
		if b.Kind != locks.Holding {
			continue
		}
		if b.Depth > 0 {
			inner = true
			continue
		}
		if b.End-b.Begin >= u.minNs {
			u.flush(p, env, row)
			u.drawHold(p, env, row, b)
			continue
		}
		if part := b.Begin &^ (u.minNs - 1); u.column.entries == 0 || part != u.column.part {
			u.flush(p, env, row)
			u.column.part, u.column.lone = part, b
		}
		u.column.entries++
		u.share(b)
	}
	u.flush(p, env, row)
	last := len(u.px)
	for i := 0; inner && i < len(u.bars); i++ {
		if b := &u.bars[i]; b.Kind == locks.Holding && b.Depth > 0 {
			u.drawInner(p, env, row, b)
		}
	}
	for i := first; i < last; i++ {
		u.holdLabel(p, env, &u.px[i])
	}
}

// drawInner draws a recursive hold.
func (u *useLane) drawInner(p *timepane.Pane, env *panel.Env, row draw.Rect, b *locks.Bar) {
	var seen bool
	row.Y0 = min(row.Y0+env.Px(holdInset)*float32(b.Depth), row.Y1-env.Px(holdInset))
	if row.X0, row.X1, seen = u.scale.PxRange(b.Begin, b.End); !seen {
		return
	}
	p.List().Fill(row, u.holdInk(draw.Mix(u.user(env, b.Track).fill, draw.RGB(0, 0, 0), 58), b))
	u.px = append(u.px, drawnUse{bar: b, r: row})
}

// share adds a bar to the column under construction.
func (u *useLane) share(b *locks.Bar) {
	for i := u.column.from; i < len(u.shares); i++ {
		if s := &u.shares[i]; s.track == b.Track {
			s.busyNs += b.BusyNs
			s.count += b.Count
			return
		}
	}
	u.shares = append(u.shares, share{b.Track, b.BusyNs, b.Count})
}

// flush draws the column under construction.
func (u *useLane) flush(p *timepane.Pane, env *panel.Env, row draw.Rect) {
	k := u.column
	u.column = column{from: len(u.shares)}
	if k.entries == 0 {
		return
	}
	if k.entries == 1 && k.lone.Count == 1 {
		u.shares, u.column.from = u.shares[:k.from], k.from
		u.drawHold(p, env, row, k.lone)
		return
	}
	x0, x1, seen := u.scale.PxRange(k.part, k.part+u.minNs)
	if !seen {
		u.shares, u.column.from = u.shares[:k.from], k.from
		return
	}
	u.columns = append(u.columns, locks.Bar{Use: locks.Use{
		Lock: k.lone.Lock, Track: model.NoTrack, Kind: locks.Holding, Begin: k.part, End: k.part + u.minNs,
	}})
	bar := &u.columns[len(u.columns)-1]
	shares := u.shares[k.from:]
	for i := range shares {
		bar.BusyNs += shares[i].busyNs
		bar.Count += shares[i].count
	}
	row.X0, row.X1 = x0, x1
	full := float64(bar.BusyNs) / float64(u.minNs)
	y, sum, perNs := row.Y0, int64(0), float64(row.H())/float64(max(bar.BusyNs, 1))
	for i := range shares {
		sum += shares[i].busyNs
		y1 := row.Y0 + draw.WholePx(float64(sum)*perNs)
		ink := u.shades.Mixed(u.user(env, shares[i].track).fill, timepane.MergedShare(full))
		p.List().Fill(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y1}, ink)
		y = y1
	}
	u.px = append(u.px, drawnUse{bar: bar, r: row, from: k.from, to: len(u.shares)})
}

// holdInk returns the color of a bar: of merged ones as strong as they are full.
func (u *useLane) holdInk(fill draw.Color, b *locks.Bar) *draw.Ink {
	if b.Count <= 1 {
		return u.shades.Plain(fill)
	}
	return u.shades.Mixed(fill, timepane.MergedShare(float64(b.BusyNs)/float64(max(b.End-b.Begin, 1))))
}

// drawHold draws one hold.
func (u *useLane) drawHold(p *timepane.Pane, env *panel.Env, row draw.Rect, b *locks.Bar) {
	var seen bool
	if row.X0, row.X1, seen = u.scale.PxRange(b.Begin, b.End); !seen {
		return
	}
	u.px = append(u.px, drawnUse{bar: b, r: row})
	if space := timepane.One(env); row.W() > 2*space {
		row.X1 -= space
	}
	l, w, ground := p.List(), min(env.Px(9), row.W()/2), draw.Color(env.Theme.Panel)
	l.Fill(row, u.holdInk(u.user(env, b.Track).fill, b))
	if b.OpenBegin { // the part that was not received is hatched
		l.Hatch(draw.Rect{X0: row.X0, Y0: row.Y0, X1: row.X0 + w, Y1: row.Y1}, ground)
	}
	if b.OpenEnd {
		l.Hatch(draw.Rect{X0: row.X1 - w, Y0: row.Y0, X1: row.X1, Y1: row.Y1}, ground)
	}
}

// holdLabel writes the name of the thread into a hold, cut where it is too long, and the duration
// behind it where there is room for all of it.
func (u *useLane) holdLabel(p *timepane.Pane, env *panel.Env, d *drawnUse) {
	l, b, in := p.List(), d.bar, p.Inside(d.r, env.Px(5), env.Px(4))
	if in.W() < env.Px(12) || b.Count > 1 {
		return
	}
	_, text := subject.ThreadColor(env, b.Track)
	name := env.View.Session().Track(b.Track).Title()
	if !l.NameIn(draw.Small, in, draw.Left, name, text) {
		return
	}
	in.X0 += env.Atlas.Measure(draw.Small, name) + env.Px(7)
	if in.W() >= env.Px(20) {
		l.TextFit(draw.Small, in, draw.Left, u.duration(b), text.WithAlpha(170))
	}
}

// duration returns how long a use took, or at least did. It is valid until the next call.
func (u *useLane) duration(b *locks.Bar) string {
	u.buf = u.buf[:0]
	if b.OpenBegin || b.OpenEnd {
		u.buf = append(u.buf, "≥ "...)
	}
	u.buf = format.AppendDuration(u.buf, b.End-b.Begin)
	return panel.ScratchText(u.buf)
}

// drawWaits draws the signals of a lock, and the waits and vain tries of each thread. y is the top
// of the group.
func (u *useLane) drawWaits(p *timepane.Pane, env *panel.Env, g *group, y float32) {
	plot := p.Plot()
	for i := g.from; i < g.to; i++ {
		r := &u.rows[i]
		r.place = u.rowRect(plot, i, y)
		r.line, r.seen = p.List().Row(r.place.Y0, r.place.Y1), r.place.Y1 > plot.Y0 && r.place.Y0 < plot.Y1
		if r.waits {
			u.user(env, r.track).row = i
		}
	}
	for i := range u.bars {
		b := &u.bars[i]
		at := -1
		switch b.Kind {
		case locks.Holding:
			continue
		case locks.Signalling:
			at = g.signals
		default:
			at = u.user(env, b.Track).row
		}
		if at < g.from || at >= g.to || !u.rows[at].seen {
			continue
		}
		r, seen := u.rows[at].place, false
		if r.X0, r.X1, seen = u.scale.PxRange(b.Begin, b.End); !seen {
			continue
		}
		switch b.Kind {
		case locks.Waiting, locks.Condition:
			u.drawWait(p, env, &u.rows[at].line, r, b)
		case locks.Failed:
			r = drawFailed(p.List(), env, r)
		case locks.Signalling:
			r = drawSignal(p.List(), env, r, b)
		}
		u.px = append(u.px, drawnUse{bar: b, r: r})
	}
}

// drawWait draws waiting for a lock, hatched, since nothing gets done; or for a condition, an
// outline, since that is the thread's purpose. Merged short waits are as strong as their pixels are
// full of waiting: a try for a free lock leaves hardly a trace.
func (u *useLane) drawWait(p *timepane.Pane, env *panel.Env, line *draw.Row, r draw.Rect, b *locks.Bar) {
	l, ground := p.List(), draw.Color(env.Theme.Panel)
	fill := u.user(env, b.Track).fill
	if b.Count > 1 || r.W() < env.Px(4) {
		full := min(float64(b.BusyNs)/max(float64(r.W())*p.NsPerPx(), 1), 1)
		share := uint8(48 + 207*full)
		if b.Kind == locks.Condition {
			line.Bar(r.X0, r.X1, u.shades.Mixed(draw.Mix(ground, fill, share), 150))
		} else {
			line.Bar(r.X0, r.X1, u.shades.Mixed(fill, share))
		}
		return
	}
	if b.Kind == locks.Waiting {
		l.Rect(r, fill.WithAlpha(54))
		l.Hatch(r, fill)
		l.Outline(r, env.Scale, fill)
	} else {
		l.Rect(r, fill.WithAlpha(20))
		l.Outline(r, env.Scale, fill.WithAlpha(190))
	}
	in := p.Inside(r, env.Px(3), env.Px(3))
	if in.W() < env.Px(26) {
		return
	}
	text := u.duration(b)
	wide := env.Atlas.Measure(draw.Small, text) + env.Px(4)
	back := draw.Rect{X0: in.X0, Y0: r.Y0 + 1, X1: in.X0 + wide, Y1: r.Y1 - 1}
	if back.X1 > in.X1 {
		return
	}
	if b.Kind == locks.Waiting { // legible over the hatching
		l.Rect(back, ground)
	}
	in.X0 += env.Px(2)
	l.TextFit(draw.Small, in, draw.Left, text, draw.Color(env.Theme.Text2))
}

// drawFailed draws a try in vain: a tick with a foot. It returns its place.
func drawFailed(l *draw.List, env *panel.Env, r draw.Rect) draw.Rect {
	w, foot, col := env.Px(2), env.Px(2), draw.Color(env.Theme.Bad)
	l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + w, Y1: r.Y1}, col)
	l.Rect(draw.Rect{X0: r.X0 - foot, Y0: r.Y1 - w, X1: r.X0 + w + foot, Y1: r.Y1}, col)
	return draw.Rect{X0: r.X0 - foot, Y0: r.Y0, X1: r.X0 - foot + w + env.Px(4), Y1: r.Y1}
}

// drawSignal draws a signal: a triangle in the color of the thread that gave it. It returns its
// place.
func drawSignal(l *draw.List, env *panel.Env, r draw.Rect, b *locks.Bar) draw.Rect {
	fill, _ := subject.ThreadColor(env, b.Track)
	if b.Count > 1 {
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0 + env.Px(2), X1: max(r.X1, r.X0+env.Px(2)), Y1: r.Y1}, fill)
		return r
	}
	w := env.Px(4)
	l.Triangle(r.X0-w, r.Y0+env.Px(1), r.X0+w, r.Y0+env.Px(1), r.X0, r.Y1, fill)
	return draw.Rect{X0: r.X0 - w, Y0: r.Y0, X1: r.X0 + w, Y1: r.Y1}
}

// lockName returns the name of a lock.
func lockName(s *store.Session, lock model.CollectorID) string {
	if col := s.Collector(lock); col != nil && col.Name != "" {
		return col.Name
	}
	return "(no name)"
}
