package widgets

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// Sessions lists the connected programs and opened files; a click switches to one.
type Sessions struct {
	Program Program

	Sheet[sessionsKey]
	rect   draw.Rect
	scroll Scroll
	hover  int
	were   []sessionState // as they were in the last tick
	spare  []sessionState
	silent draw.Rect // where the silent are counted, empty when there are none
	buf    []byte
	news   Slowly // of the sessions that may receive more
	closed closedStrip
	part   bool    // it is a section
	shift  float32 // how much of a section lies above the visible part
	want   bool    // the shown session should come into sight
	wantY  float32
}

// sessionState is what of a session is scrolled to when it changes.
type sessionState struct {
	session      *store.Session
	active, gone bool
}

// Extent implements panel.Section.
func (p *Sessions) Extent(env *panel.Env, _ float32) float32 {
	s := p.Program.Silent()
	h := env.Px(sessionRow)*float32(len(p.Program.Sessions())) + env.Px(4) + env.Px(silentRow)*float32(s.kinds())
	if p.Program.Listening().Problem != "" {
		h += env.Px(closedHeight)
	}
	return h
}

// Shift implements panel.Section.
func (p *Sessions) Shift(px float32) { p.part, p.shift = px >= 0, px }

// Reveal implements panel.Section.
func (p *Sessions) Reveal() (y0, y1 float32, ok bool) {
	ok, p.want = p.want, false
	return p.wantY, p.wantY, ok
}

// sessionsKey is the inputs of the picture. The rows themselves change a few times a second at
// most.
type sessionsKey struct {
	whole draw.Rect // the visible part
	rect  draw.Rect
	scale float32
	// revisions covers the rows of sessions that receive nothing more, news those of the others
	revisions, news uint64
	n               int
	active          *store.Session
	silent          Silent
	hover           int
	scroll          float32
	listening       Listening
	again           bool   // the mouse is over the button
	compared        uint64 // changes with A and B
}

// Heights at scale 1: of a session, and of the line that counts those that are none.
const sessionRow, silentRow = 37, 20

// Title implements panel.Panel.
func (p *Sessions) Title(*panel.Env) string { return "Sessions" }

// Mode implements panel.Panel: the number of sessions.
func (p *Sessions) Mode(*panel.Env) string {
	if n := len(p.Program.Sessions()); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// Update implements panel.Panel.
func (p *Sessions) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	rows := p.Program.Sessions()
	listening := p.Program.Listening()
	whole := rect
	if p.part {
		rect.Y0 -= p.shift
		rect.Y1 = rect.Y0 + p.Extent(env, rect.W())
	}
	rect = p.closed.place(env, rect, listening)
	if p.closed.again.update(in) {
		p.Program.ListenAgain()
	}
	h := env.Px(sessionRow)
	silent := p.Program.Silent()
	p.silent = draw.Rect{}
	if n := silent.kinds(); n > 0 {
		p.silent = rect
		p.silent.Y0 = max(rect.Y0, rect.Y1-env.Px(silentRow)*float32(n))
		rect.Y1 = p.silent.Y0
	}
	p.rect = rect
	content := h*float32(len(rows)) + env.Px(4)
	if p.part {
		p.scroll = Scroll{}
	} else {
		p.scroll.Update(env, rect, in, content)
	}
	p.showNews(env, rect, rows)
	p.hover = -1
	if in.Over {
		p.hover = p.at(env, in.X, in.Y, len(rows))
		if in.Left.Released && !in.Left.Dragging && p.hover >= 0 && p.at(env, in.Left.DownX, in.Left.DownY,
			len(rows)) == p.hover {
			switch r := &rows[p.hover]; {
			case p.onCross(env, in.X) && r.Closable():
				p.Program.Forget(r.Session)
			case p.onDots(env, in.X):
				p.Program.Offer(r.Session)
			default:
				p.Program.Select(r.Session)
			}
			rows = p.Program.Sessions()
			p.hover = min(p.hover, len(rows)-1)
			p.Redraw()
		}
	}
	if p.hover >= 0 && in.Right.Released && !in.Right.Dragging {
		p.Program.Offer(rows[p.hover].Session)
	}
	key := sessionsKey{
		whole: whole, rect: rect, scale: env.Scale, n: len(rows), hover: p.hover, scroll: p.scroll.Px,
		listening: listening, again: p.closed.again.hot, silent: silent,
	}
	news := uint64(0)
	for i := range rows {
		if r := &rows[i]; gone(r) {
			var h Sum
			h.Text(r.Title, r.OnDisk, r.Apart)
			key.revisions += r.Session.Revision() + 1 + uint64(h)
		} else {
			news += newsOf(r)
		}
		if rows[i].Active {
			key.active = rows[i].Session
		}
	}
	key.news, key.compared = p.news.Of(env, news), env.Comparing.Revision()
	if !p.Stale(env, whole, key) {
		return panel.Action{}
	}
	p.drawSilent(env, silent)
	defer p.closed.draw(env, p.Out) // over rows that do not fit
	if len(rows) == 0 {
		if listening.Address == "" {
			Words(p.Out, env, rect, "No session", "Ctrl+O opens a recording")
		} else {
			Words(p.Out, env, rect, "Waiting for a client", "on "+listening.Address)
		}
		return panel.Action{}
	}
	y := rect.Y0 + env.Px(2) - p.scroll.Px
	p.Out.PushClip(rect) // rows in part must not reach into the counts below
	for i := range rows {
		p.row(env, &rows[i], draw.Rect{X0: rect.X0, Y0: y, X1: rect.X1, Y1: y + h}, i == p.hover)
		y += h
	}
	p.Out.PopClip()
	p.scroll.Draw(p.Out, env, rect, content)
	return panel.Action{}
}

