package tables

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

// maxTraceRows bounds how many frames of a trace are shown.
const maxTraceRows = 200

// refTable is the source of the table of an object's reference history: its creation, then
// references taken and not released, then the rest in order of time. Each row has its trace folded
// to a line, and unfolds to all frames.
type refTable struct {
	table.List[refRow]
	owner   *LeaksPanel
	columns []table.Column[refRow]

	session   *store.Session
	resource  model.ResourceID
	events    []model.RefEvent
	partner   []int32
	unmatched int   // references without an unref
	strays    int   // unrefs without a reference
	missing   int64 // steps in the counts but not in the log
	open      map[int32]bool
	matched   uint64 // changes with events and partner
	first     int64
	last      int64
	most      int64
}

// refRow is a row: a heading, the making of the object, an event, or a frame of the trace of the
// row above.
type refRow struct {
	kind  refRowKind
	event int32 // index into events, -1 for the making
	frame int32
}

type refRowKind uint8

const (
	refHeading refRowKind = iota // event: 0 the unmatched ones, 1 all others
	refEvent
	refFrame
)

// newRefTable returns the source.
func newRefTable(owner *LeaksPanel) *refTable {
	t := &refTable{owner: owner, resource: noResource}
	event := func(cell func(env *panel.Env, e *model.RefEvent, r *refRow, c *table.Cell)) func(*panel.Env, *refRow, *table.Cell) {
		return func(env *panel.Env, r *refRow, c *table.Cell) {
			if r.kind == refEvent && r.event >= 0 {
				cell(env, &t.events[r.event], r, c)
			}
		}
	}
	t.columns = []table.Column[refRow]{
		{ID: "step", Title: "reference history", Cell: t.step},
		{
			ID: "time", Title: "time", Kind: table.Number, Width: 84, Quiet: true,
			Cell: event(func(_ *panel.Env, e *model.RefEvent, _ *refRow, c *table.Cell) {
				c.Buf = format.AppendClock(c.Buf, e.Time, 1e3)
			}),
		},
		{
			ID: "held", Title: "held", Kind: table.Number, Width: 66, Drop: 1, Quiet: true,
			Cell: event(func(_ *panel.Env, e *model.RefEvent, r *refRow, c *table.Cell) {
				if other := t.partner[r.event]; e.Ref && other >= 0 {
					c.Buf = format.AppendDuration(c.Buf, t.events[other].Time-e.Time)
				}
			}),
		},
		{
			ID: "count", Title: "count", Kind: table.Number, Width: 46,
			Cell: event(func(_ *panel.Env, e *model.RefEvent, _ *refRow, c *table.Cell) {
				c.Buf = format.AppendCount(c.Buf, e.Count)
			}),
		},
	}
	return t
}

// Columns implements table.Source.
func (t *refTable) Columns() []table.Column[refRow] { return t.columns }

// Empty implements table.Source.
func (t *refTable) Empty(bool) string {
	return "No history of references was recorded.\nGST_TRACERS=\"leaks(check-refs=true,stack-traces-flags=full)\""
}

// Rows implements table.Source.
func (t *refTable) Rows(env *panel.Env) (n int, revision uint64) {
	s := env.View.Session()
	if s != t.owner.session || t.owner.object() == nil {
		t.events, t.All, t.resource, t.session = nil, t.All[:0], noResource, nil
		return 0, t.Revision
	}
	if s != t.session || t.resource != t.owner.Selected {
		t.session, t.resource = s, t.owner.Selected
		t.Fresh.Done = false
		t.open, t.events = map[int32]bool{}, nil
	}
	if t.Fresh.Due(env, panel.RangeKey{Session: s, Revision: s.DefsRevision(), Live: env.View.Live()}) {
		if events := s.Topology().RefEvents(t.resource); len(events) != len(t.events) || len(events) == 0 {
			t.events = events
			t.match()
		}
		t.flatten()
	}
	return t.Listed()
}

