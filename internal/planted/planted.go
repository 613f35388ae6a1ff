// Package planted makes sessions of games with hitches of known causes, to score explanations of
// hitches. It owns the games (threads that wait for each other, a GPU, bystanders, noise, phases), the
// planted causes, and the ground truth; it knows nothing of the code that explains hitches.
//
// A game is played twice with the same random numbers, with and without the planted causes: the frames
// that take longer are the hitches, and the difference is exact.
package planted

import (
	"encoding/json"
	"io"
)

// Game is the kind of game of a session.
type Game string

// The kinds of games.
const (
	OneThread Game = "one thread" // does all, as small games do, and waits for the GPU
	Pipelined Game = "pipelined"  // Main, Cull and Draw at once, as Panda3D's, in step
	Jobs      Game = "jobs"       // a job system, and a render thread one frame behind
	ThreeDeep Game = "three deep" // a render thread one frame behind, and one behind that which talks to the GPU
	Server    Game = "server"     // ticks, without anything to show
	Decoupled Game = "decoupled"  // as one thread, beside a simulation at a rate of its own, the same or nearly
)

// Limiter is the limit of a game's speed.
type Limiter string

// The limiters.
const (
	Free  Limiter = "none"
	VSync Limiter = "vsync" // shows frames at multiples of a refresh
	Clock Limiter = "clock" // sleeps for the rest of a period
)

// Options describes the session to make. The seed chooses fields that are zero; equal options
// make equal sessions, to the byte.
type Options struct {
	Seed uint64
	// Kinds are the hitches, planted in turn. Nil: all that are possible in the game.
	Kinds []Kind
	// Quiet makes a session without hitches.
	Quiet bool
	// Lasts, of a quiet session, is Step or Drift: a part of the main thread's work grows for good.
	Lasts Kind

	// Style is how waits are called; empty: conventionally.
	Style Style
	// Format is that of the file; empty: PStats. In others no frames get lost, and names have no parents.
	Format  Format
	Game    Game
	Limiter Limiter
	Frames  int     // of the main thread, 100 to 100,000
	Hz      float64 // frames a second, 10 to 1,000
	// Jitter is the variation of collectors from call to call, as a share: 0.01 to 0.5. It is reduced
	// where noise alone would make hitches.
	Jitter float64
	// Tail makes a few calls in a hundred take several times as long.
	Tail       Choice
	Bystanders int // threads that work for themselves, 1 to 12
	Phases     int // menus and levels that follow each other, 1 to 8
	Depth      int // of nesting, 2 to 12
	Drift      float64
	// Gaps drops frames, as a network does.
	Gaps Choice
	// OwnClock gives the GPU a clock of its own, as clients up to 1.10 do.
	OwnClock Choice
}

// Choice is yes, no, or left to the seed.
type Choice int8

// The choices.
const (
	BySeed Choice = iota
	Yes
	No
)

// Link is a thread with its anomaly. Collector is a full name ("App:Physics"), empty where the cause
// has none.
type Link struct {
	Thread    string `json:"thread"`
	Collector string `json:"collector"`
	How       string `json:"how"`
	// Or are other correct descriptions of it.
	Or []string `json:"or,omitempty"`
	// At are other correct collectors, such as the only child of a newcomer.
	At []string `json:"at,omitempty"`
}

// Frame is a hitch: a frame of the main thread, and why it takes long. The chain begins in the main
// thread and ends at the planted cause.
type Frame struct {
	Frame     int64  `json:"frame"`
	Thread    string `json:"thread"`
	Kind      Kind   `json:"kind"`
	Chain     []Link `json:"chain"`
	Others    []Link `json:"others"`
	ExcessNs  int64  `json:"excess_ns"`
	TypicalNs int64  `json:"typical_ns"` // of that very frame without planted causes
}

// Truth is the ground truth of a session.
type Truth struct {
	Seed   uint64  `json:"seed"`
	About  string  `json:"about"` // the game, in words
	Frames []Frame `json:"frames"`
	// Also are frames that a planted hitch made a little longer: finding them is not an error.
	Also []int64 `json:"also"`
	None bool    `json:"none"`
	// Even is a game of one phase without a drift.
	Even bool `json:"even"`
	// Lasts is the first frame of what grows for good, of Options.Lasts.
	Lasts *Frame `json:"lasts,omitempty"`
	// Received is the number of frames of the main thread in the file.
	Received int `json:"received"`
}

// Session is a game that was played.
type Session struct {
	w       *world
	threads []*line
	truth   Truth
}

// New plays a game.
func New(o Options) (*Session, error) {
	w, err := newWorld(o)
	if err != nil {
		return nil, err
	}
	return w.play(), nil
}

// Truth returns the ground truth. It is the session's own: do not change it.
func (s *Session) Truth() *Truth { return &s.truth }

// WriteTruth writes the truth as JSON.
func (s *Session) WriteTruth(to io.Writer) error {
	e := json.NewEncoder(to)
	e.SetIndent("", " ")
	return e.Encode(&s.truth)
}
