package widgets

import (
	"net"
	"strings"

	"framescope/charts"
	"framescope/charts/draw"
)

// Empty is what the middle of the window says while there is no session: how to connect a game, and what else can be done.
type Empty struct {
	sheet[emptyKey]
}

type emptyKey struct {
	rect    draw.Rect
	scale   float32
	address string
	problem string
	demo    bool
}

// Update fills the list.
func (p *Empty) Update(env *charts.Env, rect draw.Rect, program Program, demo bool) {
	address, problem := program.Listening()
	if !p.stale(env, rect, emptyKey{rect, env.Scale, address, problem, demo}) {
		return
	}
	l, t := p.list, env.Theme
	type line struct {
		face draw.Face
		text string
		gap  float32
		tone themeColor
	}
	var lines []line
	say := func(face draw.Face, gap float32, tone themeColor, text string) {
		lines = append(lines, line{face, text, gap, tone})
	}
	host, port, _ := net.SplitHostPort(address)
	switch {
	case address == "":
		say(draw.Medium, 0, t.Text, "No session")
		say(draw.Regular, 2, t.Text2, "Not listening for games. Ctrl+O, or a file dropped here, opens a recording.")
	case demo:
		say(draw.Medium, 0, t.Text, "The demo game is starting")
		say(draw.Regular, 2, t.Text2, "It connects to "+address+" in a moment.")
	default:
		say(draw.Medium, 0, t.Text, "Waiting for a game on "+address)
		say(draw.Regular, 2, t.Text2, "Every game that connects gets a session of its own. Ctrl+O, or a file dropped here, opens a recording.")
		say(draw.Medium, 14, t.Text, "Panda3D")
		say(draw.Regular, 2, t.Text2, "in Config.prc, or on the command line with -D:")
		say(draw.Mono, 2, t.Accent, "want-pstats 1")
		if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsLoopback()) || port != "5185" {
			if ip != nil && ip.IsLoopback() {
				host = "localhost"
			}
			say(draw.Mono, 0, t.Accent, "pstats-host "+host)
			say(draw.Mono, 0, t.Accent, "pstats-port "+port)
		} else {
			say(draw.Mono, 0, t.Accent, "pstats-host localhost")
		}
		say(draw.Regular, 4, t.Text2, "or in Python, once the game runs:")
		say(draw.Mono, 2, t.Accent, "from panda3d.core import PStatClient")
		if port == "5185" {
			say(draw.Mono, 0, t.Accent, "PStatClient.connect()")
		} else {
			say(draw.Mono, 0, t.Accent, `PStatClient.connect("localhost", `+port+`)`)
		}
		say(draw.Medium, 14, t.Text, "Go and Ebitengine")
		say(draw.Mono, 2, t.Accent, `c := client.New(client.Options{`+goAddress(host, port)+`Name: "My game"}); c.Connect(ctx)`)
		say(draw.Mono, 0, t.Accent, `main, update := c.MainThread(), c.Collector("App:Update")`)
		say(draw.Mono, 0, t.Accent, `main.Start(update); game(); main.Stop(update); main.EndFrame()`)
	}
	if problem != "" {
		say(draw.Regular, 10, t.Over, problem)
	}
	var h, w float32
	for _, x := range lines {
		h += env.Px(x.gap) + env.Atlas.LineHeight(x.face) + env.Px(2)
		w = max(w, env.Atlas.Measure(x.face, x.text))
	}
	y := max(rect.Y0+env.Px(8), float32(int((rect.Y0+rect.Y1-h)/2)))
	x0 := max(rect.X0+env.Px(12), float32(int((rect.X0+rect.X1-w)/2)))
	for _, x := range lines {
		y += env.Px(x.gap)
		lh := env.Atlas.LineHeight(x.face)
		l.TextIn(x.face, draw.Rect{X0: x0, Y0: y, X1: rect.X1 - env.Px(8), Y1: y + lh}, draw.Left, x.text, col(x.tone))
		y += lh + env.Px(2)
	}
}

// goAddress is the option by which a Go program says where the viewer is; empty for the default port on this machine.
func goAddress(host, port string) string {
	if host == "" || strings.HasPrefix(host, "127.") || host == "::1" {
		if port == "5185" {
			return ""
		}
		host = "localhost"
	}
	return `Addr: "` + net.JoinHostPort(host, port) + `", `
}
