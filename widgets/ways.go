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
	note  string // in small beside the name, or below them; may be empty
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

// wayList shows the ways: all beside each other where there is room, else one, chosen by its name.
type wayList struct {
	chosen      int
	names       []draw.Rect // of those to choose from; empty where all are shown
	copies      []button    // the steps, each a whole one
	texts       []string    // the texts of copies
	hot, hotTab int         // the step, and the name, under the mouse; -1 none

	scroll Scroll
	room   draw.Rect // of the scrolled content
	high   float32   // of all of that
}

// update takes the mouse: it goes by where things were drawn last.
func (w *wayList) update(env *panel.Env, in *panel.Input, program Program) {
	w.hot, w.hotTab = -1, -1
	for i := range w.copies {
		if w.copies[i].update(in) {
			program.Copy(w.texts[i])
		}
		if w.copies[i].hot {
			w.hot = i
		}
	}
	for i, r := range w.names {
		if in.Over && r.Contains(in.X, in.Y) {
			if w.hotTab = i; in.Left.Released && !in.Left.Dragging {
				w.chosen, w.scroll.Px = i, 0
			}
		}
	}
	w.scroll.Update(env, w.bar(env), in, w.high)
}

// clear forgets where things were drawn.
func (w *wayList) clear() {
	w.names, w.copies, w.texts = w.names[:0], w.copies[:0], w.texts[:0]
	w.room, w.high = draw.Rect{}, 0
}

// The measures of a card, at scale 1.
const (
	wayWide           = 400
	wayLine, wayPad   = 16, 12
	wayName, wayGap   = 20, 10   // the row of a name, and the room between cards
	wayStep           = 4        // above the text of a step, which is as high as a button
	wayHang           = 6        // how far the ground of a step goes beyond its words
	wayLeast, wayMost = 290, 520 // the least and the greatest width of one by itself
	waySole           = 96       // the least height of the one that is shown
	wayScrolled       = 240      // the least height in which several columns scroll
)

