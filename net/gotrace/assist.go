package gotrace

import exptrace "golang.org/x/exp/trace"

// assistName is what a goroutine does that allocates faster than the collector marks: it has to
// help. It lies inside the region that allocates, and is shown there.
const assistName = "GC mark assist"

// assisting takes the begin or the end of a goroutine's help. Begins come again with each generation.
func (d *decoder) assisting(id exptrace.GoID, begins, active bool) {
	g := d.goroutineOf(id)
	switch {
	case begins && g.assist == 0:
		at := d.now
		if n := len(g.marks); active && n == 0 {
			at = max(d.sync, d.flushed)
		}
		g.depth++
		g.assist = g.depth
		g.marks = append(g.marks, mark{at, d.collector(assistName), opens})
	case !begins && g.inAssist():
		d.assistEnd(g)
	case !begins && g.depth == 0:
		d.orphan(g, assistName, d.collector(assistName))
	}
}

func (g *goroutine) inAssist() bool { return g.assist > 0 && g.assist == g.depth }

func (d *decoder) assistEnd(g *goroutine) {
	g.assist = 0
	g.depth--
	g.marks = append(g.marks, mark{d.now, d.collector(assistName), closes})
}
