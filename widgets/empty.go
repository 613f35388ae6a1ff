package widgets

import (
	"net"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets/paint"
)

// Empty is what the middle of the window says while there is no session: how to connect a game, and
// what else can be done.
type Empty struct {
	paint.Sheet[emptyKey]
	again  button
	offers offerList
}

// emptyWide is how wide a text becomes before it is wrapped, at scale 1.
const emptyWide = 560

// EmptyState says why there is nothing to show.
type EmptyState struct {
	Demo    bool   // the built-in game is about to connect
	Session string // the name of the session that has nothing yet, empty if there is no session
	Problem string // why its file could not be read
	Loading bool
	Ended   bool
	// Followed is what is being done for a session that is read as it grows, in words; empty for
	// others.
	Followed string
	// Silence is for how long nothing has come, and Advice what may be wrong then, in words.
	Silence Silence
	Advice  string
	// Awaited is what the program waits for beside clients, while there is no session; empty: nothing.
	Awaited string
}

type emptyKey struct {
	rect      draw.Rect
	scale     float32
	listening Listening
	state     EmptyState
	again     bool // the mouse is over the button
	offers    uint64
	offered   int
	hotOffer  int
	hotAll    bool
}

// Update fills the list.
func (p *Empty) Update(env *panel.Env, rect draw.Rect, in *panel.Input, program Program, state EmptyState, offers Offers) {
	if state.Session != "" || state.Demo {
		offers.Rows = nil
	}
	p.offers.update(in, offers)
	if p.again.update(in) {
		program.ListenAgain()
	}
	listening := program.Listening()
	key := emptyKey{rect, env.Scale, listening, state, p.again.hot, offers.Revision, len(offers.Rows), p.offers.hot, p.offers.all.hot}
	key.state.Silence = Silence{Ns: int64(state.Silence.seconds())}
	if !p.Stale(env, rect, key) {
		return
	}
	p.again.rect = draw.Rect{}
	address := listening.Address
	l, t := p.Out, env.Theme
	host, port, _ := net.SplitHostPort(address)
	head := block{}
	buttons := false
	var panda, golang block
	switch {
	case state.Problem != "":
		if state.Followed != "" {
			head.say(draw.Medium, 0, t.Bad, state.Session+" cannot be shown")
		} else {
			head.say(draw.Medium, 0, t.Bad, state.Session+" could not be opened")
		}
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, state.Problem)
		head.say(draw.Regular, 2, t.Text2, "Ctrl+O opens another recording; the cross in the list of sessions takes this one away.")
	case state.Loading:
		head.tell(t, "Opening "+state.Session, "Everything that has been read is shown while the rest comes.")
	case state.Followed != "" && state.Ended:
		head.tell(t, state.Session+" has ended", "Nothing that can be shown was in it.")
	case state.Followed != "":
		head.say(draw.Medium, 0, t.Text, state.Session)
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, state.Followed)
		head.say(draw.Regular, 2, t.Text2, "What comes is shown here at once.")
		head.silence(env, rect, t, &state)
	case state.Session != "" && state.Ended:
		head.tell(t, state.Session+" sent nothing", "It connected and left without a frame.")
	case state.Session != "":
		head.tell(t, state.Session+" is connected", "Its threads appear here with their first frames.")
		head.silence(env, rect, t, &state)
	case listening.Problem != "":
		wide := min(rect.W()-env.Px(24), env.Px(emptyWide))
		head.wrap(env, wide, draw.Medium, 0, t.Over, "Not listening: "+listening.Problem)
		head.wrap(env, wide, draw.Regular, 2, t.Text2, listening.Remedy)
		head.say(draw.Regular, 0, t.Text2, "Ctrl+O, or a file dropped here, opens a recording meanwhile.")
		buttons = true
	case address == "" && state.Awaited != "":
		head.say(draw.Medium, 0, t.Text, "Waiting")
		head.wrap(env, rect.W()-env.Px(24), draw.Regular, 2, t.Text2, "for "+state.Awaited)
		head.say(draw.Regular, 2, t.Text2, "Each gets a session of its own. Ctrl+O, or a file dropped here, opens a recording.")
	case address == "":
		head.tell(t, "No session", "Ctrl+O, or a file dropped here, opens a recording.")
		head.say(draw.Regular, 8, t.Text2, "not listening: started without --listen")
	case state.Demo:
		head.tell(t, "The demo game is starting", "It connects to "+address+" in a moment.")
	default:
		head.tell(t, "Waiting for a game on "+address, "Every game that connects gets a session of its own.")
		head.say(draw.Regular, 0, t.Text2, "Ctrl+O, or a file dropped here, opens a recording.")
		panda = pandaWords(t, host, port)
		golang = goWords(t, host, port)
	}
	gap := env.Px(40)
	hw, hh := head.size(env)
	pw, ph := panda.size(env)
	gw, gh := golang.size(env)
	inner := rect.Inset(env.Px(12))
	if buttons && len(offers.Rows) > 0 {
		hh += env.Px(buttonHeight) + env.Px(8)
	}
	if ow, oh := p.offers.fit(env, &offers, inner.H()-hh-env.Px(16)); ow > 0 {
		// What was kept comes first: who has some of it has connected a game before.
		var columns []block
		w, h := ow, oh
		for _, b := range []block{panda, golang} {
			if bw, bh := b.size(env); bw > 0 && w+gap+bw <= inner.W() {
				columns = append(columns, b)
				w, h = w+gap+bw, max(h, bh)
			}
		}
		w = min(max(w, hw), inner.W())
		x := float32(int((rect.X0 + rect.X1 - w) / 2))
		y := max(inner.Y0, float32(int((rect.Y0+rect.Y1-hh-h-env.Px(16))/2)))
		head.draw(env, l, x, y, inner)
		if buttons {
			p.again.draw(env, l, x, y+hh-env.Px(buttonHeight), listenAgain)
		}
		y += hh + env.Px(16)
		p.offers.draw(env, l, x, y, min(ow, inner.W()), offers)
		x += ow + gap
		for i := range columns {
			columns[i].draw(env, l, x, y, inner)
			bw, _ := columns[i].size(env)
			x += bw + gap
		}
		return
	}
	if pw+gap+gw <= inner.W() && !buttons { // side by side
		w := min(max(hw, pw+gap+gw), inner.W())
		x := float32(int((rect.X0 + rect.X1 - w) / 2))
		y := max(inner.Y0, float32(int((rect.Y0+rect.Y1-hh-max(ph, gh)-env.Px(16))/2)))
		head.draw(env, l, x, y, inner)
		y += hh + env.Px(16)
		panda.draw(env, l, x, y, inner)
		golang.draw(env, l, x+pw+gap, y, inner)
		return
	}
	w := min(max(hw, pw, gw), inner.W())
	x := float32(int((rect.X0 + rect.X1 - w) / 2))
	y := max(inner.Y0, float32(int((rect.Y0+rect.Y1-hh-ph-gh-env.Px(28))/2)))
	head.draw(env, l, x, y, inner)
	if buttons {
		p.again.draw(env, l, x, y+hh+env.Px(8), listenAgain)
	}
	y += hh + env.Px(14)
	panda.draw(env, l, x, y, inner)
	y += ph + env.Px(14)
	golang.draw(env, l, x, y, inner)
}

