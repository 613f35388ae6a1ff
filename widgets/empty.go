package widgets

import (
	"net"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Empty is the middle of the window while there is no session: how to connect a game, and other
// actions.
type Empty struct {
	page bool // of a browser: no program can connect
	Sheet[emptyKey]
	action button // of the head: the demo, or to listen again
	offers offerList
	ways   wayList
}

// playDemo is the button that starts the built-in game.
const playDemo = "Play the demo"

// emptyWide is how wide a text becomes before it is wrapped, at scale 1.
const emptyWide = 560

// EmptyState is the reason for an empty window.
type EmptyState struct {
	Demo           bool   // the built-in game is about to connect
	Session        string // the name of the session that has nothing yet, empty if there is no session
	Problem        string // why its file could not be read
	Loading, Ended bool
	// Followed describes the progress of a session that is read as it grows; empty for others.
	Followed string
	// Silence is for how long no data has come, and Advice the possible reason, in words.
	Silence Silence
	Advice  string
	// Awaited is the source that the program waits for beside clients, while there is no session;
	// empty: none.
	Awaited string
}

type emptyKey struct {
	rect              draw.Rect
	scale             float32
	listening         Listening
	state             EmptyState
	action            bool // the mouse is over the button
	offers            uint64
	offered, hotOffer int
	hotAll            bool
	way               int  // step under the mouse
	opening           bool // the mouse is over the button that opens a recording
	scrolled          float32
}

// Update fills the list.
func (p *Empty) Update(
	env *panel.Env, rect draw.Rect, in *panel.Input, program Program, state EmptyState, offers Offers,
) {
	if state.Session != "" || state.Demo {
		offers = Offers{}
	}
	p.offers.update(in, offers)
	p.ways.update(env, in, program)
	listening := program.Listening()
	if p.action.update(in) {
		if listening.Problem != "" {
			program.ListenAgain()
		} else {
			program.PlayDemo()
		}
	}
	key := emptyKey{rect, env.Scale, listening, state, p.action.hot, offers.Revision, len(offers.Rows) +
		len(offers.Files)<<8, p.offers.hot,
		p.offers.all.hot, p.ways.hot, p.offers.open.hot, p.ways.scroll.Px}
	key.state.Silence = Silence{Ns: int64(state.Silence.seconds())}
	if !p.Stale(env, rect, key) {
		return
	}
	p.action.rect = draw.Rect{}
	address := listening.Address
	t := env.Theme
	host, port, _ := net.SplitHostPort(address)
	if address == "" {
		port = "5185"
	}
	p.page = listening.Page
	p.ways.clear()
	head := block{}
	action := ""
	switch {
	case state.Problem != "":
		if state.Followed != "" {
			head.say(draw.Medium, 0, t.Bad, state.Session+" cannot be shown")
		} else {
			head.say(draw.Medium, 0, t.Bad, state.Session+" could not be opened")
		}
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, state.Problem)
		head.say(draw.Regular, 2, t.Text2,
			"Ctrl+O opens another recording; the cross in the list of sessions takes this one away.")
	case state.Loading:
		head.report(t, "Opening "+state.Session, "What has been read is shown while the rest loads.")
	case state.Followed != "" && state.Ended:
		head.report(t, state.Session+" has ended", "It has nothing that can be shown.")
	case state.Followed != "":
		head.say(draw.Medium, 0, t.Text, state.Session)
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, state.Followed)
		head.say(draw.Regular, 2, t.Text2, "New data appear here at once.")
		head.silence(env, rect, t, &state)
	case state.Session != "" && state.Ended:
		head.report(t, state.Session+" sent nothing", "It connected, and left without sending a frame.")
	case state.Session != "":
		head.report(t, state.Session+" is connected", "Its threads appear here with their first frames.")
		head.silence(env, rect, t, &state)
	case listening.Problem != "":
		wide := min(rect.W()-env.Px(24), env.Px(emptyWide))
		head.wrap(env, wide, draw.Medium, 0, t.Over, "Not listening: "+listening.Problem)
		head.wrap(env, wide, draw.Regular, 2, t.Text2, listening.Remedy)
		head.doors(t, &listening)
		action = listenAgain
	case address == "" && state.Awaited != "":
		head.say(draw.Medium, 0, t.Text, "Waiting")
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, "for "+state.Awaited)
		head.doors(t, &listening)
	case listening.Page:
		head.say(draw.Large, 0, t.Text, "Open a recording")
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, "Drop files on this page, or press Ctrl+O. "+
			"They are read in the page: nothing of them leaves it.")
	case address == "":
		head.say(draw.Medium, 0, t.Text, "No session")
		head.doors(t, &listening)
	case state.Demo:
		head.report(t, "The demo game is starting", "It connects to "+address+" in a moment.")
	default:
		head.say(draw.Large, 0, t.Text, "Connect a program, or look around first")
		head.say(draw.Regular, 2, t.Text2, "Each program gets a session of its own. A click on a step copies it.")
		head.doors(t, &listening)
		action = playDemo
	}
	p.place(env, rect, &head, action, &state, offers, host, port)
}

