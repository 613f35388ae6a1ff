package trace

import (
	"fmt"

	"framescope/model"
)

// TallyGaps are the unreadable stretches between readable parts of a recording. The zero value has none.
type TallyGaps struct {
	Tally
	Bytes int64  // in all of them
	Why   string // reason and place of the first
}

// Gap counts one of so many bytes.
func (g *TallyGaps) Gap(at, bytes int64, why string) {
	if g.N == 0 {
		g.Why = why
	}
	g.Add(at)
	g.Bytes += bytes
}

// Words say where the first is and why, and how much is missing.
func (g *TallyGaps) Words() string {
	unit := "bytes"
	if g.Bytes == 1 {
		unit = "byte"
	}
	return fmt.Sprintf("%s; what can't be read is left out, %d %s in all", g.Why, g.Bytes, unit)
}

// Tell defines them as a loss of the recording, if there are any.
func (g *TallyGaps) Tell(define func(model.Change)) {
	if g.N > 0 {
		define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: g.N, Detail: g.Words()})
	}
}
