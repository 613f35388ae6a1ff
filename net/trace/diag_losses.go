package trace

import (
	"errors"

	"framescope/model"
)

// Losses defines the losses of a recording at its end, for its reader.
type Losses struct {
	Define func(model.Change) // of the sink
}

// Lose defines that n things are missing, if there are any. words say which, and what becomes of them.
func (l Losses) Lose(reason model.LossReason, n int64, words string) {
	if n <= 0 {
		return
	}
	loss := model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: words}
	if reason == model.LossLimit {
		loss.Limit = words
	}
	l.Define(loss)
}

// LoseLines defines that lines of a text are missing, if there are any.
func (l Losses) LoseLines(reason model.LossReason, lines *Lines, words string) {
	if lines.N > 0 {
		loss := model.Loss{Reason: reason, Track: model.NoTrack, N: lines.N, Detail: lines.Where() + ": " + words}
		if reason == model.LossLimit {
			loss.Limit = words
		}
		l.Define(loss)
	}
}

// LoseRest defines that the rest of a JSON text could not be read, for the error that ended it: nil if nothing did.
func (l Losses) LoseRest(broken error) {
	if bad, ok := errors.AsType[*SpoiledError](broken); ok {
		l.Lose(model.LossMalformed, bad.N, bad.Error())
	} else if broken != nil {
		l.Lose(model.LossTruncated, 1, "the rest is left out: "+broken.Error())
	}
}
