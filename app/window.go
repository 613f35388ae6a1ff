//go:build !headless

package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/assets"
)

// HasWindow reports whether the program can open a window.
const HasWindow = true

// ErrNoDisplay is returned by Run when there is no display to open a window on.
var ErrNoDisplay = errors.New("no display to open a window on")

// Run opens the window and returns when it is closed. The error is ErrNoDisplay (perhaps wrapped) if
// there is no display. The window reports a port in use, with retries; an invalid address is an error,
// and so are recordings that are not complete at the end.
func Run(o Options) (err error) {
	if o.VMEndpoint == "" && !Guest() {
		if err := HasDisplay(); err != nil {
			return fmt.Errorf("%w: %w", ErrNoDisplay, err)
		}
	}
	g, err := NewGame(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close(), g.ss.Unread()) }()
	// An interrupted viewer ends as if its window had been closed, to complete recordings.
	ctx, stop := NotifyInterrupts(context.Background())
	defer stop()
	g.end.interrupted = ctx.Done()
	ebiten.SetWindowTitle("Framescope")
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowSizeLimits(640, 400, -1, -1)
	w, h := g.settings.Width, g.settings.Height
	if m := ebiten.Monitor(); m != nil && o.VMEndpoint == "" && !Guest() {
		// The window of a larger screen may have been remembered.
		if mw, mh := m.Size(); mw > 0 && mh > 0 {
			w, h = fitting(w, h, mw, mh)
		}
	}
	ebiten.SetWindowSize(w, h)
	if g.settings.Maximized {
		ebiten.MaximizeWindow()
	}
	ebiten.SetWindowIcon([]image.Image{assets.Icon(16), assets.Icon(32), assets.Icon(48), assets.Icon(128)})
	ebiten.SetScreenClearedEveryFrame(false) // every frame paints the whole window
	ebiten.SetRunnableOnUnfocused(true)      // a viewer beside the game does not have the focus
	ebiten.SetWindowClosingHandled(true)     // to complete recordings first
	return ebiten.RunGameWithOptions(placed(g),
		&ebiten.RunGameOptions{VMGuestEndpoint: o.VMEndpoint, X11ClassName: "Framescope",
			X11InstanceName: "framescope"})
}

// fitting returns the size of a window that was remembered, on a screen that may be a smaller one.
func fitting(w, h, screenW, screenH int) (int, int) {
	if w > screenW {
		w = screenW * 95 / 100
	}
	if h > screenH {
		h = screenH * 90 / 100
	}
	return w, h
}

// LayoutF begins a frame: it makes the screen as large as the window in physical pixels.
func (g *Game) LayoutF(w, h float64) (float64, float64) {
	g.paint.frame()
	return g.stage.resize(w, h)
}

// Layout is not used: LayoutF is.
func (g *Game) Layout(w, h int) (int, int) { return w, h }

// mostPixels bounds the screen, to that of an 8K display: the picture of a larger window is stretched, as memory and
// time for its own would grow without end.
const mostPixels = 7680 * 4320

// resize makes the screen as large as a window of w × h device-independent pixels, in physical
// ones.
func (s *stage) resize(w, h float64) (float64, float64) {
	if m := ebiten.Monitor(); m != nil {
		s.device = m.DeviceScaleFactor()
	}
	if !(s.device > 0) {
		s.device = 1
	}
	pw, ph := math.Ceil(w*s.device), math.Ceil(h*s.device)
	if small := math.Sqrt(mostPixels / (pw * ph)); small < 1 {
		pw, ph = math.Ceil(pw*small), math.Ceil(ph*small)
	}
	s.width, s.height = int(pw), int(ph)
	return pw, ph
}

// Update is one tick: take in new data, the mouse and the keys, and let every panel prepare its
// picture.
func (g *Game) Update() error {
	began := time.Now()
	select {
	case <-g.end.interrupted:
		g.end.quit = true
	default:
	}
	if ebiten.IsWindowBeingClosed() || g.end.quit {
		return ebiten.Termination
	}
	g.stage.env.Calm = g.paint.calm
	g.takeIn()
	if err := g.answer(); err != nil {
		return err
	}
	g.prepare()
	g.nameWindow()
	if g.end.observe != nil {
		g.end.observe(g.observe())
	}
	took := time.Since(began)
	g.ticked(took)
	defer g.ss.Ticked() // from then on recordings are read: nothing may ask the store
	if g.settings.Due() {
		g.keepSettings()
	}
	if g.end.check != nil {
		return g.end.check(g.stage.tick, g.ss.Views(), g.desk)
	}
	return nil
}

// nameWindow gives the window the name of what it shows.
func (g *Game) nameWindow() {
	title := "Framescope"
	if name := g.ss.Title(); name != "" {
		title = name + " – Framescope"
	}
	if title != g.bars.title {
		g.bars.title = title
		ebiten.SetWindowTitle(title)
	}
}

// takeIn begins a tick and takes in new data, and the state of window, mouse and keys.
func (g *Game) takeIn() {
	// The size is unknown after the window is closed.
	if w, h := ebiten.WindowSize(); w > 0 && h > 0 && !ebiten.IsFullscreen() && !ebiten.IsWindowMinimized() {
		g.settings.Sized(w, h, ebiten.IsWindowMaximized())
	}
	g.takeData()
	env := &g.stage.env
	g.mouse.Read(env.NowNs, env.Scale, g.stage.width, g.stage.height)
	g.keys.Read(env.NowNs, g.typing())
	if g.mouse.Used || g.keys.Used {
		g.paint.used()
	}
	if files := ebiten.DroppedFiles(); files != nil {
		g.compare.Drop(files, g.keys.Shift)
	}
}

// answer passes mouse and keys to their receivers.
func (g *Game) answer() error {
	env, m := &g.stage.env, &g.mouse
	if err := g.place(); err != nil {
		return err
	}
	g.find.point(g.pointer())
	if m.AnyPressed() && !g.find.names.Holds(m.X, m.Y) {
		g.find.names.Field.Focus(false)
	}
	if m.AnyPressed() && !g.console.Holds(m.X, m.Y) {
		g.console.Field.Focus(false)
	}
	ebiten.SetCursorShape(g.desk.Cursor(env, m))
	if m.Back {
		g.View().Back()
	}
	if m.Forward {
		g.View().Forward()
	}
	g.handleKeys()
	g.find.update()
	return nil
}

// Draw paints the window.
func (g *Game) Draw(screen *ebiten.Image) {
	began, b := time.Now(), screen.Bounds()
	now := g.seen(b.Dx(), b.Dy())
	now.focused = ebiten.IsFocused()
	switch g.paint.begin(now, g.stage.tick, g.paint.ownPace()) {
	case leaveIt:
		return
	case showIt:
		g.paint.show(screen)
		return
	}
	g.paint.paint(screen, rgba(g.stage.env.Theme.Ground), g.lists)
	g.paint.end(time.Since(began))
}

// DrawFinalScreen puts the picture of the window on the screen.
func (g *Game) DrawFinalScreen(screen ebiten.FinalScreen, picture *ebiten.Image, at ebiten.GeoM) {
	g.paint.present(screen, picture, at)
}
