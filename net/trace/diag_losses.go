package trace

import (
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
