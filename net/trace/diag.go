// The tally files count the faults of a recording and note the place of the first, so that a loss names a
// place in the file.

package trace

import (
	"fmt"

	"framescope/model"
)

// Unknown is the place of a fault without a known place.
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

// Tell defines the counted faults as a loss of the recording, if there are any.
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
