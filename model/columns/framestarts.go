package columns

import (
	"math"
)

// FrameStarts remembers how long a list was when the values of the newest frames were added, so
// that a rewind need not look through all of it.
type FrameStarts struct {
	list    []frameStart // ascending
	dropped bool         // older frames had values too
	Acc     *Account
}

type frameStart struct{ number, n int64 }

// noFrame is the number of values that belong to no frame, model.NoFrame.
const noFrame = math.MinInt64

// Add notes that values of a frame are about to be added.
func (f *FrameStarts) Add(number, n int64) {
	if number == noFrame {
		return
	}
	if len(f.list) == 2*UndoFrames {
		f.list = f.list[:copy(f.list, f.list[UndoFrames:])]
		f.dropped = true
	}
	f.list = Push(f.Acc, f.list, frameStart{number, n})
}

// Rewind forgets the frames of at least number and returns the position before which none of their
// values were added.
func (f *FrameStarts) Rewind(number int64) (from int64) {
	i := len(f.list)
	for i > 0 && f.list[i-1].number >= number {
		i--
	}
	if i == len(f.list) && (i > 0 || !f.dropped) {
		return math.MaxInt64
	}
	if i > 0 || !f.dropped {
		from = f.list[i].n
	}
	f.list = f.list[:i]
	return from
}

// Clear frees everything.
func (f *FrameStarts) Clear() {
	LetGo(f.Acc, f.list)
	f.list, f.dropped = nil, false
}
