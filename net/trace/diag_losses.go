package trace

import (
	"fmt"
	"strings"

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

// Unshown are the things of a recording that are not shown, for its reader.
type Unshown struct{ parts []string }

// Add adds n of a kind, if there are any: the words for one, and for more.
func (u *Unshown) Add(n int64, one, more string) {
	switch {
	case n == 1:
		u.parts = append(u.parts, "1 "+one)
	case n > 1:
		u.parts = append(u.parts, fmt.Sprintf("%d %s", n, more))
	}
}

// Tell defines a warning of them, if there are any.
func (u *Unshown) Tell(define func(model.Change)) {
	if len(u.parts) > 0 {
		define(model.Warning{Text: "Not shown from the file: " + strings.Join(u.parts, ", ") + "."})
	}
}
