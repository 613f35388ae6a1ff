package panel

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model/store"
)

// DrawWords writes what an empty panel has to say, in the middle, one line or several ("\n"),
// as many as there is room for.
func DrawWords(l *draw.List, env *Env, r draw.Rect, words string) {
	words = finalWords(env.View, words)
	lines := 1
	for i := 0; i < len(words); i++ {
		if words[i] == '\n' {
			lines++
		}
	}
	h := env.Px(18)
	lines = max(1, min(lines, int(r.H()/h))) // the last ones say least
	y := float32(int((r.Y0 + r.Y1 - h*float32(lines)) / 2))
	color := draw.Color(env.Theme.Text2)
	for ; len(words) > 0 && lines > 0; lines-- {
		line := words
		words = ""
		for i := 0; i < len(line); i++ {
			if line[i] == '\n' {
				line, words = line[:i], line[i+1:]
				break
			}
		}
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0 + env.Px(8), Y0: y, X1: r.X1 - env.Px(8), Y1: y + h}, draw.Center, line, color)
		color = draw.Color(env.Theme.TextDim)
		y += h
	}
}

// finalWords puts what is said of data that may still come into the past once the session has
// ended.
func finalWords(v *view.View, words string) string {
	if v == nil || v.Session() == nil {
		return words
	}
	for _, w := range [...][2]string{{NoData, noDataEver}, {NoFrame, noFrameEver}} {
		if head, ok := strings.CutSuffix(words, w[0]); ok {
			if t := v.Session().Track(v.Track()); w[0] == NoFrame && t != nil {
				switch some := t.NumFrames() > 0; {
				case t.Evicted() > 0 && (!some || v.Playhead() < t.Frame(0).Begin):
					return head + noFrameHere
				case some:
					return head + noFrameNow
				case droppedSome(v.Session()):
					return head + noFrameKept
				}
			}
			if _, ended := v.Session().Ended(); ended {
				return head + w[1]
			}
		}
	}
	return words
}

// What panels say of data that may still come, and what they say instead when the session has
// ended.
const (
	NoData, noDataEver   = "Nothing was received yet.", "Nothing of it was received."
	NoFrame, noFrameEver = "Waiting for the first frame of this thread.", "No frame of this thread was received."
	// of a thread of which there were some
	noFrameHere = "Its frames of this time are not in memory any more."
	noFrameNow  = "There is no frame of this thread at this time."
	// of a thread of which there is none, in a session of which we dropped some
	noFrameKept = "No frame of this thread was kept: some of the session were dropped by us."
)

// droppedSome tells whether frames of a session were received but not kept.
func droppedSome(s *store.Session) bool { return s.Ledger().Ours > 0 }