// showNews scrolls to the shown session when that has become another one, else to one that came, or ended.
func (p *Sessions) showNews(env *panel.Env, rect draw.Rect, rows []SessionRow) {
	p.were, p.spare = p.spare[:0], p.were
	old, news := p.spare, -1
	for i := range rows {
		r := &rows[i]
		now := sessionState{r.Session, r.Active, gone(r)}
		p.were = append(p.were, now)
		at := slices.IndexFunc(old, func(x sessionState) bool { return x.session == r.Session })
		switch shown := now.active && (at < 0 || !old[at].active); {
		case shown:
			news = i
		case news >= 0 && rows[news].Active:
		case len(old) > 0 && (at < 0 || old[at].gone != now.gone):
			news = i
		}
	}
	if news < 0 {
		return
	}
	h := env.Px(sessionRow)
	y := env.Px(2) + h*float32(news)
	if p.part {
		p.want, p.wantY = true, y
		return
	}
	p.scroll.Px = float32(math.Ceil(float64(max(0, min(p.scroll.Px, y), y+h-rect.H()))))
}

// drawSilent writes how many programs connected for nothing, a line for each kind.
func (p *Sessions) drawSilent(env *panel.Env, s Silent) {
	for i, line := range s.lines() {
		in := draw.Rect{X0: p.silent.X0 + env.Px(9), Y0: p.silent.Y0 + env.Px(silentRow)*float32(i),
			X1: p.silent.X1 - env.Px(8)}
		in.Y1 = in.Y0 + env.Px(silentRow)
		if i == 0 {
			p.Out.HLine(p.silent.X0, p.silent.X1, p.silent.Y0, 1, draw.Color(env.Theme.Separator))
		}
		p.Out.TextIn(draw.Small, in, draw.Left, line, draw.Color(env.Theme.TextDim))
	}
}

func (p *Sessions) at(env *panel.Env, pxX, pxY float32, n int) int {
	if !p.rect.Contains(pxX, pxY) {
		return -1
	}
	i := int((pxY - p.rect.Y0 - env.Px(2) + p.scroll.Px) / env.Px(sessionRow))
	return format.Pick(i < 0 || i >= n, -1, i)
}

func (p *Sessions) onCross(env *panel.Env, pxX float32) bool { return pxX >= p.rect.X1-env.Px(26) }

// onDots reports whether a point of a row is on the button of its menu, beside the cross.
func (p *Sessions) onDots(env *panel.Env, pxX float32) bool {
	return pxX >= p.rect.X1-env.Px(46) && !p.onCross(env, pxX)
}

// newsOf hashes the content of the row of a session that may receive more.
func newsOf(r *SessionRow) uint64 {
	var h Sum
	for _, v := range [...]uint64{
		r.Session.Revision(), uint64(r.Feed.Done), uint64(r.Feed.Total), r.Silence.seconds(), uint64(r.Recorded >> 20),
	} {
		h.Add(v)
	}
	h.Flag(r.Live)
	h.Text(r.State, r.Recording, r.Unrecorded, r.Unkept, r.Deleted, r.Title, r.OnDisk, r.Apart)
	return uint64(h)
}

// gone reports whether a session receives nothing more, so that it can be taken off the screen.
func gone(r *SessionRow) bool {
	_, ended := r.Session.Ended()
	return ended || r.Problem != ""
}

// Closable reports whether a session may be taken off the screen: not while a game is connected.
// Closing a file that is being read or followed stops the reading.
func (r *SessionRow) Closable() bool { return gone(r) || !r.Live || r.Followed }

