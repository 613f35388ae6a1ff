package tables

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
)

// The tree of collectors without frames: the time inside each, callees included, in the selected
// range. A mere group (a package, a kind of tracer) has no calls and so no total. Its net, the sum
// of the self times below it, orders the rows, and the tooltip has it.

// callTree is the tree with the statistics of calls.
type callTree struct {
	*CollectorTree
	cols, ofRuns measured.Columns[treeRow]
}

func (t *callTree) columns() []table.Column[treeRow] {
	if t.stats.runs {
		return t.ofRuns.All(t.base.Against != nil)
	}
	return t.cols.All(t.base.Against != nil)
}

func (t *callTree) key(env *panel.Env) (panel.RangeKey, bool) { return callKey(env) }

func (t *callTree) ready(env *panel.Env) bool { return callsReady(env) }

func (t *callTree) ranks() bool { return true }

// read gets the statistics of calls.
func (t *callTree) read(key panel.RangeKey, _ bool) {
	s, n := key.Session, key.Session.Collectors().Len()
	t.callOf, t.timeOf, t.levelOf = panel.Zeros(t.callOf, n), panel.Zeros(t.timeOf, n), panel.Zeros(t.levelOf, n)
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
	// A collector without calls gets the self time, or the time under way, of those below it.
	h := s.Collectors().Tree()
	t.below = panel.Zeros(t.below, len(h.All))
	for i := range t.stats.all {
		st := &t.stats.all[i]
		at := h.Slot(st.Collector)
		if at < 0 {
			continue
		}
		t.below[at] = float64(st.SelfNs) / 1e9
		if t.stats.async(st) {
			t.below[at] = float64(st.TotalNs) / 1e9
		}
	}
	for _, at := range slices.Backward(h.Order) { // those below come first
		if c := h.All[at].ID; c > 0 && int(c) < n && t.callOf[c] < 0 {
			t.timeOf[c] = t.below[at]
		}
		if up := h.Parents[at]; up >= 0 {
			t.below[up] += t.below[at]
		}
	}
}

// called notes which collectors have calls on the track, and their ancestors.
func (t *CollectorTree) called(n int) {
	if len(t.here) < n {
		t.here = append(t.here, make([]bool, n-len(t.here))...)
	}
	for i := range t.stats.all {
		for c := t.stats.all[i].Collector; c >= 0 && int(c) < n && !t.here[c]; c = t.hereOf.session.Collector(c).Parent {
			t.here[c] = true
			t.foldRev++
		}
	}
}

// call returns the statistics of a collector in the range, nil without calls.
func (t *CollectorTree) call(c model.CollectorID) *spans.Stat {
	if int(c) >= len(t.callOf) || t.callOf[c] < 0 {
		return nil
	}
	return &t.stats.all[t.callOf[c]]
}

// callOfRow is call for a row of the table.
func (t *CollectorTree) callOfRow(r *treeRow) *spans.Stat {
	if r.level {
		return nil
	}
	return t.call(r.collector)
}

// total describes the time inside a collector.
func (t *CollectorTree) total(env *panel.Env, r *treeRow, c *table.Cell) {
	if r.level {
		t.net(env, r, c)
		return
	}
	if t.call(r.collector) == nil {
		if c.Buf = c.Buf[:0]; t.timeOf[r.collector] == 0 && !t.isHere(r.collector) {
			c.Unknown(env)
		}
	}
}

func (t *callTree) tip(env *panel.Env, c model.CollectorID, l *panel.TipLines) {
	if st := t.call(c); st != nil {
		callTip(l, st, &t.stats)
	} else if ns := int64(t.timeOf[c]*1e9 + 0.5); ns > 0 {
		l.Text("net, by name: self times of all below\t").Duration(ns).End()
	} else {
		many := subject.CallWordsIn(env.View.Session()).Many
		l.Text("no ").Text(many).Text(" of it on this thread in this range").End()
	}
	l.Add(format.Pick(env.View.Look().Hidden(c), "Hidden; click the square to show it", "Click the square: hide"))
}
