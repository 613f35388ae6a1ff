package app

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"time"

	"github.com/ebitengine/debugui"

	"framescope/app/command"
	"framescope/app/input"
	"framescope/app/prompt"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/widgets"
)

// topBar is the tool bar: a window of the widget library whose title row lies above the screen, so
// that it cannot be moved.
type topBar struct {
	ss       *sessions.Sessions
	stage    *stage
	spaces   *spaces
	ask      *prompt.Prompt
	find     *finder
	commands *command.Table
	mouse    *input.Mouse

	ui     debugui.DebugUI
	rect   draw.Rect
	items  []toolItem
	list   *draw.List
	bounds image.Rectangle
	scope  string
	widths []int // of the cells
	cells  []int // items, -1 for a spacer
	buf    []byte
	key    widgets.Sum

	status sessions.Status // of the shown session
	lag    panel.Paced[time.Duration]
	chosen panel.Paced[string]
}

// toolItem is one thing in the tool bar.
type toolItem struct {
	id      string
	command string // run on a click; empty: the thing only tells something
	label   string
	kind    itemKind
	rect    draw.Rect
	tip     string
	enabled bool
	dropAt  int // leaves a narrow bar: the highest first, 0 never
	right   bool
}

type itemKind uint8

const (
	itemButton itemKind = iota
	itemChip            // coloured by state
	itemText
	itemGap
	itemSearch
	itemTab // a workspace
)

const (
	toolHeight   = 36
	framesHeight = 64
)

// refresh decides what the bar shows, and where.
func (b *topBar) refresh(rect draw.Rect) {
	env, v := &b.stage.env, b.ss.View()
	b.rect = rect
	items := b.items[:0]
	add := func(it toolItem) { items = append(items, it) }
	b.status = b.ss.Status()
	st := &b.status
	for i, name := range b.spaces.names {
		drop := 8
		if i >= len(workspace.Presets()) { // the user's own, of which there may be many
			drop = 13
		}
		add(toolItem{
			id: "workspace." + name, kind: itemTab, label: name, command: b.spaces.ids[i], tip: "Workspace", enabled: true, dropAt: drop,
		})
	}
	add(toolItem{kind: itemGap})
	add(b.liveItem())
	pause := "Pause"
	if v.Session() != nil && !v.Live() {
		pause = "Follow"
	}
	if v.Session() != nil && !st.Live { // there is nothing to follow
		pause = ""
	}
	add(toolItem{id: "pause", label: pause, command: "follow", tip: "Pause the view, the recording goes on",
		enabled: v.Session() != nil && st.Live, dropAt: 1})
	add(toolItem{id: "fit", label: "Fit", command: "fit.all", tip: "Show the whole session", enabled: v.Session() != nil, dropAt: 6})
	add(toolItem{id: "back", label: "←", command: "back", tip: "Back to the view before", enabled: v.CanBack(), dropAt: 7})
	add(toolItem{id: "forward", label: "→", command: "forward", tip: "Forward again", enabled: v.CanForward(), dropAt: 7})
	add(toolItem{kind: itemGap})
	add(toolItem{id: "open", label: "Open…", command: "open", tip: "Open a recording", enabled: true, dropAt: 8})
	add(toolItem{id: "save", label: "Save…", command: "save", tip: "Save the shown session", enabled: v.Session() != nil, dropAt: 8})
	rec, tip := "● Record", "Write the shown session to a file while it runs"
	if st.Recording {
		rec, tip = "■ Stop", "Finish the recording"
	}
	if st.Keeps {
		add(toolItem{id: "disk", label: "On disk…", command: "disk",
			tip: "Sessions on disk: everything that was live is kept there", enabled: true, dropAt: 11})
	}
	if v.Session() != nil && !st.Live && !st.Recording { // there is nothing to record
		rec = ""
	}
	add(toolItem{id: "record", label: rec, command: "record", tip: tip, enabled: st.Recordable, dropAt: 5})
	if st.Record != "" {
		drop := 13
		if st.Unrecorded {
			drop = 2
		}
		add(toolItem{id: "recorded", kind: itemChip, label: st.Record, tip: st.RecordTip, dropAt: drop})
	}
	add(toolItem{kind: itemGap})
	add(toolItem{id: "search", kind: itemSearch, enabled: true, dropAt: 9, tip: b.searchTip()})

	add(toolItem{id: "frame", kind: itemText, label: b.chosen.Of(env, b.chosenLabel()), right: true, dropAt: 10,
		tip: "What is selected in time"})
	missing, zoom := "", ""
	if v.Session() != nil {
		missing = b.missingLabel()
		zoom = b.zoomLabel()
	}
	add(toolItem{id: "missing", kind: itemChip, label: missing, right: true,
		tip: "Frames that are not here, of all threads. The panel Received says why.", dropAt: 11})
	add(toolItem{id: "zoom", kind: itemChip, label: zoom, right: true, tip: "How much time the timeline shows", dropAt: 12})
	add(toolItem{id: "help", label: "?", command: "help", tip: "Keys and mouse", enabled: true, right: true, dropAt: 3})
	add(toolItem{id: "settings", label: "⚙", command: "settings", tip: "Settings", enabled: true, right: true, dropAt: 4})
	b.items = items
	b.layOut(env, rect)
	for i := range b.items {
		if b.items[i].kind == itemSearch {
			b.find.rect = b.items[i].rect
		}
	}
}

