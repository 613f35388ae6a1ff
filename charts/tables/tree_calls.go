package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// The tree of collectors where there are no frames: the time inside each, callees included, in the selected range. What only groups others (a package, a kind of tracer) shows
// the sum of their own times, dimmed.

// treeCallColumns are those of the tree where there are no frames.
var treeCallColumns = []table.Column{
	{Title: "collector", Kind: table.ColumnText, Sortable: true, Least: 120},
	{Kind: table.ColumnBar, Width: 42, Drop: 1},
	{Title: "total", Kind: table.ColumnNumber, Width: 64, Sortable: true},
	{Title: "self", Kind: table.ColumnNumber, Width: 66, Drop: 3},
	{Title: "calls", Kind: table.ColumnNumber, Width: 58, Drop: 2},
	{Title: "mean", Kind: table.ColumnNumber, Width: 66, Drop: 4},
	{Title: "min", Kind: table.ColumnNumber, Width: 66, Drop: 7},
	{Title: "max", Kind: table.ColumnNumber, Width: 66, Drop: 5},
	{Title: "share", Kind: table.ColumnNumber, Width: 58, Drop: 6},
}

// setCalls switches between calls and frames.
func (t *CollectorTree) setCalls(on bool) {
	if t.calls == on {
		return
	}
	t.calls = on
	t.sortCol, t.sortDown = -1, false
	t.hereOf = hereKey{}
	t.foldRev++
}

// callNumbers gets the statistics of calls.
func (t *CollectorTree) callNumbers(key panel.RangeKey) {
	s, n := key.Session, key.Session.NumCollectors()
	if cap(t.callOf) < n {
		t.callOf = make([]int32, n, n+n/2)
	}
	t.callOf, t.timeOf, t.levelOf = t.callOf[:n], sized(t.timeOf, n), sized(t.levelOf, n)
	for i := range t.callOf {
		t.callOf[i] = -1
	}
	t.most = 0
	if to := (hereKey{s, key.Track}); to != t.hereOf {
		t.hereOf = to
		clear(t.here)
		all := key
		if b, e, ok := s.Bounds(); ok {
			all.T0, all.T1 = b, e+1
		}
		t.stats.read(all)
		t.called(n)
	}
	t.stats.read(key)
	t.called(n)
	for i := range t.stats.all {
		st := &t.stats.all[i]
		if st.Collector < 0 || int(st.Collector) >= n {
			continue
		}
		t.callOf[st.Collector] = int32(i)
		t.timeOf[st.Collector] = float64(st.TotalNs) / 1e9
		t.most = max(t.most, float64(st.TotalNs)/1e9)
	}
	// What has no calls of its own is worth what those below it spent themselves.
	for i := range t.stats.all {
		st := &t.stats.all[i]
		for c, guard := s.Collector(st.Collector).Parent, 0; c > 0 && int(c) < n && guard < 64; guard++ {
			if t.callOf[c] < 0 {
				t.timeOf[c] += float64(st.SelfNs) / 1e9
			}
			c = s.Collector(c).Parent
		}
	}
}

// called notes which collectors have calls on the track, and their ancestors.
func (t *CollectorTree) called(n int) {
	if len(t.here) < n {
		t.here = append(t.here, make([]bool, n-len(t.here))...)
	}
	for i := range t.stats.all {
		for c, guard := t.stats.all[i].Collector, 0; c >= 0 && int(c) < n && !t.here[c] && guard < 64; guard++ {
			t.here[c] = true
			t.foldRev++
			c = t.hereOf.session.Collector(c).Parent
		}
	}
}

// call returns the statistics of a collector in the range, nil without calls.
func (t *CollectorTree) call(c model.CollectorID) *model.SpanStat {
	if int(c) >= len(t.callOf) || t.callOf[c] < 0 {
		return nil
	}
	return &t.stats.all[t.callOf[c]]
}

// callCell is Cell for the numbers of calls.
func (t *CollectorTree) callCell(env *panel.Env, r *treeRow, col int, c *table.Cell) {
	st := t.call(r.collector)
	c.Color = draw.Color(env.Theme.Text2)
	if st == nil {
		ns := int64(t.timeOf[r.collector]*1e9 + 0.5)
		if col == 2 && ns > 0 {
			c.Buf = format.AppendDuration(c.Buf, ns)
			c.Color = draw.Color(env.Theme.TextDim)
		} else if col == 2 && !t.isHere(r.collector) {
			c.Buf = append(c.Buf, "–"...)
			c.Color = draw.Color(env.Theme.TextDim)
		}
		return
	}
	c.Buf = appendCall(c.Buf, st, callField(col-2), &t.stats)
}

// callField is a figure of calls.
type callField int

const (
	callTotal callField = iota
	callSelf
	callCount
	callMean
	callMin
	callMax
	callShare
)

// value returns the figure as a number to sort by.
func (f callField) value(st *model.SpanStat) float64 {
	switch f {
	case callSelf:
		return float64(st.SelfNs)
	case callCount:
		return float64(st.Calls)
	case callMean:
		return st.MeanNs
	case callMin:
		return float64(st.MinNs)
	case callMax:
		return float64(st.MaxNs)
	}
	return float64(st.TotalNs)
}

// appendCall appends the figure in words.
func appendCall(dst []byte, st *model.SpanStat, f callField, of *callStats) []byte {
	switch f {
	case callCount:
		return format.AppendCount(dst, st.Calls)
	case callShare:
		return format.AppendPercent(dst, of.share(st.TotalNs))
	}
	return format.AppendDuration(dst, int64(f.value(st)+0.5))
}

// callTip adds what is known of the calls of a collector.
func callTip(l *panel.TipLines, st *model.SpanStat, of *callStats) {
	line := func(name string, f callField) {
		l.Buf = append(l.Buf, name...)
		l.Buf = appendCall(append(l.Buf, '\t'), st, f, of)
		l.End()
	}
	line("calls", callCount)
	line("total", callTotal)
	line("self", callSelf)
	line("mean", callMean)
	line("shortest", callMin)
	line("longest", callMax)
	line("of the range", callShare)
}