// pandaWords tells how a Panda3D game connects.
func pandaWords(t *assets.Theme, host, port string) (b block) {
	b.say(draw.Medium, 0, t.Text, "Panda3D")
	b.say(draw.Regular, 2, t.Text2, "in Config.prc:")
	b.say(draw.Mono, 2, t.Accent, "want-pstats 1")
	b.say(draw.Mono, 0, t.Accent, "pstats-host "+reachable(host))
	if port != "5185" {
		b.say(draw.Mono, 0, t.Accent, "pstats-port "+port)
	}
	b.say(draw.Regular, 4, t.Text2, "or in Python, once the game runs:")
	b.say(draw.Mono, 2, t.Accent, "from panda3d.core import PStatClient")
	call := "PStatClient.connect()"
	if port != "5185" || reachable(host) != "localhost" {
		call = `PStatClient.connect("` + reachable(host) + `", ` + port + ")"
	}
	b.say(draw.Mono, 0, t.Accent, call)
	return b
}

// goWords tells how a game in Go connects.
func goWords(t *assets.Theme, host, port string) (b block) {
	b.say(draw.Medium, 0, t.Text, "Go and Ebitengine")
	b.say(draw.Regular, 2, t.Text2, "with framescope/net/pstats/client:")
	if address := goAddress(host, port); address == "" {
		b.say(draw.Mono, 2, t.Accent, `c := client.New(client.Options{Name: "Game"})`)
	} else {
		b.say(draw.Mono, 2, t.Accent, `c := client.New(client.Options{Name: "Game",`)
		b.say(draw.Mono, 0, t.Accent, `    Addr: "`+address+`"})`)
	}
	b.say(draw.Mono, 0, t.Accent, `c.Connect(context.Background())`)
	b.say(draw.Mono, 0, t.Accent, `main := c.MainThread()`)
	b.say(draw.Mono, 0, t.Accent, `update := c.Collector("App:Update")`)
	b.say(draw.Regular, 4, t.Text2, "and in every frame:")
	b.say(draw.Mono, 2, t.Accent, `main.Start(update); simulate(); main.Stop(update)`)
	b.say(draw.Mono, 0, t.Accent, `main.EndFrame()`)
	return b
}

