//go:build headless

package app

import "errors"

// HasWindow reports whether the program can open a window.
const HasWindow = false

// ErrNoDisplay is returned by Run.
var ErrNoDisplay = errors.New("this program has no window: framescope has one, and --help lists what needs none")

// windowPainter is nothing: without a window pictures are files.
type windowPainter struct{}

// Run opens no window.
func Run(Options) error { return ErrNoDisplay }

// Pressed returns no command: without a window no button is pressed.
func (*Toolbar) Pressed() (command string, err error) { return "", nil }

func setPace(int, bool) func() { return nil }

func fillScreen() {}
