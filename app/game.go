package app

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/input"
	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/gpu"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/net/feed"
	"framescope/widgets"
)

// Game is the viewer as Ebitengine runs it. One goroutine calls Update and Draw; everything that others bring comes through the hub and the inbox.
type Game struct {
	opt      Options
	settings settings
	setPath  string // empty: settings are not kept

	store           *model.Store
	hub             *feed.Hub
	sources         sources
	library         *library.Library
	target          *library.Target // of Options.Record, nil: none
	disk            diskList
	kept            keptLook
	settingsBefore  settingsText // the settings as they were last read or written
	settingsRead    time.Time    // when the file was last looked at
	settingsReading bool
	views           map[*model.Session]*view.View
	nobody          *view.View // shown while there is no session
	active          *model.Session
	chosen          bool // the user chose the session, so that a new one does not take its place
	lastPoll        feed.PollStats
	ended           []*model.Session // of the last tick

	env     panel.Env
	theme   assets.Theme
	atlases map[float64]*draw.Atlas
	device  float64
	width   int // physical pixels
	height  int
	tick    int64
	start   time.Time
	lastNs  int64

	dtNs    int64 // since the tick before
	desk    *workspace.Desk
	top     topBar
	status  statusLine
	mouse   input.Mouse
	keys    input.Keyboard
	tip     panel.Tooltip
	tipList *draw.List
	hit     panel.Hit
	hitSome bool // hit is something in a panel

	commands []command
	byChord  map[input.Chord]int
	notice   notices
	overlay  overlays
	quit     bool
	title    string // of the window
	// interrupted is closed when the system asks the program to end; nil: never
	interrupted <-chan struct{}
	dialog      bool // a file dialog is open
	showNext    bool // show the next session that begins: the user just opened it

	searched searchKey
	found    []model.CollectorID // what the search finds

	settingsChanged bool
	settingsKept    time.Time

	renderer    gpu.Renderer
	picture     picture // on the screen
	pictureTick int64
	lastDraw    time.Time
	lastNews    time.Time // when the picture last changed
	quiet       bool      // the window goes at a low rate, because nothing changes
	cost        costs
	memory      memoryUse
	panels      map[string]panel.Panel // of the workspace, by id
	has         contents               // of the shown session
	rows        []widgets.SessionRow
	opened      int                   // charts opened so far, for their names
	checked     map[*draw.List]uint64 // revisions of the lists that were looked at, see check
}

// NewGame prepares the viewer: it reads the settings, starts to listen and begins to load the files.
func NewGame(o Options) (*Game, error) {
	g := &Game{opt: o, store: model.NewStore(0), hub: feed.NewHub(), views: map[*model.Session]*view.View{}, atlases: map[float64]*draw.Atlas{}, start: time.Now(), device: 1}
	g.settings = defaultSettings()
	switch o.SettingsPath {
	case "-":
	case "":
		if path, err := settingsFile(); err == nil {
			g.setPath = path
		}
	default:
		g.setPath = o.SettingsPath
	}
	if g.setPath != "" {
		s, err := loadSettings(g.setPath)
		if err != nil {
			g.notice.add(err.Error(), true)
		}
		g.settings = s
		g.settingsBefore = s.text()
	}
	if o.Width > 0 && o.Height > 0 {
		g.settings.Width, g.settings.Height = o.Width, o.Height
	}
	if o.Scale > 0 {
		g.settings.Scale = min(max(o.Scale, minScale), maxScale)
	}
	g.memory.setLimit(g, o.MemoryLimit)
	g.nobody = view.New(nil)
	g.setTheme()
	g.makeCommands()
	g.makePanels()
	g.openLibrary()
	if err := g.startSources(); err != nil {
		return nil, err
	}
	return g, nil
}

// Close ends listening and recording, and keeps the settings. The error names recordings that are
// not as they should be.
func (g *Game) Close() error {
	err := g.closeSources()
	g.memory.stop()
	g.keepSettings()
	return err
}

// setTheme takes the colours of the settings. A new atlas makes every panel paint itself again.
func (g *Game) setTheme() {
	clear(g.atlases)
	g.theme = assets.Dark()
	if g.settings.Light {
		g.theme = assets.Light()
	}
}

// LayoutF makes the screen as large as the window in physical pixels.
func (g *Game) LayoutF(w, h float64) (float64, float64) {
	if m := ebiten.Monitor(); m != nil {
		g.device = m.DeviceScaleFactor()
	}
	if !(g.device > 0) {
		g.device = 1
	}
	pw, ph := math.Ceil(w*g.device), math.Ceil(h*g.device)
	g.width, g.height = int(pw), int(ph)
	return pw, ph
}

// Layout is not used: LayoutF is.
func (g *Game) Layout(w, h int) (int, int) { return w, h }

