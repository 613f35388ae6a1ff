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

// NameLeast is how wide a name is shown, at scale 1, before a number beside it leaves.
const NameLeast = 96

// RoomBeside reports whether something that takes pxWidth, its gap included, may stand beside a name
// in pxRoom: the name comes first, and is whole or has NameLeast.
func RoomBeside(env *Env, f draw.Face, name string, pxRoom, pxWidth float32) bool {
	left := pxRoom - pxWidth
	return left >= env.Px(NameLeast) || left >= env.Atlas.Measure(f, name)
}

// LabelGrid knows which parts of a plot have text or boxes on them, in cells of a few pixels, so
// that a place for a label is found without comparing it with every other one.
type LabelGrid struct {
	plot  draw.Rect
	cell  float32
	w, h  int
	taken []uint64
}

// Reset clears the grid for a plot.
func (g *LabelGrid) Reset(plot draw.Rect, cell float32) {
	g.plot, g.cell = plot, max(cell, 2)
	g.w, g.h = int(plot.W()/g.cell)+1, int(plot.H()/g.cell)+1
	n := (g.w*g.h + 63) / 64
	if cap(g.taken) < n {
		g.taken = make([]uint64, n)
	}
	g.taken = g.taken[:n]
	clear(g.taken)
}

// cells returns the range of cells that a rectangle touches; ok is false when none.
func (g *LabelGrid) cells(r draw.Rect) (x0, y0, x1, y1 int, ok bool) {
	r = r.Intersect(g.plot)
	if r.Empty() {
		return
	}
	x0, y0 = int((r.X0-g.plot.X0)/g.cell), int((r.Y0-g.plot.Y0)/g.cell)
	x1, y1 = min(int((r.X1-g.plot.X0-0.01)/g.cell), g.w-1), min(int((r.Y1-g.plot.Y0-0.01)/g.cell), g.h-1)
	return x0, y0, x1, y1, true
}

// Take marks a rectangle as taken.
func (g *LabelGrid) Take(r draw.Rect) {
	x0, y0, x1, y1, ok := g.cells(r)
	if !ok {
		return
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := y*g.w + x
			g.taken[i/64] |= 1 << (i % 64)
		}
	}
}

// Free reports whether a rectangle lies in the plot and nothing has taken any of it.
func (g *LabelGrid) Free(r draw.Rect) bool {
	if r.X0 < g.plot.X0 || r.Y0 < g.plot.Y0 || r.X1 > g.plot.X1 || r.Y1 > g.plot.Y1 {
		return false
	}
	x0, y0, x1, y1, ok := g.cells(r)
	if !ok {
		return false
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := y*g.w + x
			if g.taken[i/64]&(1<<(i%64)) != 0 {
				return false
			}
		}
	}
	return true
}
