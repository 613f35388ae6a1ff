package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
)

// Cause is what made a frame stand out. What is known of none is not explained.
type Cause uint8

// The causes that have a mark of their own.
const (
	NotExplained Cause = iota
	CompiledShader
	CollectedGarbage
	SavedState
	numCauses
)

// causeMark is how a cause looks wherever frames that stand out are marked: shapes differ, so that
// no mark is told by its colour alone.
type causeMark struct {
	shape       string
	name        string
	dark, light draw.Color
}

var causeMarks = [numCauses]causeMark{
	NotExplained:     {"▲", "not explained", draw.RGB(154, 157, 164), draw.RGB(93, 96, 103)},
	CompiledShader:   {"◆", "compiled a shader", draw.RGB(216, 140, 182), draw.RGB(176, 70, 130)},
	CollectedGarbage: {"●", "collected garbage", draw.RGB(76, 190, 180), draw.RGB(0, 128, 118)},
	SavedState:       {"■", "saved", draw.RGB(205, 172, 92), draw.RGB(140, 104, 0)},
}

// Name says what happened, in the words of a tooltip.
func (c Cause) Name() string { return causeMarks[c].name }

// Color returns the colour of what the cause marks.
func (c Cause) Color(th *assets.Theme) draw.Color {
	if isDark(th) {
		return causeMarks[c].dark
	}
	return causeMarks[c].light
}

// DrawMark draws the mark of a cause around a point, size px high.
func DrawMark(l *draw.List, th *assets.Theme, c Cause, x, y, size float32) {
	r := draw.Rect{X0: x - size, Y0: y - size, X1: x + size, Y1: y + size}
	l.TextIn(draw.Small, r, draw.Center, causeMarks[c].shape, c.Color(th))
}