// scale returns how many physical pixels a pixel of the design is.
func (g *Game) scale() float64 {
	// Steps of a twentieth keep the number of font sizes small.
	return math.Round(g.device*g.settings.Scale*20) / 20
}

// now returns a clock for animations, in ns.
func (g *Game) now() int64 {
	if g.opt.Deterministic {
		return g.tick * int64(time.Second) / 60
	}
	return int64(time.Since(g.start))
}

// View returns what all panels show at present.
func (g *Game) View() *view.View {
	if g.active == nil {
		return g.nobody
	}
	return g.views[g.active]
}

// Update is one tick: take in new data, the mouse and the keys, and let every panel prepare its picture.
func (g *Game) Update() error {
	began := time.Now()
	select {
	case <-g.interrupted:
		g.quit = true
	default:
	}
	if ebiten.IsWindowBeingClosed() || g.quit {
		return ebiten.Termination
	}
	g.tick++
	now := g.now()
	g.prepareEnv(now)
	g.poll()
	g.lookAtKept()
	g.env.View = g.View()
	g.env.View.Tick(now, g.env.Animate)

	g.mouse.Read(now, g.env.Scale, g.width, g.height)
	g.keys.Read()
	g.takeDroppedFiles()

	full := draw.Rect{X1: float32(g.width), Y1: float32(g.height)}
	topRect, area, statusRect := g.regions(full)
	bar, frames := topRect, topRect
	bar.Y1 = topRect.Y0 + g.env.Px(toolHeight)
	frames.Y0 = bar.Y1
	g.desk.Place(&g.env, frames, area)
	if err := g.top.update(g, bar); err != nil {
		return err
	}
	g.route()
	g.handleKeys()
	g.search()
	g.env.View = g.View() // a key or the tool bar may have switched it
	g.updatePanels()
	g.status.update(g, statusRect)
	g.notice.update(&g.env, draw.Rect{X0: area.X0, Y0: area.Y0, X1: area.X1, Y1: area.Y1 - g.env.Px(8)})
	g.updateTooltip(full)
	g.nameWindow()
	if g.opt.Observe != nil {
		g.observe()
	}
	g.cost.updated(time.Since(began))
	g.keepSettingsNowAndThen()
	g.followSettings()
	if g.opt.Checked {
		return g.check()
	}
	return nil
}

// nameWindow puts the name of the shown session into the window's title.
func (g *Game) nameWindow() {
	title := "Framescope"
	if name := g.titleOf(g.active); name != "" {
		title = name + " – Framescope"
	}
	if title != g.title {
		g.title = title
		ebiten.SetWindowTitle(title)
	}
}

// regions cuts the window into tool bar with frame strip, panes, and status line.
func (g *Game) regions(full draw.Rect) (top, area, status draw.Rect) {
	top, area, status = full, full, full
	top.Y1 = g.env.Px(toolHeight) + g.env.Px(framesHeight)
	status.Y0 = full.Y1 - g.env.Px(22)
	area.Y0, area.Y1 = top.Y1+g.env.Px(2), status.Y0-1
	return
}

func (g *Game) prepareEnv(now int64) {
	s := g.scale()
	a := g.atlases[s]
	if a == nil {
		if len(g.atlases) > 8 {
			clear(g.atlases)
		}
		a = draw.NewAtlas(s)
		g.atlases[s] = a
	}
	g.env.Atlas, g.env.Scale, g.env.Theme = a, float32(s), &g.theme
	g.env.NowNs = now
	g.env.Animate = g.settings.Animate && !g.opt.NoAnimation && (!g.opt.Deterministic || g.opt.Checked)
	g.dtNs = now - g.lastNs
	g.lastNs = now
}

// poll takes what the decoders have ready and makes a view for each new session.
func (g *Game) poll() {
	budget := pollBudget
	if g.sources.loading() || g.lastPoll.More {
		budget = loadBudget
	}
	if g.opt.Deterministic {
		budget = time.Minute
	}
	// When a game goes, its last frame stays chosen and can be stepped from. The charts have followed to the end in the tick before.
	for _, s := range g.ended {
		if v := g.views[s]; v != nil {
			v.Follow(false)
		}
	}
	g.ended = g.ended[:0]
	g.memory.tick(g)
	g.takeIn(budget)
	for loading := true; g.opt.Deterministic && (loading || g.lastPoll.More); g.takeIn(budget) {
		if loading = g.sources.loading(); loading {
			time.Sleep(time.Millisecond)
		}
	}
	g.sources.tick(g)
	if len(g.ended) > 0 {
		g.tellParts(g.ended)
		g.forgetOldest()
	}
	// The statistics of long recordings are made ready a piece at a time, so that the first question does not stop the window.
	if v := g.View(); v.Session() != nil {
		v.Session().PrepareStats(v.Track(), false, statsAhead)
		v.Session().PrepareStats(v.Track(), true, statsAhead)
		v.Session().PrepareSpanStats(v.Track(), spansAhead)
	}
}

