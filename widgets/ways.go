package widgets

import (
	"net"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// way is a way to bring something into the window, for one kind of users, in one step or several.
type way struct {
	name  string
	steps []step
	note  string // in small beside the name; may be empty
}

// step is an instruction with its lines. A click copies them, or all of their source, and nothing else.
type step struct {
	says  string
	lines []string
	all   string // empty: the lines are all
}

// copied is the text that a click copies.
func (s *step) copied() string {
	if s.all != "" {
		return s.all
	}
	return strings.Join(s.lines, "\n")
}

// clientPackage is the import path for games in Go, and sourcesAt the place of its module beside a
// game's.
const (
	clientPackage = "framescope/net/pstats/client"
	sourcesAt     = "../framescope"
)

// waysTo are all ways, given where games are awaited; host is empty where none are.
func waysTo(host, port string) []way {
	ways := []way{
		pandaWay(host, port), goWay(host, port),
		{
			name: "GStreamer", steps: []step{
				{says: "Run a program with tracers:", lines: []string{"framescope gst -- ./player film.mkv"}},
				{says: "Or follow the log of one that you start:", lines: []string{
					`GST_TRACERS="latency(flags=pipeline+element)" \`,
					`GST_DEBUG=GST_TRACER:7 GST_DEBUG_FILE=a.log ./player`,
					"framescope open a.log --follow",
				}},
			},
		},
		{
			name: "Java", note: "no Java is needed on this side", steps: []step{
				{says: "List the JVMs of this machine:", lines: []string{"framescope attach"}},
				{says: "Load the Flare agent into one:", lines: []string{"framescope attach 4711 --agent libflareagent.so"}},
				{says: "Or connect to an agent that listens:", lines: []string{"framescope connect flare 10.0.0.5:3333"}},
			},
		},
		{
			name: "profile_lib", note: "a click copies the whole code", steps: []step{
				{says: "Wait for programs, several at once, on port 7170:", lines: []string{"framescope listen profilelib"}},
				{says: "In C, send each record there by TCP:", all: profileLibCode, lines: []string{
					"static void to_viewer(void* record, size_t size)…",
					"void connect_viewer(void)…",
				}},
				{says: "When the game starts:", lines: []string{"connect_viewer();"}},
			},
		},
		{
			name: "Tracy, Go and Rust", note: "while they run", steps: []step{
				{says: "Connect to Tracy, net/http/pprof or puffin_http:", lines: []string{
					"framescope connect tracy", "framescope connect go", "framescope connect puffin",
				}},
			},
		},
	}
	return ways
}

// pandaWay is that of games with Panda3D: by their configuration, or by themselves.
func pandaWay(host, port string) way {
	config, call := []string{"want-pstats 1", "pstats-host " + reachable(host)}, "PStatClient.connect()"
	if port != "5185" {
		config = append(config, "pstats-port "+port)
	}
	if port != "5185" || reachable(host) != "localhost" {
		call = `PStatClient.connect("` + reachable(host) + `", ` + port + ")"
	}
	return way{name: "Panda3D", note: "GPU times: pstats-gpu-timing 1", steps: []step{
		{says: "In Config.prc:", lines: config},
		{says: "Or at run time, from Python:", lines: []string{"from panda3d.core import PStatClient", call}},
	}}
}

// goWay is that of games in Go.
func goWay(host, port string) way {
	lines := []string{`c := client.New(client.Options{Name: "Game"})`}
	if address := goAddress(host, port); address != "" {
		lines = []string{`c := client.New(client.Options{Name: "Game",`, `    Addr: "` + address + `"})`}
	}
	return way{name: "Go", note: "examples/ebitengine is a whole game", steps: []step{
		{says: "Add the client, with these sources beside the game's:", lines: []string{
			"go mod edit -replace framescope=" + sourcesAt, "go get " + clientPackage,
		}},
		{says: "Import it:", lines: []string{`import ("context"; "` + clientPackage + `")`}},
		{says: "When the game starts:", lines: append(lines,
			`c.Connect(context.Background())`, `main, update := c.MainThread(), c.Collector("Update")`)},
		{says: "In each frame:", lines: []string{`main.Start(update); simulate(); main.Stop(update)`, `main.EndFrame()`}},
	}}
}

// wayList shows the ways, as many beside each other as have room.
type wayList struct {
	copies []button // the steps, each a whole one
	texts  []string // the texts of copies
	hot    int      // the step under the mouse; -1 none

	scroll Scroll
	room   draw.Rect // of the scrolled content
	high   float32   // of all of that
}

// update takes the mouse: it goes by where things were drawn last.
func (w *wayList) update(env *panel.Env, in *panel.Input, program Program) {
	w.hot = -1
	for i := range w.copies {
		if w.copies[i].update(in) {
			program.Copy(w.texts[i])
		}
		if w.copies[i].hot {
			w.hot = i
		}
	}
	w.scroll.Update(env, w.bar(env), in, w.high)
}

// clear forgets where things were drawn.
func (w *wayList) clear() {
	w.copies, w.texts = w.copies[:0], w.texts[:0]
	w.room, w.high = draw.Rect{}, 0
}

// The measures of a card, at scale 1.
const (
	wayWide         = 400
	wayLine, wayPad = 16, 12
	wayName, wayGap = 20, 10 // the row of a name, and the room between cards
	wayStep         = 4      // above the text of a step, which is as high as a button
	wayHang         = 6      // how far the ground of a step goes beyond its words
	wayMost         = 520    // the greatest width of one
)

// height is that of a card.
func (x *way) height(env *panel.Env) float32 {
	h := env.Px(2*wayPad + wayName)
	for i := range x.steps {
		h += env.Px(wayStep) + env.Px(buttonHeight) + env.Px(wayLine)*float32(len(x.steps[i].lines))
	}
	return h
}

// cards is where the ways lie beside each other in columns, from the corner of all on.
type cards struct {
	places []draw.Rect
	also   draw.Rect // of the other offers, at the top of the last column; empty: none
	high   float32   // of all
}

// layWays lays the ways out in as many columns of a width as fit beside each other. also is the height of the
// other offers, 0: none.
func layWays(env *panel.Env, all []way, w, also float32) cards {
	heights := make([]float32, len(all))
	for i := range all {
		heights[i] = all[i].height(env)
	}
	n, wide := columnsIn(env, w)
	return layCards(heights, n, wide, env.Px(wayGap), also)
}

// layCards lays cards out in columns: in their order, each in the first column that has room for it, all as low
// as possible. The first of the last column has the height also, 0: it has none such.
func layCards(heights []float32, columns int, wide, gap, also float32) cards {
	most := also
	for _, h := range heights {
		most = max(most, h)
	}
	for ; ; most += 4 {
		if c, ok := cardsWithin(heights, columns, wide, gap, also, most); ok {
			return c
		}
	}
}

// cardsWithin is layCards in columns that are so high at most; false: not all have room.
func cardsWithin(heights []float32, columns int, wide, gap, also, most float32) (c cards, ok bool) {
	ends, last := make([]float32, columns), float32(columns-1)
	if also > 0 {
		c.also = draw.Rect{X0: last * (wide + gap), X1: last*(wide+gap) + wide, Y1: also}
		ends[columns-1], c.high = also+gap, also
	}
	for _, h := range heights {
		at := slices.IndexFunc(ends, func(end float32) bool { return end+h <= most })
		if at < 0 {
			return c, false
		}
		r := draw.Rect{X0: float32(at) * (wide + gap), Y0: ends[at]}
		r.X1, r.Y1 = r.X0+wide, r.Y0+h
		c.places = append(c.places, r)
		ends[at] = r.Y1 + gap
		c.high = max(c.high, r.Y1)
	}
	return c, true
}

// columnsIn returns how many columns of cards have room beside each other, and how wide they are.
func columnsIn(env *panel.Env, w float32) (n int, wide float32) {
	gap := env.Px(wayGap)
	n = min(3, max(1, int((w+gap)/(env.Px(wayWide)+gap))))
	return n, min(env.Px(wayMost), float32(int((w-gap*float32(n-1))/float32(n))))
}

// draw shows the ways in a room, as they were laid out, and the other offers, which paint themselves. What has no
// room is scrolled to.
func (w *wayList) draw(env *panel.Env, l *draw.List, room draw.Rect, ways []way, c cards, also func(draw.Rect)) {
	w.clear()
	wide := c.also.X1
	for _, r := range c.places {
		wide = max(wide, r.X1)
	}
	w.high, w.room = c.high, draw.Rect{X0: room.X0, Y0: room.Y0, X1: room.X0 + wide, Y1: min(room.Y1, room.Y0+c.high)}
	l.PushClip(w.room)
	x, y := room.X0, room.Y0-max(0, min(w.scroll.Px, w.high-w.room.H()))
	at := func(r draw.Rect) draw.Rect { return draw.Rect{X0: r.X0 + x, Y0: r.Y0 + y, X1: r.X1 + x, Y1: r.Y1 + y} }
	for i, r := range c.places {
		w.card(env, l, at(r), &ways[i])
	}
	if !c.also.Empty() {
		also(at(c.also))
	}
	l.PopClip()
	w.scroll.Draw(l, env, w.bar(env), w.high)
}

// bar is the room plus the gap to the next thing: there the scroll bar covers nothing.
func (w *wayList) bar(env *panel.Env) draw.Rect {
	r := w.room
	r.X1 += env.Px(wayGap - 2)
	return r
}

// well paints the ground of a card or a field; where themes have one ground for all, its edge.
func well(env *panel.Env, l *draw.List, r draw.Rect) {
	t := env.Theme
	l.Rect(r, draw.Color(t.Well))
	if t.Well == t.Panel {
		l.Outline(r, 1, draw.Color(t.Separator))
	}
}

// card paints a way: its name and its steps. A click on one copies its lines, as it
// says under the mouse.
func (w *wayList) card(env *panel.Env, l *draw.List, r draw.Rect, x *way) {
	t := env.Theme
	well(env, l, r)
	in := r.Inset(env.Px(wayPad))
	row := func(h float32) draw.Rect {
		in.Y0 += h
		return draw.Rect{X0: in.X0, Y0: in.Y0 - h, X1: in.X1, Y1: in.Y0}
	}
	head := row(env.Px(wayName))
	l.TextIn(draw.Medium, head, draw.Left, x.name, draw.Color(t.Text))
	head.X0 += env.Atlas.Measure(draw.Medium, x.name) + env.Px(wayPad)
	l.TextIn(draw.Small, head, draw.Right, x.note, draw.Color(t.Text2))
	for _, s := range x.steps {
		row(env.Px(wayStep))
		whole := draw.Rect{X0: in.X0 - env.Px(wayHang), Y0: in.Y0, X1: in.X1 + env.Px(wayHang)}
		whole.Y1 = in.Y0 + env.Px(buttonHeight) + env.Px(wayLine)*float32(len(s.lines))
		says := row(env.Px(buttonHeight))
		if len(w.copies) == w.hot {
			l.Rect(whole, draw.Color(t.Hover))
			l.TextIn(draw.Regular, says, draw.Right, "Copy", draw.Color(t.Accent))
		}
		w.copies = append(w.copies, button{rect: whole.Intersect(l.Clip())})
		w.texts = append(w.texts, s.copied())
		l.TextIn(draw.Regular, says, draw.Left, s.says, draw.Color(t.Text2))
		for _, line := range s.lines {
			l.TextIn(draw.Mono, row(env.Px(wayLine)), draw.Left, line, draw.Color(t.Text))
		}
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

// profileLibCode connects a program in C that uses the Foundation profiler. docs/sources/profile-lib.md has the same
// lines, and a test compiles those.
const profileLibCode = `#include <arpa/inet.h>
#include <sys/socket.h>
#include <foundation/foundation.h>

static int viewer;
static char buffer[256 * 1024];
static void to_viewer(void* record, size_t size) { send(viewer, record, size, MSG_NOSIGNAL); }

void connect_viewer(void) {
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7170), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	viewer = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(viewer, (struct sockaddr*)&to, sizeof to) != 0) return; /* no viewer: nothing is profiled */
	profile_initialize(STRING_CONST("my game"), buffer, sizeof buffer);
	profile_set_output(to_viewer);
	profile_enable(true);
}
`
