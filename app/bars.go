package app

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// bars are the parts around the panes.
type bars struct {
	top    Toolbar
	status statusLine
	tip    panel.Tooltip
	tipped *draw.List // nil: there is no tooltip
	title  string     // of the window
}