func (p *Sessions) row(env *panel.Env, r *SessionRow, rect draw.Rect, hover bool) {
	t, l := env.Theme, p.Out
	if r.Active {
		l.Rect(rect, draw.Color(t.Button))
		l.Rect(draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X0 + env.Px(2), Y1: rect.Y1}, draw.Color(t.Accent))
	} else if hover {
		l.Rect(rect, draw.Color(t.Hover.WithAlpha(t.Hover.A/2)))
	}
	info := r.Session.Info()
	reason, ended := r.Session.Ended()
	state := t.Live
	loading := !r.Live && !ended && r.Problem == "" && r.Feed.Total > 0
	switch {
	case r.Problem != "":
		state = t.Bad
	case loading:
		state = t.Text2
	case r.Session.BrokeOff():
		state = t.Bad
	case ended && !info.File:
		state = t.TextDim
	case info.File:
		state = t.Text2
	case r.Silence.Overdue:
		state = t.Over
	}
	mid := rect.Y0 + env.Px(11)
	sq := env.Px(4)
	l.Rect(draw.Rect{X0: rect.X0 + env.Px(9), Y0: mid - sq, X1: rect.X0 + env.Px(9) + 2*sq, Y1: mid + sq},
		draw.Color(state))

	name := r.Called()
	x0, x1 := rect.X0+env.Px(25), rect.X1-env.Px(8)
	if hover && r.Closable() {
		cx, s := rect.X1-env.Px(14), env.Px(4)
		l.Line(cx-s, mid-s, cx+s, mid+s, env.Px(1.2), draw.Color(t.Text2))
		l.Line(cx-s, mid+s, cx+s, mid-s, env.Px(1.2), draw.Color(t.Text2))
	}
	if hover { // its menu
		x1 -= env.Px(38)
		for i := range 3 {
			x := panel.Snap(rect.X1 - env.Px(40) + float32(i)*env.Px(4))
			l.Rect(draw.Rect{X0: x, Y0: mid - env.Px(1), X1: x + env.Px(2), Y1: mid + env.Px(1)}, draw.Color(t.Text2))
		}
	}
	top := draw.Rect{X0: x0, Y0: rect.Y0 + env.Px(2), X1: x1, Y1: rect.Y0 + env.Px(20)}
	if text := r.RecordWords(); text != "" {
		w := env.Atlas.Measure(draw.Small, text)
		l.TextIn(draw.Small, top, draw.Right, text, draw.Color(t.Bad))
		top.X1 -= w + env.Px(6)
	}
	if side := env.Comparing.Letters(r.Session); side != "" {
		l.TextIn(draw.Medium, top, draw.Right, side, draw.Color(t.Accent))
		top.X1 -= env.Atlas.Measure(draw.Medium, side) + env.Px(6)
	}
	l.NameIn(draw.Medium, top, draw.Left, name, draw.Color(t.Text))

	b := p.buf[:0]
	c := t.Text2
	switch {
	case r.Problem != "":
		why := r.Problem
		if i := strings.Index(why, name+": "); i >= 0 { // the name stands above it
			why = why[i+len(name)+2:]
		}
		b = append(b, why...)
		c = t.Bad
	case r.Unrecorded != "", r.Unkept != "":
		b = append(b, cmp.Or(r.Why, r.Unrecorded, r.Unkept)...)
		c = t.Bad
	case loading:
		share := float64(r.Feed.Done) / float64(r.Feed.Total)
		if b = append(b, "read whole, being prepared"...); share < 1 {
			b = format.AppendPercent(append(b[:0], "loading "...), share)
		}
		bar := draw.Rect{X0: rect.X0, Y0: rect.Y1 - env.Px(2), X1: rect.X0 + rect.W()*float32(min(share, 1)), Y1: rect.Y1}
		l.Rect(bar, draw.Color(t.Accent))
	default:
		apart := format.Pick(info.File || ended, "", r.Apart) // what differs comes first
		b, c = r.appendState(appendParts(b, r.OnDisk, apart)), t.Text2
		if r.Silence.Overdue || r.OnDisk != "" {
			c = t.Over
		}
		if r.Session.BrokeOff() {
			c = t.Bad
		}
		if r.Session.BrokeOff() || ended && !info.File {
			b = appendParts(b, strings.TrimPrefix(reason, model.BrokeOff))
		}
		if apart == "" {
			b = appendParts(b, r.Apart)
		}
		// it distinguishes files of a kind
		if begin, end, ok := r.Session.Bounds(); ok && info.File && !info.Sampling.Timeless {
			b = format.AppendDuration(appendDot(b), end-begin)
		}
		b = appendParts(b, format.Pick(info.File, info.Version, ""), info.Host)
		if pid := pidWords(info.PID); info.PID > 0 && !info.File && r.Apart != pid {
			b = appendParts(b, pid)
		}
	}
	p.buf = b
	low := draw.Rect{X0: x0, Y0: rect.Y0 + env.Px(18), X1: rect.X1 - env.Px(8), Y1: rect.Y1 - env.Px(2)}
	l.TextIn(draw.Small, low, draw.Left, string(b), draw.Color(c))
}