// place lays the head out, with the ways to connect and the kept sessions below it while there is
// no session; alone it lies in the middle.
func (p *Empty) place(
	env *panel.Env, rect draw.Rect, head *block, action string, state *EmptyState, offers Offers, host, port string,
) {
	l, inner := p.Out, rect.Inset(env.Px(12))
	hw, hh := head.size(env)
	if action == listenAgain {
		hh += env.Px(buttonHeight) + env.Px(8)
	}
	if state.Session != "" || state.Demo {
		p.offers.clear()
		x := float32(int((rect.X0 + rect.X1 - min(hw, inner.W())) / 2))
		head.draw(env, l, x, max(inner.Y0, float32(int((rect.Y0+rect.Y1-hh)/2))), inner)
		return
	}
	most := min(inner.W(), env.Px(emptyMost))
	room := draw.Rect{X0: float32(int((rect.X0 + rect.X1 - most) / 2)), Y0: inner.Y0, Y1: inner.Y1}
	room.X1 = room.X0 + most
	below, all := hh+env.Px(12), waysTo(host, port)
	offers.Rows, offers.Files = offers.Rows[:min(len(offers.Rows), maxOffers)],
		offers.Files[:min(len(offers.Files), MaxFiles)]
	cards := layWays(env, all, room.W(), offers.height(env))
	for cards.high > room.H()-below && offers.shorten() {
		cards = layWays(env, all, room.W(), offers.height(env))
	}
	if rest := room.H() - below - cards.high; rest > 0 { // a third of the rest
		room.Y0 += float32(int(rest / 3))
	}
	head.draw(env, l, room.X0, room.Y0, room)
	if action != "" {
		x, y := room.X0, room.Y0+hh-env.Px(buttonHeight)
		if p.action.main = action == playDemo; p.action.main { // beside the words
			x, y = min(x+hw+env.Px(24), room.X1-p.action.width(env, action)), room.Y0
		}
		p.action.draw(env, l, x, y, action)
	}
	room.Y0 += below
	p.offers.unplace()
	recordings := func(r draw.Rect) { p.offers.draw(env, l, r, offers) }
	if p.page {
		room.Y1 = min(room.Y1, room.Y0+offers.height(env))
		recordings(room)
		return
	}
	p.ways.draw(env, l, room, all, cards, recordings)
}

// emptyMost is how wide all of it becomes, at scale 1.
const emptyMost = 1320

// markRoom is the width of a square before a line, at scale 1.
const markRoom = 16

// block is some lines of text, below each other.
type block struct{ lines []line }

type line struct {
	face draw.Face
	text string
	gap  float32
	tone assets.Color
	mark assets.Color // of a square before it; transparent: there is none
}

// doors writes the state of each address where programs are awaited, except the one described
// above.
func (b *block) doors(t *assets.Theme, l *Listening) {
	for _, d := range l.Doors {
		x := line{face: draw.Regular, gap: 3, tone: t.Text2}
		switch {
		case d.For == "" || d.Problem != "" && d.Problem == l.Problem:
			continue
		case d.Address != "":
			x.text, x.mark = d.For+": listening on "+d.Address, t.Live
		case d.Problem != "":
			x.text, x.mark = d.For+": not listening, "+d.Problem, t.Over
		default:
			x.text, x.mark = d.For+": not listening, started without "+d.Flag, t.TextDim
		}
		b.lines = append(b.lines, x)
	}
}

// report adds one line of text, and a second with more detail.
func (b *block) report(t *assets.Theme, what, more string) {
	b.say(draw.Medium, 0, t.Text, what)
	b.say(draw.Regular, 2, t.Text2, more)
}

func (b *block) say(f draw.Face, gap float32, tone assets.Color, text string) {
	b.lines = append(b.lines, line{face: f, text: text, gap: gap, tone: tone})
}

// wrap adds a long text in as many lines as it needs.
func (b *block) wrap(env *panel.Env, width float32, f draw.Face, gap float32, tone assets.Color, text string) {
	for i, words := range panel.WrapWords(env.Atlas, f, text, width) {
		b.say(f, format.Pick(i > 0, 0, gap), tone, words)
	}
}

// silence writes for how long no data has come from a session, and the possible reason.
func (b *block) silence(env *panel.Env, rect draw.Rect, t *assets.Theme, state *EmptyState) {
	if !state.Silence.Overdue {
		return
	}
	said := string(state.Silence.Append(nil))
	b.say(draw.Medium, 8, t.Over, strings.ToUpper(said[:1])+said[1:])
	b.wrap(env, min(rect.W()-env.Px(24), env.Px(emptyWide)), draw.Regular, 2, t.Text2, state.Advice)
}

func (b *block) size(env *panel.Env) (w, h float32) {
	for _, x := range b.lines {
		wide := env.Atlas.Measure(x.face, x.text)
		if x.mark.A > 0 {
			wide += env.Px(markRoom)
		}
		w = max(w, wide)
		h += env.Px(x.gap) + env.Atlas.LineHeight(x.face) + env.Px(2)
	}
	return float32(int(w + 1)), h
}

func (b *block) draw(env *panel.Env, l *draw.List, x, y float32, inner draw.Rect) {
	for _, s := range b.lines {
		y += env.Px(s.gap)
		h := env.Atlas.LineHeight(s.face)
		r := draw.Rect{X0: x, Y0: y, X1: inner.X1, Y1: y + h}
		if side := env.Px(8); s.mark.A > 0 {
			top := panel.Snap(y + (h-side)/2)
			l.Rect(draw.Rect{X0: x, Y0: top, X1: x + side, Y1: top + side}, draw.Color(s.mark))
			r.X0 += env.Px(markRoom)
		}
		l.TextIn(s.face, r, draw.Left, s.text, draw.Color(s.tone))
		y += h + env.Px(2)
	}
}
