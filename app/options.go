package app

import (
	"iter"

	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/view"
)

// Options say how the viewer starts.
type Options struct {
	// Options are the addresses, files and storage of sessions.
	sessions.Options
	// VMEndpoint makes the program a guest of a virtualization host (Ebitengine's exp/vmhost)
	// instead of opening a window.
	VMEndpoint string
	// SettingsPath is the settings file; empty: the user's own, "-": none is read or written.
	SettingsPath string
	// Budgets is a budget file for all sessions; empty: the files of the settings for their
	// programs.
	Budgets string
	// Compare compares the first two of the files, the first as A.
	Compare bool
	// NoAnimation turns animated jumps off, in spite of the settings.
	NoAnimation bool
	// Inside leaves out the commands that reach out of the window. It is for tests that play at random.
	Inside bool
	// Check, if set, is called after each tick; its error ends the program. It is for these tests, too.
	Check func(tick int64, views iter.Seq[*view.View], desk *workspace.Desk) error
	// Observe, if set, is called after each tick with the viewer's state. It is for tests.
	Observe func(Observed)
	// Scale multiplies the display's own scale factor; 0 means the setting.
	Scale float64
	// Width and Height are the window's first size in device-independent pixels; 0 means the setting.
	Width, Height int
}
