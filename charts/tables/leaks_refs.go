package tables

import (
	"strings"

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
	event := func(cell func(env *panel.Env, e *model.RefEvent, r *refRow, c *table.Cell)) func(*panel.Env, *refRow,
		*table.Cell) {
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

// match pairs the events, and counts what does not go together.
func (t *refTable) match() {
	t.partner = matchRefs(t.events)
	t.unmatched, t.strays, t.missing = 0, 0, 0
	for i := range t.events {
		e := &t.events[i]
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
	if at := t.owner.refs.Hovered(); at >= 0 && at < len(t.All) && r.kind == refEvent && r.event >= 0 &&
		t.All[at].kind == refEvent {
		lit = t.All[at].event >= 0 && t.partner[r.event] == t.All[at].event
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

// matchRefs finds for each event of a reference history its partner: for a reference taken the
// event that gave it up, and the other way round; -1 without one. References without a partner keep
// an object alive.
//
// The log does not say which reference an unref gives up, so this is a rule, not a fact. Code
// mostly gives up a reference in the function that took it, the latest one first; so each function
// that takes references has a stack, and an unref in a function pops the stack of that function.
// The remaining unrefs belong to references that were handed on: they give up the latest one, taken
// before them, that no function gave up itself. Without traces, or with nameless functions, only
// the second part works, and the pairs nest like brackets.
func matchRefs(events []model.RefEvent) (partner []int32) {
	for range events {
		partner = append(partner, -1)
	}
	pair := func(open []int32, i int) []int32 {
		if events[i].Ref {
			return append(open, int32(i))
		}
		n := len(open)
		if n == 0 {
			return open
		}
		partner[i], partner[open[n-1]] = open[n-1], int32(i)
		return open[:n-1]
	}
	stacks := map[string][]int32{}
	for i := range events {
		if head := traceHead(events[i].Trace); head != "" {
			stacks[head] = pair(stacks[head], i)
		}
	}
	var open []int32
	for i := range events {
		if partner[i] < 0 {
			open = pair(open, i)
		}
	}
	return partner
}

// traceFrame is one line of a stack trace: "gst_pad_new (gstpad.c:412)", "??
// (/usr/lib/libgstbase-1.0.so.0:0x7f13)".
type traceFrame struct{ function, place string }

// parseFrame parts a line of a trace.
func parseFrame(line string) traceFrame {
	line = strings.TrimSpace(line)
	if i := strings.LastIndex(line, " ("); i >= 0 && strings.HasSuffix(line, ")") {
		return traceFrame{line[:i], line[i+2 : len(line)-1]}
	}
	return traceFrame{function: line}
}

// nextFrame returns the first frame of a trace and the rest; it skips empty lines.
func nextFrame(trace string) (f traceFrame, rest string, ok bool) {
	for len(trace) > 0 {
		var line string
		line, trace, _ = strings.Cut(trace, "\n")
		if f = parseFrame(line); f.function != "" {
			return f, trace, true
		}
	}
	return traceFrame{}, "", false
}

// unnamed reports whether the function of a frame is not known.
func (f traceFrame) unnamed() bool { return f.function == "??" }

// library returns the name of the library that a frame is in, without folders and version, or the
// file: "libgstbase-1.0".
func (f traceFrame) library() string {
	place := f.place
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		place = place[:i]
	}
	place = place[strings.LastIndexAny(place, `/\`)+1:]
	if i := strings.Index(place, ".so"); i > 0 {
		place = place[:i]
	}
	return place
}

// plumbing reports whether a frame belongs to the tracer, or to the functions that take, give up or
// make every reference: it does not identify the caller.
func (f traceFrame) plumbing() bool {
	if strings.Contains(f.place, "gstcoretracers") || strings.Contains(f.place, "gstleaks") {
		return true
	}
	switch name := f.function; name {
	case "gst_debug_get_stack_trace", "gst_object_ref", "gst_object_unref", "gst_object_ref_sink", "gst_object_replace",
		"gst_mini_object_ref", "gst_mini_object_unref",
		"g_object_ref", "g_object_unref", "g_object_ref_sink", "g_type_create_instance", "gst_clear_object":
		return true
	default:
		return strings.HasPrefix(name, "g_object_new") || strings.HasPrefix(name, "gst_tracer_")
	}
}

// traceHead returns the function that a reference was taken or given up in: the first frame of a
// trace that is no plumbing; nothing when its name is not known.
func traceHead(trace string) string {
	for f, rest, ok := nextFrame(trace); ok; f, rest, ok = nextFrame(rest) {
		switch {
		case f.plumbing():
		case f.unnamed():
			return ""
		default:
			return f.function
		}
	}
	return ""
}

// appendTraceLine appends a trace folded to a line: the functions from the innermost out, without
// plumbing and nameless ones, at most four.
func appendTraceLine(dst []byte, trace string) []byte {
	n, library := 0, ""
	for n < 4 {
		f, rest, ok := nextFrame(trace)
		if !ok {
			break
		}
		trace = rest
		if f.plumbing() {
			continue
		}
		if f.unnamed() {
			if n == 0 && library == "" {
				library = f.library()
			}
			continue
		}
		if n > 0 {
			dst = append(dst, " ‹ "...)
		}
		dst = append(dst, format.ClipName(f.function)...)
		n++
	}
	if n == 0 {
		if library == "" {
			return append(dst, "no trace"...)
		}
		dst = append(append(dst, "somewhere in "...), format.ClipName(library)...)
	}
	return dst
}

// numFrames returns the number of frames of a trace, at most limit.
func numFrames(trace string, limit int) (n int) {
	for _, rest, ok := nextFrame(trace); ok && n < limit; _, rest, ok = nextFrame(rest) {
		n++
	}
	return n
}

// frameAt returns the frame with an index.
func frameAt(trace string, index int) (f traceFrame) {
	for range index + 1 {
		f, trace, _ = nextFrame(trace)
	}
	return f
}