// rateNs is how far back the frame rate of a live session looks.
const rateNs = 1_000_000_000

// appendState appends what becomes of a session: "live · 60 fps", "ended 12:03", "file".
func (r *SessionRow) appendState(b []byte) []byte {
	info := r.Session.Info()
	_, ended := r.Session.Ended()
	b = appendDot(b)
	switch {
	case r.Silence.Nothing:
		return r.Silence.Append(append(b, "connected, "...))
	case r.Silence.Ns > 0:
		return r.Silence.Append(b)
	case info.File:
		return appendParts(append(b, "file"...), r.State, format.Pick(r.Session.BrokeOff(), "broke off", ""))
	case ended:
		b = append(b, format.Pick(r.Session.BrokeOff(), "broke off", "ended")...)
		if r.At.IsZero() {
			return b
		}
		return r.At.AppendFormat(append(b, ' '), "15:04")
	case r.State != "":
		return append(b, r.State...)
	}
	b = append(b, "live"...)
	if main := r.Session.Track(r.Session.MainTrack()); main != nil {
		if rate := main.FrameRate(rateNs); rate > 0 {
			b = append(strconv.AppendInt(appendDot(b), int64(rate+0.5), 10), " fps"...)
		}
	}
	return b
}

// RecordWords describes in a few words how the session is being recorded; empty: it is not, and all
// is well.
func (r *SessionRow) RecordWords() string {
	switch {
	case r.Unrecorded != "":
		return "● not recorded"
	case r.Unkept != "" && r.Recording == "":
		return "● not kept"
	case r.Recording == "" && r.Deleted != "":
		return "● part deleted"
	case r.Recording == "":
		return ""
	}
	b := format.AppendBytes([]byte("● rec "), r.Recorded)
	if r.Unkept != "" {
		b = append(b, ", not kept"...)
	}
	return string(b)
}

func appendDot(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	return append(b, " · "...)
}

// appendParts appends those of the texts that are not empty.
func appendParts(b []byte, texts ...string) []byte {
	for _, text := range texts {
		if text != "" {
			b = append(appendDot(b), text...)
		}
	}
	return b
}

// HitTest implements panel.Panel.
func (p *Sessions) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if hit, ok := p.closed.hit(pxX, pxY); ok {
		return hit
	}
	hit := panel.NoHit()
	if s := p.Program.Silent(); p.silent.Contains(pxX, pxY) {
		hit.Kind, hit.Rect = panel.HitLabel, p.silent
		hit.Lines = append(hit.Lines, s.lines()...)
		if s.Why != "" {
			hit.Lines = append(hit.Lines, "the last one: "+s.Why)
		}
		return hit
	}
	rows := p.Program.Sessions()
	i := p.at(env, pxX, pxY, len(rows))
	if i < 0 {
		return hit
	}
	r := &rows[i]
	info := r.Session.Info()
	name := cmp.Or(r.Title, info.Program, r.Name)
	hit.Kind = panel.HitLabel
	hit.Rect = draw.Rect{X0: p.rect.X0, Y0: p.rect.Y0 + env.Px(2) - p.scroll.Px + float32(i)*env.Px(sessionRow),
		X1: p.rect.X1}
	hit.Rect.Y1 = hit.Rect.Y0 + env.Px(sessionRow)
	hit.Among = p.rect
	if p.onDots(env, pxX) {
		hit.Lines = append(hit.Lines, "Actions for this session (right click)")
		return hit
	}
	say := func(texts ...string) {
		for _, text := range texts {
			if text != "" {
				hit.Lines = append(hit.Lines, text)
			}
		}
	}
	hit.Lines = append(hit.Lines, name)
	if r.Title != "" && r.Title != info.Program {
		say(info.Program)
	}
	say(r.OnDisk, r.Problem, info.VersionWords())
	if side := env.Comparing.Letters(r.Session); side != "" {
		say(side + " of the comparison")
	}
	if info.Host != "" {
		say("host " + info.Host)
	}
	if info.PID > 0 {
		say("pid " + strconv.FormatInt(info.PID, 10))
	}
	say(info.Peer)
	switch reason, ended := r.Session.Ended(); {
	case r.Session.BrokeOff():
		say(reason)
	case ended && reason != "":
		say("ended: " + reason)
	case r.State != "":
		say(r.State)
	case r.Live:
		say("connected")
	}
	if r.Silence.Ns > 0 {
		say(string(r.Silence.Append(nil)))
	}
	if r.Recording != "" {
		say("recording to " + r.Recording + ", " + string(format.AppendBytes(nil, r.Recorded)))
	}
	say(r.Unrecorded, r.Unkept, r.Deleted)
	return hit
}