// layOut gives each item its place: from the left, then those at the right from the right end; what
// does not fit leaves by its rank, and what never leaves is cut at the end. Neighbours are as far apart as the widget library puts them, so
// that its buttons lie exactly under what is painted.
func (b *topBar) layOut(env *panel.Env, rect draw.Rect) {
	s := float32(widgetScale(env.Scale))
	pad, gap, group := env.Px(10), widgetSpacing*s, env.Px(8)
	whole := func(w float32) float32 { return s * float32(int(w/s+0.99)) }
	width := func(it *toolItem) float32 {
		switch it.kind {
		case itemGap:
			return whole(group)
		case itemSearch:
			return whole(env.Px(130))
		}
		if it.label == "" {
			return 0
		}
		w := env.Atlas.Measure(draw.Regular, it.label)
		switch it.kind {
		case itemText:
			w = steps(env.Atlas.Measure(draw.Medium, it.label)+pad, env.Px(16))
		case itemTab:
			w = env.Atlas.Measure(draw.Medium, it.label) + env.Px(14)
		case itemChip:
			w = steps(env.Atlas.Measure(draw.Medium, it.label)+2*pad, env.Px(8))
		default:
			w = max(w+2*pad, env.Px(30))
		}
		return whole(w)
	}
	const ranks = 14
	least := ranks // items of this rank or higher leave
	out := func(it *toolItem) bool { return it.dropAt >= least && it.dropAt > 0 }
	need := func() float32 {
		sum := 6*s + gap + 2*s
		for i := range b.items {
			if it := &b.items[i]; !out(it) {
				if w := width(it); w > 0 {
					sum += w + gap
				}
			}
		}
		return sum
	}
	for least > 1 && need() > rect.W() {
		least--
	}
	spare := whole(max(0, rect.W()-need())) - s
	y0 := s * float32(int(env.Px(6)/s))
	y1 := y0 + s*float32(int(env.Px(toolHeight-12)/s))
	end := s * float32(int((rect.X1-6*s)/s))
	x := rect.X0 + 6*s
	for i := range b.items {
		it := &b.items[i]
		it.rect = draw.Rect{}
		w := width(it)
		if it.right || w == 0 || out(it) {
			continue
		}
		if it.kind == itemSearch {
			w += max(0, min(spare, whole(env.Px(290))))
		}
		w = min(w, end-x)
		it.rect = draw.Rect{X0: x, Y0: rect.Y0 + y0, X1: x + w, Y1: rect.Y0 + y1}
		x += w + gap
	}
	for i := len(b.items) - 1; i >= 0; i-- {
		it := &b.items[i]
		w := width(it)
		if !it.right || w == 0 || out(it) {
			continue
		}
		it.rect = draw.Rect{X0: end - w, Y0: rect.Y0 + y0, X1: end, Y1: rect.Y0 + y1}
		end -= w + gap
	}
}

// steps rounds a width up, so that what stands beside a number does not move with its every digit.
func steps(w, step float32) float32 { return step * float32(int(w/step+0.999)) }

// liveItem is the chip that tells whether what is shown is what happens now. When nothing is
// listened on a click tries that again.
func (b *topBar) liveItem() toolItem {
	it := toolItem{
		id: "live", kind: itemChip, label: b.liveLabel(), tip: "Whether what is shown is what happens now",
		enabled: b.ss.View().Session() != nil,
	}
	if s := b.ss.View().Session(); s != nil && !b.status.Live && !b.status.Loading && b.status.Problem == "" { // there is nothing newer to follow
		it.tip = "It is over: nothing more comes"
		if s.Info().File {
			it.tip = "A recording: nothing more comes"
		}
	}
	if l := b.status.Listening; b.ss.View().Session() == nil && l.Problem != "" {
		it.command, it.tip, it.enabled = "listen", l.Problem+". A click tries again.", true
	}
	if b.status.Silence.Overdue {
		b.buf = b.status.Silence.Append(b.buf[:0])
		if b.status.Silence.UsualNs > 0 {
			b.buf = append(b.buf, ", usually something comes within "...)
			b.buf = format.AppendDuration(b.buf, b.status.Silence.UsualNs)
		}
		it.tip = string(append(b.buf, "\nIs the program stopped, in a debugger, or gone?"...))
	}
	return it
}

