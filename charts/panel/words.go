package panel

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/model/store"
)

// DrawWords writes the text of an empty panel, in the middle, one line or several ("\n"), as many
// as there is room for.
func DrawWords(l *draw.List, env *Env, r draw.Rect, words string) {
	words = finalWords(env, words)
	h := env.Px(18)
	most := max(1, int(r.H()/h))
	r.X0, r.X1 = r.X0+env.Px(8), r.X1-env.Px(8)
	var room [32]string // on the stack: while a range is dragged, panels without rows are drawn in each tick
	lines := room[:0]
	first := 0 // lines of the first paragraph
	for more := true; more; {
		var par string
		par, words, more = strings.Cut(words, "\n")
		before := len(lines)
		if lines = appendWrapped(lines, env.Atlas, draw.Regular, par, r.W()); first == 0 {
			first = len(lines)
		} else if len(lines) > most {
			lines = lines[:before]
			break
		}
	}
	lines = lines[:min(len(lines), most)]
	y := float32(int((r.Y0 + r.Y1 - h*float32(len(lines))) / 2))
	for i, line := range lines {
		color := draw.Color(format.Pick(i >= first, env.Theme.TextDim, env.Theme.Text2))
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + h}, draw.Center, line, color)
		y += h
	}
}

// Building is the text of a panel that waits for its content.
const Building = "Building…"

// finalWords puts words on data that may still come into the past once the session has ended, or
// says that the data left memory, and how to get it back.
func finalWords(env *Env, words string) string {
	for _, w := range [...]string{NoData, NoFrame} {
		if head, ok := strings.CutSuffix(words, w); ok {
			why, advice := nothingHere(env, w)
			if advice != "" {
				advice = "\n" + advice
			}
			return head + why + advice
		}
	}
	return words
}

// NothingLine explains in a line why the shown thread has no frame; while one may still come, it
// returns waiting.
func NothingLine(env *Env, waiting string) string {
	switch why, advice := nothingHere(env, NoFrame); {
	case why == NoFrame:
		return waiting
	case advice != "":
		return why + " " + advice
	default:
		return why
	}
}

// nothingHere is the one rule for empty places: it returns NoData or NoFrame, or the true reason
// instead, and advice.
func nothingHere(env *Env, waiting string) (why, advice string) {
	v := env.View
	if v == nil || v.None() {
		return waiting, ""
	}
	s := v.Session()
	t := s.Track(v.Track())
	some := t != nil && t.NumFrames() > 0
	switch {
	case t != nil && t.Evicted() > 0 && (!some || waiting == NoFrame && v.Playhead() < t.Frame(0).Begin):
		return noFrameHere, leftAdvice(env)
	case !some && allLeft(s):
		return noDataHere, leftAdvice(env)
	case t != nil && waiting == NoFrame && some:
		return noFrameNow, ""
	case t != nil && waiting == NoFrame && droppedSome(s):
		return noFrameKept, ""
	}
	if _, ended := s.Ended(); !ended {
		return waiting, ""
	}
	if waiting == NoFrame && t != nil {
		return noFrameEver, ""
	}
	return noDataEver, ""
}

// allLeft reports whether a session received data, and none of it is in memory.
func allLeft(s *store.Session) bool {
	_, _, some := s.Bounds()
	return !some && s.Ledger().Evicted > 0
}

// leftAdvice explains how to get back data that left memory.
func leftAdvice(env *Env) string {
	return format.Pick(env.Kept, "It is on disk: "+KeyOfLeft+" opens it.", NotKept)
}

// KeyOfLeft opens data that left memory from disk. NotKept is the advice if it is not there.
const (
	KeyOfLeft = "Ctrl+Shift+E"
	NotKept   = "A higher memory limit holds more (--memory, Settings); a recording on disk keeps everything."
)

// The texts of panels for data that may still come, and those for data that came and left, or for an
// ended session.
const (
	NoData, noDataEver   = "Nothing was received yet.", "None of it was received."
	NoFrame, noFrameEver = "Waiting for the first frame of this thread.", "No frame of this thread was received."
	// of a session that received something
	noDataHere = "All that was received has left memory."
	// of a thread that had some
	noFrameHere = "Its frames of this time are not in memory any more."
	noFrameNow  = "There is no frame of this thread at this time."
	// of a thread without any, in a session with frames that we dropped
	noFrameKept = "No frame of this thread was kept: the viewer dropped some of the session."
)

// droppedSome reports whether frames of a session were received but not kept.
func droppedSome(s *store.Session) bool { return s.Ledger().Ours > 0 }
