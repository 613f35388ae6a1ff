package store

import (
	"fmt"
	"slices"
	"time"

	"framescope/model"
)

// gapLine is the line of losses for all gaps between the traces of a program. They come every second,
// and would push out all other lines.
type gapLine struct {
	n, ns int64
	first model.Loss
	line  string // as it stands among the lines; empty: it does not
}

// replace takes a gap, and the line out of those of losses. It returns the one that stands for all gaps.
func (g *gapLine) replace(lines []string, l *model.Loss) (rest []string, line string) {
	if g.n == 0 {
		g.first = *l
	}
	g.n, g.ns = model.AddSat(g.n, l.N), model.AddSat(g.ns, max(l.End-l.Begin, 0))
	if i := slices.Index(lines, g.line); i >= 0 && g.line != "" {
		lines = slices.Delete(lines, i, i+1)
	}
	if g.line = l.Line(); g.n > 1 {
		all := g.first
		all.End = l.End
		all.Detail = fmt.Sprintf("%s: %d times, %s in all", l.Detail, g.n, time.Duration(g.ns).Round(time.Millisecond))
		g.line = all.Line()
	}
	return lines, g.line
}
