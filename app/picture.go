package app

import (
	"image"
	"image/color"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/gpu"
	"framescope/widgets"
)

// Paces of the window while nothing changes: after a quiet second there are 20 ticks a second, enough
// to notice new data and the mouse. While nobody touches it there are fewer, and between them the window
// waits for input, which begins a tick at once.
const (
	idleNs   = 16 * time.Millisecond // the least time between two frames: without vertical synchronisation they come as fast as the machine can
	quietNs  = time.Second
	quietTPS = 20
	stillNs  = 15 * time.Second
	stillTPS = 4
	// pausedTPS is the pace while the view is paused behind a live session: only clocks change, and showing a
	// picture costs most where it is painted in software.
	pausedTPS = 1
	// While a recording is read, reading and painting share the processors: where a picture is painted in software it
	// costs as much as a tick of reading.
	readingTPS = 8
	inputNs    = time.Second // so long after the mouse or a key the window goes at quietTPS
)

// painter puts lists on the screen, when there is something new to see.
type painter struct {
	renderer gpu.Renderer
	cost     Costs
	still    bool    // it never waits: pictures are to be repeatable
	behind   bool    // a recording is read faster than it is taken in
	paused   bool    // frames come, the view does not follow them, and a tick takes in all of them
	on       picture // the screen
	damage   draw.Damage
	whole    bool         // all of the screen is to be painted
	lists    []*draw.List // of the picture
	screen   [1]draw.Rect // all of it
	ticks    int64        // at which it was painted or shown
	lastDraw time.Time
	lastNews time.Time // when the picture last changed
	lastUsed time.Time // when the mouse or a key last did something
	changes  int       // how often it did
	pace     int       // ticks a second, 0 the full pace
	endWait  func()    // ends waiting for input; nil: the window does not wait
	clear    *ebiten.Image
}

// picture sums up all that the picture of the window depends on.
type picture struct {
	sum           widgets.Sum
	width, height int
	scale         float32
	ground        assets.Color
	atlas         uint64
	focused       bool // a change repaints the window, which may have been covered
}

// list takes a list into the sum.
func (p *picture) list(l *draw.List) {
	if l == nil {
		p.sum.Add(1)
		return
	}
	p.sum.Add(l.Revision())
}

// begin reports whether to paint a picture: the screen keeps the last one, so a window without changes
// costs next to nothing. Then begin waits. Now and then it still shows the last picture again, as a
// window system may have lost covered parts.
func (w *painter) begin(p picture, tick int64) todo {
	switch {
	case p != w.on:
		w.news()
		w.whole = w.whole || !p.fits(&w.on)
		w.on, w.ticks, w.cost.Quads = p, tick, 0
		return paintIt
	case tick-w.ticks >= shownTicks:
		w.ticks = tick
		return showIt
	}
	w.idle()
	return leaveIt
}

// todo is the next action on the screen.
type todo uint8

const (
	leaveIt todo = iota // the screen is right
	showIt              // it is to be shown again
	paintIt             // it is to be painted
)

// shownTicks is a minute of a window without changes.
const shownTicks = 60 * stillTPS

// show shows the last picture again, with an invisible draw call.
func (w *painter) show(screen *ebiten.Image) {
	if w.clear == nil {
		w.clear = ebiten.NewImage(1, 1)
	}
	screen.DrawImage(w.clear, nil)
}

// fits reports whether the parts in which the lists of a picture did not change are those of another.
func (p *picture) fits(o *picture) bool {
	return p.width == o.width && p.height == o.height && p.scale == o.scale && p.ground == o.ground && p.focused == o.focused
}

// paint paints what changed in a picture.
func (w *painter) paint(screen *ebiten.Image, ground color.Color, each func(func(*draw.List))) {
	for _, r := range w.changed(each) {
		part := screen.SubImage(image.Rect(int(r.X0), int(r.Y0), int(r.X1), int(r.Y1))).(*ebiten.Image)
		part.Fill(ground)
		for _, l := range w.lists {
			w.renderer.DrawPart(part, l)
		}
	}
}

// changed takes the lists of the picture, and returns the parts of the screen that are to be painted.
func (w *painter) changed(each func(func(*draw.List))) []draw.Rect {
	w.lists = w.lists[:0]
	each(w.addList)
	parts := w.damage.Changed(w.lists)
	if w.whole {
		w.whole = false
		w.screen[0] = draw.Rect{X1: float32(w.on.width), Y1: float32(w.on.height)}
		return w.screen[:]
	}
	return parts
}

// addList adds a list to the picture, if there is one.
func (w *painter) addList(l *draw.List) {
	if l != nil {
		w.lists = append(w.lists, l)
		w.cost.Quads += l.Quads()
	}
}

// end notes the time of a picture.
func (w *painter) end(took time.Duration) {
	w.cost.Drawn(took, w.renderer.Stats())
	w.lastDraw = time.Now()
}

// idle waits instead of painting the same picture again.
func (w *painter) idle() {
	if w.still {
		return
	}
	switch quiet := min(time.Since(w.lastNews), time.Since(w.lastUsed)); {
	case w.endWait != nil: // it waits between ticks
		return
	case quiet > stillNs:
		w.setPace(stillTPS)
	case time.Since(w.lastNews) > quietNs:
		w.setPace(quietTPS)
	}
	wait := idleNs
	if w.pace > 0 {
		wait = time.Second / time.Duration(w.pace)
	}
	time.Sleep(wait - time.Since(w.lastDraw))
	w.lastDraw = time.Now()
}

// news notes that there is something new to see.
func (w *painter) news() {
	w.lastNews = time.Now()
	w.changes++
	w.setPace(w.newsPace(w.lastNews))
}

// newsPace returns the pace at which something new is shown: the full one, but for what only clocks and
// progress change.
func (w *painter) newsPace(now time.Time) int {
	switch used := now.Sub(w.lastUsed) < inputNs; {
	case w.behind && used: // ticks are long, and at full pace five of them would come before one is seen
		return quietTPS
	case w.behind:
		return readingTPS
	case w.paused && !used:
		return pausedTPS
	}
	return 0
}

// used notes that the mouse or a key did something: the window no longer waits for that.
func (w *painter) used() {
	w.lastUsed = time.Now()
	if w.endWait != nil {
		w.setPace(quietTPS)
	}
}

// setPace sets the ticks a second of the window, 0 for the full pace.
func (w *painter) setPace(pace int) {
	if w.still || pace == w.pace {
		return
	}
	w.pace = pace
	if w.endWait != nil {
		w.endWait()
		w.endWait = nil
	}
	switch pace {
	case 0:
		ebiten.SetTPS(ebiten.DefaultTPS)
	case stillTPS, pausedTPS:
		w.endWait = waitForInput(time.Second / time.Duration(pace))
	default:
		ebiten.SetTPS(pace)
	}
}

// waitForInput makes the window wait between ticks, which then begin with input or after a time, until the
// returned function is called.
func waitForInput(most time.Duration) (end func()) {
	done := make(chan struct{})
	go func() {
		alarm := time.NewTicker(most)
		defer alarm.Stop()
		for {
			select {
			case <-alarm.C:
				ebiten.ScheduleFrame()
			case <-done:
				return
			}
		}
	}()
	ebiten.SetFPSMode(ebiten.FPSModeVsyncOffMinimum)
	return func() {
		close(done)
		ebiten.SetFPSMode(ebiten.FPSModeVsyncOn)
	}
}
