// File tally.go counts what is wrong with a recording, and notes where it is so first: what is told of a
// loss names a place of the file.

package trace

import (
	"fmt"

	"framescope/model"
)

// Unknown is the place of what has none.
const Unknown = -1

// Tally is how often something occurred, and at which byte of the unpacked file first; Unknown where
// that is not known. The zero value has counted nothing.
type Tally struct{ N, At int64 }

// Add counts one more, at a byte.
func (t *Tally) Add(at int64) { t.AddN(1, at) }

// AddN counts so many more, the first of them at a byte.
func (t *Tally) AddN(n, at int64) {
	if t.N == 0 {
		t.At = at
	}
	t.N += n
}

// Words are some with the place behind them.
func (t Tally) Words(words string) string {
	if t.At < 0 {
		return words
	}
	return fmt.Sprintf("%s; the first is at byte %d", words, t.At)
}

// Within is Words where the place is the begin of what it is in.
func (t Tally) Within(words string) string {
	if t.At < 0 {
		return words
	}
	return fmt.Sprintf("%s; the first is in what begins at byte %d", words, t.At)
}

// Tell defines what was counted as a loss of the recording, if there is any.
func (t Tally) Tell(define func(model.Change), reason model.LossReason, words string) {
	if t.N == 0 {
		return
	}
	loss := model.Loss{Reason: reason, Track: model.NoTrack, N: t.N, Detail: t.Words(words)}
	if reason == model.LossLimit {
		loss.Limit = words
	}
	define(loss)
}
