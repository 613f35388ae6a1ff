// Package app is the program's window: it owns the game loop, the status line, and the table of
// commands, and makes the parts of the window, each in a package of its own that does not depend on
// app.
package app

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/assets"
)

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
	defer func() { err = errors.Join(err, g.Close()) }()
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