func (b *topBar) liveLabel() string {
	v, st := b.ss.View(), &b.status
	out := b.buf[:0]
	switch {
	case v.Session() == nil && st.Listening.Problem != "":
		out = append(out, "Not listening"...)
	case v.Session() == nil && !st.Awaits:
		out = append(out, "No session"...)
	case v.Session() == nil:
		out = append(out, "Waiting"...)
	case st.Problem != "" && v.Session().NumTracks() == 0:
		out = append(out, "Not opened"...)
	case st.Loading:
		out = append(out, "Loading"...)
	case !st.Live:
		if v.Session().Info().File {
			out = append(out, "File"...)
		} else {
			out = append(out, "Ended"...)
		}
	case v.Live() && b.status.Silence.Nothing && st.AtEnd != "":
		out = append(append(out, "● Receiving: "...), st.AtEnd...)
	case v.Live() && b.status.Silence.Nothing:
		out = b.status.Silence.Append(append(out, "● Connected, "...))
	case v.Live() && b.status.Silence.Ns > 0:
		out = b.status.Silence.Append(append(out, "● Live, "...))
	case v.Live():
		out = append(out, "● Live"...)
		if !b.stage.deterministic {
			out = strconv.AppendFloat(append(out, "  "...), b.lag.Of(&b.stage.env, st.Lag).Seconds(), 'f', 2, 64)
			out = append(out, " s"...)
		}
	default:
		lag := float64(v.LagNs()) / 1e9
		out = append(out, "Paused  "...)
		digits := 1
		if lag >= 100 {
			digits = 0
		}
		out = strconv.AppendFloat(out, lag, 'f', digits, 64)
		out = append(out, " s behind live"...)
	}
	b.buf = out
	return string(out)
}

// chosenLabels say what is selected in time.
var chosenLabels = view.PerUnit[func(*topBar, *view.View) string]{
	Frames: (*topBar).frameLabel, Spans: (*topBar).rangeLabel,
}

// chosenLabel says what is selected in time.
func (b *topBar) chosenLabel() string { return chosenLabels.Of(b.ss.View())(b, b.ss.View()) }

// frameLabel names the selected frames, and says how long they took.
func (b *topBar) frameLabel(v *view.View) string {
	if v.FrameA() < 0 && v.HasRange() { // a time in which no frame was received
		return b.rangeLabel(v)
	}
	if v.Session() == nil || v.FrameA() < 0 {
		return ""
	}
	t := v.Session().Track(v.Track())
	if t == nil || v.FrameB() >= t.NumFrames() {
		return ""
	}
	a, z := t.Frame(v.FrameA()), t.Frame(v.FrameB())
	out := b.buf[:0]
	if v.FrameA() == v.FrameB() {
		out = append(out, "Frame "...)
		out = format.AppendCount(out, a.Number)
		out = format.AppendDuration(append(out, "   "...), a.End-a.Begin)
		out = format.AppendRate(append(out, "   "...), a.End-a.Begin)
	} else {
		n := int64(v.FrameB() - v.FrameA() + 1)
		out = append(format.AppendCount(out, n), " frames   "...)
		out = format.AppendDuration(out, z.End-a.Begin)
		var sum int64
		if n <= 4096 {
			for i := v.FrameA(); i <= v.FrameB(); i++ {
				f := t.Frame(i)
				sum += f.End - f.Begin
			}
			out = format.AppendDuration(append(out, "   mean "...), sum/n)
		}
	}
	b.buf = out
	return string(out)
}

// rangeLabel is frameLabel where there are no frames: the selected range, else the time of the
// playhead.
func (b *topBar) rangeLabel(v *view.View) string {
	out := b.buf[:0]
	if v.RangeB() > v.RangeA() {
		out = append(format.AppendDuration(out, v.RangeB()-v.RangeA()), " selected   "...)
		out = format.AppendClock(out, v.RangeA(), 1e6)
		out = format.AppendClock(append(out, " – "...), v.RangeB(), 1e6)
	} else {
		out = format.AppendClock(append(out, "at "...), v.Playhead(), 1e6)
	}
	b.buf = out
	return string(out)
}

func (b *topBar) missingLabel() string {
	ledger := b.ss.View().Session().Ledger()
	if !ledger.Framed {
		return ""
	}
	m := ledger.Lost()
	if m == 0 {
		b.buf = append(b.buf[:0], "none missing"...)
		return string(b.buf)
	}
	out := format.AppendCount(b.buf[:0], m)
	out = append(out, " of "...)
	out = format.AppendCount(out, ledger.Sent)
	out = append(out, " missing"...)
	b.buf = out
	return string(out)
}

