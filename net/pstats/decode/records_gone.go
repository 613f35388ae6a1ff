package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"framescope/model"
	"framescope/net/pstats"
)

// gone counts the numbers before the first frames of threads: those of frames that are not on disk any more, and of
// frames that were never received.
type gone struct {
	first   map[uint16]*numbers // of threads without a frame so far; nil of others
	numbers int64
	frames  int64 // that were received
	begun   bool
}

// records takes records that are missing.
func (g *gone) records(n int64) {
	if !g.begun {
		g.frames = model.AddSat(g.frames, n)
	}
}

// define takes the numbers of a thread.
func (g *gone) define(word string, text []byte) error {
	var n numbers
	thread, err := strconv.ParseUint(word, 10, 16)
	if err := errors.Join(err, json.Unmarshal(text, &n)); err != nil {
		return err
	}
	if n.Before < 0 {
		return errors.New("a negative number of frames")
	}
	if was, ok := g.first[uint16(thread)]; !ok || was != nil {
		if g.first == nil {
			g.first = map[uint16]*numbers{}
		}
		g.first[uint16(thread)] = &n
	}
	return nil
}

// frame takes a frame.
func (g *gone) frame(thread uint16, number uint32) {
	g.begun = true
	if n := g.first[thread]; n != nil {
		g.numbers = model.AddSat(g.numbers, n.Before+max(0, int64(number)-int64(n.First)))
		g.first[thread] = nil
	}
}

// tell tells of numbers that never came.
func (g *gone) tell(h pstats.Handler) {
	if n := g.numbers - g.frames; n > 0 && g.frames > 0 {
		h.Lost(model.Loss{
			Reason: model.LossNumbers, Track: model.NoTrack, N: n,
			Detail: fmt.Sprintf("%d frames before the oldest on disk were never received", n),
		})
	}
}
