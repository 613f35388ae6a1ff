package widgets

import (
	"net"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// way is a way to bring something into the window: what it does, and the lines to copy for it.
type way struct {
	name, does string
	lines      []string
	note       string
	play       bool // it is the demo, which a button starts
}

// waysTo are all ways, given where games are awaited; host is empty where none are.
func waysTo(host, port string) []way {
	panda := way{
		name: "Panda3D", does: "in Config.prc, or at run time from Python:", note: "GPU times: pstats-gpu-timing 1",
		lines: []string{"want-pstats 1", "pstats-host " + reachable(host)},
	}
	call := "PStatClient.connect()"
	if port != "5185" {
		panda.lines = append(panda.lines, "pstats-port "+port)
	}
	if port != "5185" || reachable(host) != "localhost" {
		call = `PStatClient.connect("` + reachable(host) + `", ` + port + ")"
	}
	panda.lines = append(panda.lines, "from panda3d.core import PStatClient", call)
	options := []string{`c := client.New(client.Options{Name: "Game"})`}
	if address := goAddress(host, port); address != "" {
		options = []string{`c := client.New(client.Options{Name: "Game",`, `    Addr: "` + address + `"})`}
	}
	golang := way{
		name: "Go", does: "with framescope/net/pstats/client:", note: "examples has a whole game",
		lines: append(options,
			`c.Connect(context.Background())`, `main, update := c.MainThread(), c.Collector("Update")`,
			`main.Start(update); simulate(); main.Stop(update)`, `main.EndFrame()`),
	}
	if host == "" {
		closed := "not listening: start with --listen 127.0.0.1:5185"
		panda.note, golang.note = closed, closed
	}
	return []way{
		panda, golang,
		{
			name: "GStreamer", does: "runs a program with tracers on:", note: "the others: a log that is kept",
			lines: []string{
				"framescope gst -- ./player film.mkv",
				`GST_TRACERS="latency(flags=pipeline+element)" \`,
				`GST_DEBUG=GST_TRACER:7 GST_DEBUG_FILE=a.log ./player`,
				"framescope open a.log --follow",
			},
		},
		{
			name: "profile_lib", does: "the Foundation library's blocks, locks, messages:", note: "several programs at once",
			lines: []string{"framescope listen profilelib", "framescope open run.prof"},
		},
		{
			name: "Java", does: "samples the threads of a JVM by the Flare agent:", note: "no Java is needed on this side",
			lines: []string{
				"framescope attach", "framescope attach 4711 --agent libflareagent.so", "framescope connect flare 10.0.0.5:3333",
			},
		},
		{
			name: "Demo", does: "a made-up game with hitches in it, to look around:", note: "it plays until this window is closed",
			lines: []string{"framescope demo"}, play: host != "",
		},
	}
}

// wayList shows the ways: all beside each other where there is room, else one, chosen by its name.
type wayList struct {
	chosen      int
	names       []draw.Rect // of those to choose from; empty where all are shown
	copies      []button
	plays       button
	texts       []string // what each of copies copies
	hot, hotTab int      // the button, and the name, under the mouse; -1 none
}

// update takes the mouse: it goes by where things were drawn last.
func (w *wayList) update(in *panel.Input, program Program) {
	w.hot, w.hotTab = -1, -1
	for i := range w.copies {
		if w.copies[i].update(in) {
			program.Copy(w.texts[i])
		}
		if w.copies[i].hot {
			w.hot = i
		}
	}
	if w.plays.update(in) {
		program.PlayDemo()
	}
	for i, r := range w.names {
		if in.Over && r.Contains(in.X, in.Y) {
			if w.hotTab = i; in.Left.Released && !in.Left.Dragging {
				w.chosen = i
			}
		}
	}
}

// clear forgets where things were drawn.
func (w *wayList) clear() {
	w.names, w.copies, w.texts, w.plays.rect = w.names[:0], w.copies[:0], w.texts[:0], draw.Rect{}
}

// The measures of a card, at scale 1.
const (
	wayWide, wayHigh  = 400, 176
	wayLine, wayPad   = 16, 12
	wayLeast, wayMost = 290, 520 // the least and the greatest width of one by itself
	waySole           = 158      // height of the one that is shown
)

// draw shows the ways in a room; those that have none are left out.
func (w *wayList) draw(env *panel.Env, l *draw.List, room draw.Rect, host, port string) {
	w.clear()
	all := waysTo(host, port)
	gap := env.Px(10)
	columns := min(3, int((room.W()+gap)/(env.Px(wayWide)+gap)))
	if columns > 0 {
		rows := (len(all) + columns - 1) / columns
		if float32(rows)*(env.Px(wayHigh)+gap)-gap <= room.H() {
			wide := min(env.Px(wayMost), float32(int((room.W()-gap*float32(columns-1))/float32(columns))))
			for i := range all {
				x := room.X0 + float32(i%columns)*(wide+gap)
				y := room.Y0 + float32(i/columns)*(env.Px(wayHigh)+gap)
				w.card(env, l, draw.Rect{X0: x, Y0: y, X1: x + wide, Y1: y + env.Px(wayHigh)}, &all[i], true)
			}
			return
		}
	}
	tabs := env.Px(24)
	if room.H() < tabs+env.Px(waySole) || room.W() < env.Px(wayLeast) {
		return
	}
	w.chosen = min(w.chosen, len(all)-1)
	x := room.X0
	for i := range all {
		wide := env.Atlas.Measure(draw.Medium, all[i].name)
		r := draw.Rect{X0: x, Y0: room.Y0, X1: x + wide, Y1: room.Y0 + tabs}
		if r.X1 > room.X1 {
			break
		}
		w.names = append(w.names, r)
		face, c := draw.Regular, env.Theme.Text2
		if i == w.chosen {
			face, c = draw.Medium, env.Theme.Text
			l.Rect(draw.Rect{X0: r.X0, Y0: r.Y1 - env.Px(2), X1: r.X1, Y1: r.Y1}, draw.Color(env.Theme.Accent))
		} else if i == w.hotTab {
			c = env.Theme.Text
		}
		l.TextIn(face, r, draw.Left, all[i].name, draw.Color(c))
		x += wide + env.Px(14)
	}
	card := draw.Rect{X0: room.X0, Y0: room.Y0 + tabs + env.Px(4), X1: min(room.X1, room.X0+env.Px(wayMost)),
		Y1: room.Y0 + tabs + env.Px(waySole)}
	w.card(env, l, card, &all[w.chosen], false)
}

// card paints a way: its name where that is not said above, what it does, its lines, and a button
// that copies them.
func (w *wayList) card(env *panel.Env, l *draw.List, r draw.Rect, x *way, named bool) {
	t := env.Theme
	l.Rect(r, draw.Color(t.Well))
	in := r.Inset(env.Px(wayPad))
	if !named {
		in.Y0, in.Y1 = r.Y0+env.Px(6), r.Y1-env.Px(6)
	}
	line := func(f draw.Face, h float32, text string, c draw.Color) {
		l.TextIn(f, draw.Rect{X0: in.X0, Y0: in.Y0, X1: in.X1, Y1: in.Y0 + h}, draw.Left, text, c)
		in.Y0 += h
	}
	if named {
		line(draw.Medium, env.Px(20), x.name, draw.Color(t.Text))
	}
	line(draw.Regular, env.Px(20), x.does, draw.Color(t.Text2))
	for _, s := range x.lines {
		line(draw.Mono, env.Px(wayLine), s, draw.Color(t.Text))
	}
	at := len(w.copies)
	w.copies = append(w.copies, button{hot: at == w.hot})
	w.texts = append(w.texts, strings.Join(x.lines, "\n"))
	b := &w.copies[at]
	y := in.Y1 - env.Px(buttonHeight)
	left := in.X1 - b.width(env, "Copy")
	b.draw(env, l, left, y, "Copy")
	if x.play {
		left -= w.plays.width(env, "Play") + env.Px(4)
		w.plays.draw(env, l, left, y, "Play")
	}
	l.TextIn(draw.Small, draw.Rect{X0: in.X0, Y0: y, X1: left - env.Px(8), Y1: in.Y1}, draw.Left, x.note, draw.Color(t.Text2))
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
