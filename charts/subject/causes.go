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
	shape string
	name  string
	color func(*assets.Theme) assets.Color
}

var causeMarks = [numCauses]causeMark{
	NotExplained:     {"▲", "not explained", func(th *assets.Theme) assets.Color { return th.Text2 }},
	CompiledShader:   {"◆", "compiled a shader", func(th *assets.Theme) assets.Color { return th.Pink }},
	CollectedGarbage: {"●", "collected garbage", func(th *assets.Theme) assets.Color { return th.Teal }},
	SavedState:       {"■", "saved", func(th *assets.Theme) assets.Color { return th.Amber }},
}

// Name says what happened, in the words of a tooltip.
func (c Cause) Name() string { return causeMarks[c].name }

// Color returns the colour of what the cause marks.
func (c Cause) Color(th *assets.Theme) draw.Color { return draw.Color(causeMarks[c].color(th)) }

// DrawMark draws the mark of a cause around a point, size px high.
func DrawMark(l *draw.List, th *assets.Theme, c Cause, x, y, size float32) {
	r := draw.Rect{X0: x - size, Y0: y - size, X1: x + size, Y1: y + size}
	l.TextIn(draw.Small, r, draw.Center, causeMarks[c].shape, c.Color(th))
}