func (b *topBar) zoomLabel() string {
	v := b.ss.View()
	if !v.Time().Valid() {
		return ""
	}
	begin, end := v.Steer().Target()
	out := format.AppendDuration(b.buf[:0], int64(end-begin))
	out = append(out, " / screen"...)
	b.buf = out
	return string(out)
}

// The widget library's measures, in its own pixels.
const (
	widgetTitle   = 24
	widgetPadding = 5
	widgetSpacing = 4
)

// update decides what the bar shows and runs its buttons. These are the widget library's: it tells
// which was pressed, and is asked when the mouse was. Their looks are the bar's own.
func (b *topBar) update(rect draw.Rect) error {
	b.refresh(rect)
	if !b.mouse.AnyPressed() {
		return nil
	}
	s := widgetScale(b.stage.env.Scale)
	// The window's title row and padding lie outside the screen, and so does its resize handle.
	bounds := toWidget(rect, s)
	bounds.Min.X -= widgetPadding
	bounds.Min.Y -= widgetTitle + widgetPadding
	bounds.Max.X += widgetTitle + widgetPadding
	// A window of the library takes its bounds only when its name is new.
	if bounds != b.bounds {
		b.bounds, b.scope = bounds, "bar/"+strconv.Itoa(bounds.Dx())+"×"+strconv.Itoa(bounds.Dy())
	}
	_, err := b.ui.Update(func(ctx *debugui.Context) error {
		ctx.SetScale(s)
		ctx.IDScope(b.scope, func() {
			ctx.Window("", bounds, func(debugui.ContainerLayout) { b.buttons(ctx, rect, s) })
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("app: %w", err)
	}
	return nil
}

// buttons lays one row of cells out: spacers, things that only tell something, and buttons.
func (b *topBar) buttons(ctx *debugui.Context, rect draw.Rect, s int) {
	b.widths, b.cells = b.widths[:0], b.cells[:0]
	x, y, h := 0, 0, 0
	for i := range b.items {
		it := &b.items[i]
		if it.rect.Empty() {
			continue
		}
		r := toWidget(draw.Rect{X0: it.rect.X0 - rect.X0, Y0: it.rect.Y0 - rect.Y0, X1: it.rect.X1 - rect.X0, Y1: it.rect.Y1 - rect.Y0}, s)
		y, h = r.Min.Y, r.Dy()
		if space := r.Min.X - x; space > widgetSpacing {
			b.widths, b.cells = append(b.widths, space-widgetSpacing), append(b.cells, -1)
		}
		b.widths, b.cells = append(b.widths, r.Dx()), append(b.cells, i)
		x = r.Max.X + widgetSpacing
	}
	ctx.SetGridLayout([]int{-1}, []int{max(1, y-widgetSpacing)})
	ctx.GridCell(nothing)
	ctx.SetGridLayout(b.widths, []int{max(1, h)})
	for _, i := range b.cells {
		if i < 0 || b.items[i].command == "" || !b.items[i].enabled {
			ctx.GridCell(nothing)
			continue
		}
		ctx.IDScope(b.items[i].id, func() {
			ctx.Button("").On(func() { b.commands.Run(b.items[i].command) })
		})
	}
}

func nothing(image.Rectangle) {}

// widgetScale is the whole number by which the widget library scales itself.
func widgetScale(scale float32) int { return max(1, int(scale)) }

func toWidget(r draw.Rect, scale int) image.Rectangle {
	return image.Rect(int(r.X0)/scale, int(r.Y0)/scale, int(r.X1)/scale, int(r.Y1)/scale)
}

func (b *topBar) hot() int {
	if b.ask.Desk.Hovers() || !b.mouse.Inside {
		return -1
	}
	for i := range b.items {
		if b.items[i].rect.Contains(b.mouse.X, b.mouse.Y) {
			return i
		}
	}
	return -1
}

// searchTip says what the search field is for, with both of its keys.
func (b *topBar) searchTip() string {
	return "Find a name and light it in all panels (" + b.commands.Key("find") + "), or look a command up (" +
		b.commands.Key("palette") + ")"
}

// hitTest returns the tooltip of the item under the mouse.
func (b *topBar) hitTest() (panel.Hit, bool) {
	i := b.hot()
	if i < 0 || b.items[i].tip == "" {
		return panel.Hit{}, false
	}
	tip := b.items[i].tip
	if key := b.commands.Key(b.items[i].command); key != "" && !strings.Contains(tip, "\n") {
		tip += " (" + key + ")"
	}
	return panel.Hit{Kind: panel.HitLabel, Collector: -1, Rect: b.items[i].rect, Lines: strings.Split(tip, "\n")}, true
}
