package feed

// Frames selects the frames of a recording, for sources that find them among spans. The zero value is
// the source's default.
type Frames string

// NoFrames asks for none.
const NoFrames Frames = "none"

// Named returns the name of the spans that are frames, if one was requested.
func (f Frames) Named() (name string, ok bool) { return string(f), f != "" && f != NoFrames }