// takeIn polls the hub once.
func (g *Game) takeIn(budget time.Duration) {
	g.lastPoll = g.hub.Poll(g.store, budget)
	for _, e := range g.lastPoll.New {
		s := e.Session
		v := view.New(s)
		v.SetFrameBudget(int64(g.settings.BudgetMs * 1e6))
		v.Follow(e.Feed.Live())
		g.views[s] = v
		// The first session is shown at once, and so is one that begins when the shown one has ended.
		ended := g.active == nil
		if g.active != nil {
			_, ended = g.active.Ended()
		}
		if g.active == nil || ended && !g.chosen || v.Live() && ended || g.showNext && !v.Live() {
			g.activate(s)
			g.showNext = false
		}
	}
	for _, e := range g.lastPoll.Ended {
		g.ended = append(g.ended, e.Session)
	}
	for _, f := range g.lastPoll.Nothing {
		g.release(f.Owner())
	}
}

// activate shows a session.
func (g *Game) activate(s *model.Session) {
	if g.active != nil {
		g.active.Hold(false)
	}
	s.Hold(true) // what is looked at does not leave memory before the rest
	g.active = s
	if v := g.views[s]; v != nil {
		v.SetColors(g.rememberedColors())
	}
}

func (g *Game) rememberedColors() map[string]assets.Color {
	m := map[string]assets.Color{}
	for name, c := range g.settings.Colors {
		m[name] = assets.RGB(c[0], c[1], c[2])
	}
	return m
}

// Draw paints the window.
func (g *Game) Draw(screen *ebiten.Image) {
	began := time.Now()
	// What is on the screen stays there, so a window in which nothing changed costs next to nothing. Once a second it is painted in any case.
	if p := g.pictureNow(screen); p == g.picture && g.tick-g.pictureTick < 60 {
		g.idle()
		return
	} else {
		if p != g.picture {
			g.news()
		}
		g.picture, g.pictureTick = p, g.tick
	}
	t := &g.theme
	screen.Fill(rgba(t.Ground))
	g.cost.quads = 0
	g.submit(screen, g.top.list)
	g.desk.Paint(func(l *draw.List) { g.submit(screen, l) })
	g.submit(screen, g.status.list)
	g.submit(screen, g.notice.list)
	g.overlay.draw(g, screen)
	if g.tipList != nil {
		g.submit(screen, g.tipList)
	}
	g.cost.drawn(time.Since(began), g.renderer.Stats())
	g.lastDraw = time.Now()
}

// route gives the mouse to the pane, the splitter or the search field that it is for.
func (g *Game) route() {
	m := &g.mouse
	if m.AnyPressed() {
		g.top.pressed(g)
	}
	g.desk.Route(&g.env, m)
	ebiten.SetCursorShape(g.desk.Cursor(&g.env, m))
	if m.Back {
		g.View().Back()
	}
	if m.Forward {
		g.View().Forward()
	}
}

// updatePanels lets every panel in sight prepare its picture.
func (g *Game) updatePanels() {
	g.env.Kept = g.onDiskToo()
	if g.opt.Deterministic {
		g.env.MemoryOf = func(*model.Session) int64 { return 1 << 20 }
	}
	g.desk.Settle(kindOf(g.active), g.has.now(g.active))
	g.desk.Update(&g.env, &g.mouse, &g.keys, g.dtNs, g.typing(), g.act)
	g.top.paint(g)
}

// updateTooltip asks what is under the mouse what it is.
func (g *Game) updateTooltip(bounds draw.Rect) {
	m := &g.mouse
	g.hit, g.hitSome = panel.Hit{}, false
	ok := false
	if m.Inside && !g.overlay.above(g) && !m.AnyDown() {
		g.hit, g.hitSome = g.desk.HitTest(&g.env, m)
		if ok = g.hitSome; !ok {
			g.hit, ok = g.top.hitTest(g)
		}
		if !ok {
			g.hit, ok = g.status.hitTest(g)
		}
	}
	var hit *panel.Hit
	if ok && g.settings.Tooltips {
		hit = &g.hit
	}
	g.tipList = g.tip.Draw(&g.env, hit, m.X, m.Y, bounds)
}

func (g *Game) submit(screen *ebiten.Image, l *draw.List) {
	if l == nil {
		return
	}
	g.renderer.Draw(screen, l)
	g.cost.quads += l.Quads()
}

// tell shows a line to the user for a while.
func (g *Game) tell(format string, args ...any) {
	g.notice.add(fmt.Sprintf(format, args...), false)
}

// warn is tell for what went wrong; it stays longer.
func (g *Game) warn(err error) {
	g.notice.add(strings.TrimSpace(err.Error()), true)
}