// match pairs the events and finds the bounds of the curve.
func (t *refTable) match() {
	t.matched++
	t.partner = matchRefs(t.events)
	t.unmatched, t.strays, t.most, t.missing = 0, 0, 0, 0
	for i := range t.events {
		e := &t.events[i]
		if i == 0 || e.Time < t.first {
			t.first = e.Time
		}
		if i == 0 || e.Time > t.last {
			t.last = e.Time
		}
		t.most = max(t.most, e.Count)
		if i > 0 {
			change := e.Count - t.events[i-1].Count
			if e.Ref {
				change--
			} else {
				change++
			}
			t.missing += min(max(change, -change), 1<<32)
		}
		if t.partner[i] < 0 {
			if e.Ref {
				t.unmatched++
			} else {
				t.strays++
			}
		}
	}
}

// flatten makes the rows.
func (t *refTable) flatten() {
	t.Revision++
	t.All = t.All[:0]
	if t.madeTrace() != "" {
		t.add(-1)
	}
	if len(t.events) == 0 {
		return
	}
	t.All = append(t.All, refRow{kind: refHeading, event: 0})
	for i := range t.events {
		if t.events[i].Ref && t.partner[i] < 0 {
			t.add(int32(i))
		}
	}
	if len(t.events) > t.unmatched {
		t.All = append(t.All, refRow{kind: refHeading, event: 1})
	}
	for i := range t.events {
		if !t.events[i].Ref || t.partner[i] >= 0 {
			t.add(int32(i))
		}
	}
}

// add adds the row of an event, and those of its frames when it is unfolded.
func (t *refTable) add(event int32) {
	t.All = append(t.All, refRow{kind: refEvent, event: event})
	if t.open[event] {
		for k := range numFrames(t.traceOf(event), maxTraceRows) {
			t.All = append(t.All, refRow{kind: refFrame, event: event, frame: int32(k)})
		}
	}
}

// madeTrace is the trace of the making of the object.
func (t *refTable) madeTrace() string {
	return t.session.Topology().Resources()[t.resource].Trace
}

func (t *refTable) traceOf(event int32) string {
	if event < 0 {
		return t.madeTrace()
	}
	return t.events[event].Trace
}

// step describes the first cell of a row.
func (t *refTable) step(env *panel.Env, r *refRow, c *table.Cell) {
	switch {
	case r.kind == refHeading:
		t.heading(env, r, c)
	case r.kind == refFrame:
		describeFrame(env, frameAt(t.traceOf(r.event), int(r.frame)), c)
	case r.event < 0:
		c.Buf = appendTraceLine(append(c.Buf, "made in "...), t.madeTrace())
		c.Fold, c.Wide = t.foldOf(r.event), true
	default:
		t.event(env, r, c)
	}
}

// heading describes the line above the steps without a partner, or above the others.
func (t *refTable) heading(env *panel.Env, r *refRow, c *table.Cell) {
	th := env.Theme
	c.Wide = true
	if r.event > 0 {
		c.Buf = format.AppendCount(append(c.Buf, "the other "...), int64(len(t.events)-t.unmatched))
		c.Buf = append(c.Buf, " steps"...)
		c.Color = draw.Color(th.TextDim)
		return
	}
	c.Buf = format.AppendCount(c.Buf, int64(t.unmatched))
	c.Buf = append(c.Buf, " taken and not released"...)
	if t.unmatched == 0 {
		c.Buf = append(c.Buf[:0], "all references taken were released"...)
		o := &t.session.Topology().Resources()[t.resource]
		kept := o.Fate == model.ResourceLeaked || o.Fate == model.ResourceAlive
		if kept && t.strays == 0 && t.missing == 0 {
			c.Buf = append(c.Buf, "; that of its making was not"...)
		}
	}
	if t.strays > 0 {
		c.Buf = format.AppendCount(append(c.Buf, " · "...), int64(t.strays))
		c.Buf = append(c.Buf, " released that were taken before"...)
	}
	c.Color = draw.Color(th.Text2)
	if t.missing > 0 {
		c.Buf = format.AppendCount(append(c.Buf, " · "...), t.missing)
		c.Buf = append(c.Buf, " steps not recorded"...)
		c.Color = draw.Color(th.Over)
	}
}

