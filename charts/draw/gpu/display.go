package gpu

import (
	"errors"
	"os"
	"runtime"
)

// ErrNoDisplay is returned by CheckDisplay.
var ErrNoDisplay = errors.New("no display: the environment variable DISPLAY is not set (the window needs an X server; under Wayland that is Xwayland)")

// CheckDisplay tells, before the game loop is started, whether there can be a window. Starting the
// loop without one is an error too, but not everywhere: on a Linux machine that has a framebuffer
// device and no window system, Ebitengine would take over the console. A display that is set but
// cannot be reached, and missing X11 or OpenGL libraries, are found only by starting the loop,
// which returns an error then. Importing Ebitengine needs none of them.
func CheckDisplay() error { return checkDisplay(runtime.GOOS, os.Getenv) }

func checkDisplay(goos string, getenv func(string) string) error {
	switch goos {
	case "linux", "freebsd", "netbsd":
		if getenv("DISPLAY") == "" {
			return ErrNoDisplay
		}
	}
	return nil
}
