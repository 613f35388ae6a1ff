package trace

import (
	"fmt"

	"framescope/model"
)

// NoFrames warns that nothing has the name that frames were asked to have; what says what frames can be of.
func NoFrames(what, name string) model.Warning {
	return model.Warning{Text: fmt.Sprintf("No %s is called “%s”, so there are no frames.", what, Shown(name))}
}

// MayBeFrames tells that so many calls of a name look like frames, where nothing says what frames are.
func MayBeFrames(name string, n int) model.Warning {
	return model.Warning{Text: fmt.Sprintf("Nothing here says what a frame is. %d calls of “%s” may be: “Its calls are the "+
		"frames” in the menu of one, or --frames %q, makes frames of them.", n, Shown(name), Shown(name))}
}