// describeFrame describes a frame of a trace.
func describeFrame(env *panel.Env, f traceFrame, c *table.Cell) {
	c.Depth, c.Wide, c.Color = 3, true, draw.Color(env.Theme.Text2)
	c.Buf = append(c.Buf, format.ClipName(f.function)...)
	if f.place != "" {
		c.Buf = append(append(c.Buf, "  "...), f.place[:min(len(f.place), 120)]...)
	}
	if f.plumbing() || f.unnamed() {
		c.Color = draw.Color(env.Theme.TextDim)
	}
}

// event describes a reference that was taken or given up.
func (t *refTable) event(env *panel.Env, r *refRow, c *table.Cell) {
	e := &t.events[r.event]
	sign, color := "− ", env.Theme.Text2
	switch {
	case e.Ref && t.partner[r.event] < 0:
		sign, color = "+ ", env.Theme.Bad
	case e.Ref:
		sign, color = "+ ", env.Theme.Text
	}
	c.Buf = appendTraceLine(append(c.Buf, sign...), e.Trace)
	c.Color = draw.Color(color)
	if c.Fold = t.foldOf(r.event); c.Fold == table.FoldNone {
		c.Depth = 1
	}
}

func (t *refTable) foldOf(event int32) table.Fold {
	if t.traceOf(event) == "" {
		return table.FoldNone
	}
	return table.FoldOf(t.open[event])
}

// Row implements table.Describer.
func (t *refTable) Row(_ *panel.Env, r *refRow) table.RowInfo {
	lit := false
	if at := t.owner.hoverEvent; r.kind == refEvent && at >= 0 && r.event >= 0 {
		lit = r.event == at || t.partner[r.event] == at
	}
	return table.RowInfo{Lit: lit, Hit: rowHit()}
}

// Click implements table.Clicker.
func (t *refTable) Click(_ *panel.Env, r *refRow, in *panel.Input) panel.Action {
	if r.kind == refEvent && !in.DoubleClick && t.traceOf(r.event) != "" {
		t.open[r.event] = !t.open[r.event]
		t.flatten()
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *refTable) Tip(_ *panel.Env, r *refRow, l *panel.TipLines) {
	switch {
	case r.kind == refFrame:
		f := frameAt(t.traceOf(r.event), int(r.frame))
		l.Text(format.ClipName(f.function)).End()
		l.If(f.place != "").Text(f.place[:min(len(f.place), 200)]).End()
	case r.kind == refEvent && r.event >= 0:
		t.tipEvent(l, r.event)
	}
}

// tipEvent adds the lines for one step.
func (t *refTable) tipEvent(l *panel.TipLines, event int32) {
	e := &t.events[event]
	l.Add(format.Pick(e.Ref, "reference taken", "reference released"))
	l.With(appendTraceLine(append(l.Buf, "in "...), e.Trace)).End()
	l.Text("time\t").Clock(e.Time).End()
	l.Text("references after it\t").Count(e.Count).End()
	switch other := t.partner[event]; {
	case other < 0 && e.Ref:
		l.Text("never released").End()
	case other < 0:
		l.Text("nothing is known of its taking").End()
	case e.Ref:
		l.Text("released after\t").Duration(t.events[other].Time - e.Time).End()
	default:
		l.Text("had been held for\t").Duration(e.Time - t.events[other].Time).End()
	}
}

// rowOf returns the row of an event, -1 for none.
func (t *refTable) rowOf(event int32) int {
	return slices.IndexFunc(t.All, func(r refRow) bool { return r.kind == refEvent && r.event == event })
}