// block is some lines of text, below each other.
type block struct{ lines []line }

type line struct {
	face draw.Face
	text string
	gap  float32
	tone assets.Color
}

// tell says something in one line, and more of it in the next.
func (b *block) tell(t *assets.Theme, what, more string) {
	b.say(draw.Medium, 0, t.Text, what)
	b.say(draw.Regular, 2, t.Text2, more)
}

func (b *block) say(f draw.Face, gap float32, tone assets.Color, text string) {
	b.lines = append(b.lines, line{f, text, gap, tone})
}

// wrap says a long text in as many lines as it needs.
func (b *block) wrap(env *panel.Env, width float32, f draw.Face, gap float32, tone assets.Color, text string) {
	from := ""
	for word := range strings.FieldsSeq(text) {
		next := word
		if from != "" {
			next = from + " " + word
		}
		if from != "" && env.Atlas.Measure(f, next) > width {
			b.say(f, gap, tone, from)
			from, gap = word, 0
			continue
		}
		from = next
	}
	b.say(f, gap, tone, from)
}

// silence says for how long nothing has come from a session, and what may be wrong.
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
		w = max(w, env.Atlas.Measure(x.face, x.text))
		h += env.Px(x.gap) + env.Atlas.LineHeight(x.face) + env.Px(2)
	}
	return float32(int(w + 1)), h
}

func (b *block) draw(env *panel.Env, l *draw.List, x, y float32, inner draw.Rect) {
	for _, s := range b.lines {
		y += env.Px(s.gap)
		h := env.Atlas.LineHeight(s.face)
		l.TextIn(s.face, draw.Rect{X0: x, Y0: y, X1: inner.X1, Y1: y + h}, draw.Left, s.text, draw.Color(s.tone))
		y += h + env.Px(2)
	}
}

// reachable is how a program on this machine names the host that is listened on.
func reachable(host string) string {
	ip := net.ParseIP(host)
	if host == "" || ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		return "localhost"
	}
	return host
}

// goAddress is where a Go program finds the viewer; empty for the default port on this machine.
func goAddress(host, port string) string {
	if reachable(host) == "localhost" && port == "5185" {
		return ""
	}
	return net.JoinHostPort(reachable(host), port)
}