// height is that of a card.
func (x *way) height(env *panel.Env, named bool) float32 {
	h := env.Px(2 * wayPad)
	if named {
		h += env.Px(wayName)
	} else if x.note != "" {
		h += env.Px(wayStep) + env.Px(wayLine)
	}
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

// layCards lays the ways out in as many columns as fit beside each other. also returns the wanted
// height of the other offers, at most so much: they get it if all have room then, else the rest. ok
// is false if the ways have to be shown one by one.
func layCards(env *panel.Env, all []way, w, h float32, also func(most float32) float32) (c cards, ok bool) {
	n, wide := columnsIn(env, w)
	if n == 0 {
		return c, false
	}
	if c = cardsIn(env, all, n, wide, also(h)); c.high <= h {
		return c, true
	}
	for room := h; room > 0; room -= env.Px(wayLine) {
		if c, ok = cardsWithin(env, all, n, wide, also(room), h); ok {
			return c, true
		}
	}
	c = cardsIn(env, all, n, wide, also(0))
	return c, n > 1 && h >= env.Px(wayScrolled)
}

// cardsIn lays cards out in so many columns of a width: in the order of the ways, each in the first
// column that has room for it, as low as possible. also is the height of the item at the top of the
// last column, 0: none.
func cardsIn(env *panel.Env, all []way, columns int, wide, also float32) cards {
	most := also
	for i := range all {
		most = max(most, all[i].height(env, true))
	}
	for ; ; most += env.Px(4) {
		if c, ok := cardsWithin(env, all, columns, wide, also, most); ok {
			return c
		}
	}
}

// cardsWithin is cardsIn in columns that are so high at most; false: not all have room.
func cardsWithin(env *panel.Env, all []way, columns int, wide, also, most float32) (c cards, ok bool) {
	gap, ends, last := env.Px(wayGap), make([]float32, columns), float32(columns-1)
	if also > 0 {
		c.also = draw.Rect{X0: last * (wide + gap), X1: last*(wide+gap) + wide, Y1: also}
		ends[columns-1], c.high = also+gap, also
	}
	for i := range all {
		h := all[i].height(env, true)
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
	n = min(3, int((w+gap)/(env.Px(wayWide)+gap)))
	return n, min(env.Px(wayMost), float32(int((w-gap*float32(n-1))/float32(max(1, n)))))
}

// all shows all ways in a room, as they were laid out, and the other offers, which paint themselves.
func (w *wayList) all(env *panel.Env, l *draw.List, room draw.Rect, ways []way, c cards, also func(draw.Rect)) {
	w.clear()
	room.X1 = c.also.X1
	for _, r := range c.places {
		room.X1 = max(room.X1, r.X1)
	}
	room.X1 += room.X0
	w.scrolled(env, l, room, c.high, func(x, y float32) {
		at := func(r draw.Rect) draw.Rect { return draw.Rect{X0: r.X0 + x, Y0: r.Y0 + y, X1: r.X1 + x, Y1: r.Y1 + y} }
		for i, r := range c.places {
			w.card(env, l, at(r), &ways[i], true)
		}
		if !c.also.Empty() {
			also(at(c.also))
		}
	})
}

// one shows the ways one at a time, chosen by their names. also paints the recordings, which are one
// more to choose from; nil: they are not.
func (w *wayList) one(env *panel.Env, l *draw.List, room draw.Rect, all []way, also func(room draw.Rect)) {
	w.clear()
	tabs := env.Px(24)
	if room.H() < tabs+env.Px(waySole) || room.W() < env.Px(wayLeast) {
		return
	}
	last := len(all)
	if also != nil {
		all = append(all, way{name: "A recording"})
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
	room.Y0 += tabs + env.Px(4)
	if w.chosen == last {
		also(room)
		return
	}
	room.X1 = min(room.X1, room.X0+env.Px(wayMost))
	high := all[w.chosen].height(env, false)
	w.scrolled(env, l, room, high, func(x, y float32) {
		w.card(env, l, draw.Rect{X0: x, Y0: y, X1: room.X1, Y1: y + high}, &all[w.chosen], false)
	})
}

// scrolled paints content of a height into a room, from a corner that lies above it if scrolled.
func (w *wayList) scrolled(env *panel.Env, l *draw.List, room draw.Rect, high float32, paint func(x, y float32)) {
	w.room, w.high = room, high
	w.room.Y1 = min(room.Y1, room.Y0+high)
	l.PushClip(w.room)
	paint(room.X0, room.Y0-max(0, min(w.scroll.Px, high-w.room.H())))
	l.PopClip()
	w.scroll.Draw(l, env, w.bar(env), high)
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

// card paints a way: its name unless it stands above, and its steps. A click on one copies its lines, as it
// says under the mouse.
func (w *wayList) card(env *panel.Env, l *draw.List, r draw.Rect, x *way, named bool) {
	t := env.Theme
	well(env, l, r)
	in := r.Inset(env.Px(wayPad))
	row := func(h float32) draw.Rect {
		in.Y0 += h
		return draw.Rect{X0: in.X0, Y0: in.Y0 - h, X1: in.X1, Y1: in.Y0}
	}
	if named {
		r := row(env.Px(wayName))
		l.TextIn(draw.Medium, r, draw.Left, x.name, draw.Color(t.Text))
		r.X0 += env.Atlas.Measure(draw.Medium, x.name) + env.Px(wayPad)
		l.TextIn(draw.Small, r, draw.Right, x.note, draw.Color(t.Text2))
	}
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
	if x.note != "" && !named {
		row(env.Px(wayStep))
		l.TextIn(draw.Small, row(env.Px(wayLine)), draw.Left, x.note, draw.Color(t.Text2))
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

// profileLibCode connects a program in C that uses the Foundation profiler. docs/sources/profile-lib.md has the same lines,
// and a test compiles those.
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
