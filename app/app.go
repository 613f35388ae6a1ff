// Package app is the program's window: the game loop, the workspace of panes, keys and commands, settings, and the opening and recording of sessions.
package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/ending"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/assets"
)

// Options say how the viewer starts.
type Options struct {
	// Listen is the address, HOST:PORT, on which PStats clients are awaited; empty: none.
	Listen string
	// Files are recordings to open.
	Files []string
	// Unopened is what was named, too, but can't be opened. It is shown with the reason.
	Unopened []Unopened
	// Inputs bring in recordings while they are being made.
	Inputs []launch.Input
	// Sources says how the kinds of recordings are to be read.
	Sources load.Sources
	// Record is a file to which the first live session is written from its first data on, the second to one of that name with -2 before its extension, and so on; empty: none.
	// Force lets one that is there already be replaced.
	Record string
	Force  bool
	// DiskLimit is how much disk space all sessions may take that are kept, in bytes, 0: none is; nil: what the settings say.
	DiskLimit *int64
	// MemoryLimit bounds the resident memory of the program, in bytes, besides what it takes with nothing loaded: see app/memory. The oldest data leave first.
	// 0 means what the settings say, or memory.Default.
	MemoryLimit int64
	// Demo tells that a built-in game is running, so the view waits for it instead of explaining how to connect one. Listening reports where: the demo's
	// client connects to what Started gets.
	Demo bool
	// Started is called once when clients can connect, with the address listened on. It must not block. When another
	// program has the address that is later, on another goroutine, or never.
	Started func(address string)
	// VMEndpoint makes the program a guest of a virtualization host (Ebitengine's exp/vmhost) instead of opening a window.
	VMEndpoint string
	// SettingsPath is the settings file; empty: the user's own, "-": none is read or written.
	SettingsPath string
	// NoAnimation turns animated jumps off whatever the settings say.
	NoAnimation bool
	// Deterministic makes pictures repeatable: time goes by ticks, files are loaded before the first picture, nothing that is measured by a clock is shown, and
	// nothing is written to disk.
	Deterministic bool
	// Checked ends the program with an error as soon as its state makes no sense, and leaves commands out that reach out of the window. It is for tests that play at random.
	Checked bool
	// Observe, if set, is called after each tick with what the viewer shows. It is for tests.
	Observe func(Observed)
	// Scale multiplies the display's own scale factor; 0 means what the settings say.
	Scale float64
	// Width and Height are the window's first size in device-independent pixels; 0 means what the settings say.
	Width, Height int
}

// Unopened is something that can't be opened.
type Unopened struct {
	Path string
	Err  error
}

// ErrNoDisplay is returned by Run when there is no display to open a window on.
var ErrNoDisplay = errors.New("no display to open a window on")

// Run opens the window and returns when it is closed. The error is ErrNoDisplay (perhaps wrapped) if there is no display. A port that another program has is told in
// the window, and tried again; an address that is none is an error, and so are recordings that are not complete at the end.
func Run(o Options) (err error) {
	if o.VMEndpoint == "" && !guestOfHost() {
		if err := displayPresent(); err != nil {
			return fmt.Errorf("%w: %w", ErrNoDisplay, err)
		}
	}
	g, err := NewGame(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	// An interrupted viewer ends as if its window had been closed, so that what is being recorded is finished.
	ctx, stop := ending.Notify(context.Background())
	defer stop()
	g.end.interrupted = ctx.Done()
	ebiten.SetWindowTitle("Framescope")
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowSizeLimits(640, 400, -1, -1)
	w, h := g.settings.Width, g.settings.Height
	if m := ebiten.Monitor(); m != nil && o.VMEndpoint == "" && !guestOfHost() {
		// The window of a larger screen may have been remembered.
		if mw, mh := m.Size(); mw > 0 && mh > 0 {
			w, h = min(w, mw*95/100), min(h, mh*90/100)
		}
	}
	ebiten.SetWindowSize(w, h)
	ebiten.SetWindowIcon([]image.Image{assets.Icon(16), assets.Icon(32), assets.Icon(48), assets.Icon(128)})
	ebiten.SetScreenClearedEveryFrame(false) // every frame paints the whole window
	ebiten.SetRunnableOnUnfocused(true)      // a viewer beside the game does not have the focus
	ebiten.SetWindowClosingHandled(true)     // so that what is being recorded is finished first
	return ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{VMGuestEndpoint: o.VMEndpoint, X11ClassName: "Framescope", X11InstanceName: "framescope"})
}

// pollBudget is how much of a tick the store may take for new data, so that a burst cannot freeze the window.
const pollBudget = 6 * time.Millisecond

// spansAhead is how many spans' statistics a tick prepares.
const spansAhead = 100_000

// statsAhead is how many frames' statistics a tick prepares.
const statsAhead = 4096

// loadBudget is that while a file is being read: the user waits for it.
const loadBudget = 12 * time.Millisecond
