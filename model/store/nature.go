package store

// Nature is the kind of a session by its contents: the view that opens first.
type Nature uint8

// The natures of sessions.
const (
	Program  Nature = iota // the work of threads, frame by frame or call by call, and everything else
	Pipeline               // elements through which things flow
	Samples                // stacks of threads along time
	Profile                // sums of stacks, without times
)

// String is its word, under which choices for sessions of it are kept: no name of a source.
func (n Nature) String() string { return [...]string{"program", "pipeline", "samples", "profile"}[n] }

// Nature returns the kind of a session with these contents, whatever format it came in.
func (c Contents) Nature() Nature {
	switch {
	case c.Frames:
		return Program
	case c.Timeless:
		return Profile
	case c.Objects || c.Resources:
		return Pipeline
	case c.Sampled:
		return Samples
	}
	return Program
}

// Kind is the key for stored settings of sessions with these contents, from a source: settings for a
// pipeline do not fit a game. It is the name of the nature, but for the one that any source has
// (Program) that of the source: settings for a server do not fit a game either.
func (c Contents) Kind(source string) string {
	if n := c.Nature(); n != Program {
		return n.String()
	}
	return source
}
