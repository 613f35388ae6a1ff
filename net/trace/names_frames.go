package trace

import (
	"fmt"

	"framescope/model"
)

// NoFrames warns that nothing has the name chosen for frames; what names the kind of thing frames can be.
func NoFrames(what, name string) model.Warning {
	return model.Warning{Text: fmt.Sprintf("No %s is called “%s”, so there are no frames.", what, Shown(name))}
}

// MayBeFrames warns that n calls of name look like frames in a recording without declared frames.
func MayBeFrames(name string, n int) model.Warning {
	return model.Warning{Text: fmt.Sprintf("This recording does not mark frames. The %d calls of “%s” may be frames: choose “Use its calls "+
		"as frames” in the menu of one, or --frames %q.", n, Shown(name), Shown(name))}
}
