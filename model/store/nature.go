package store

// Nature is what a session is of, by what it has: what one looks at first in it.
type Nature uint8

// The natures of sessions.
const (
	Program  Nature = iota // what threads did, frame by frame or call by call, and all that is none of the others
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

// Kind is the word under which choices for sessions with these contents are kept, of a source: what
// fits a pipeline does not fit a game. It is that of the nature, and of what any source has (Program)
// the name of the source: what fits a server does not fit a game either.
func (c Contents) Kind(source string) string {
	if n := c.Nature(); n != Program {
		return n.String()
	}
	return source
}
