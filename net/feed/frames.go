package feed

// Frames says what a user wants to be the frames of a recording, for sources that find them among
// spans. The zero value is what the source finds by itself.
type Frames string

// NoFrames asks for none.
const NoFrames Frames = "none"

// Named returns the name of the spans that are frames, if one was requested.
func (f Frames) Named() (name string, ok bool) { return string(f), f != "" && f != NoFrames }
