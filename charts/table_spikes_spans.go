package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// The list of spikes where there are no frames: the longest spans of the chosen collector on the
// view's track, or while none is chosen those of one row (model.Session.SpikeRow).

var spikeSpanColumns = []Column{
	{Title: "span", Kind: ColumnText, Least: 110},
	{Title: "took", Kind: ColumnNumber, Width: 76},
	{Title: "at", Kind: ColumnNumber, Width: 84, Drop: 1},
}

// prepareSpans is Prepare where there are no frames.
func (t *SpikeTable) prepareSpans(env *Env) (rows int, revision uint64) {
	v := env.View
	key, ok := callKey(env)
	if !ok || v.Shown() == nil {
		t.spans = t.spans[:0]
		t.fresh.done = false
		return 0, t.revision
	}
	key.extra = uint64(int64(v.Collector())) + 1
	if of := &t.fresh.key; of.session != key.session || of.track != key.track {
		t.spans = t.spans[:0] // those of another thread are none of this one's, also while this one's are made ready
	}
	if callsReady(env) && t.fresh.due(env, key) {
		t.spans, t.row = key.session.SpikeSpans(key.track, v.Collector(), key.t0, key.t1, spikeRows, t.spans[:0])
		t.revision++
	}
	return len(t.spans), t.revision
}

func (t *SpikeTable) emptySpans() string { return "The longest spans.\nThis thread has none here." }

func (t *SpikeTable) spanCell(env *Env, row, col int, c *Cell) {
	b := &t.spans[row]
	v := env.View
	switch col {
	case 0:
		c.Text = v.Session().Collector(b.Collector).Name
		c.Swatch, c.Hollow = v.Palette().Fill(b.Collector), v.Hidden(b.Collector)
	case 1:
		c.Buf = appendSpanLength(c.Buf, b)
	case 2:
		c.Buf = AppendClock(c.Buf, b.Begin, max((b.End-b.Begin)/10, 1_000))
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// appendSpanLength appends how long a span took; "≥" where an end of it is not known.
func appendSpanLength(dst []byte, b *model.Bar) []byte {
	if b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		dst = append(dst, "≥ "...)
	}
	return AppendDuration(dst, b.End-b.Begin)
}

// Words tells what the rows are, where there are no frames: "row 5", or the name of the collector;
// nothing elsewhere.
func (t *SpikeTable) Words(env *Env) string {
	switch {
	case !t.unframed || len(t.spans) == 0 || env.View.Session() != t.fresh.key.session:
		return ""
	case t.row < 0:
		return env.View.Session().Collector(t.spans[0].Collector).Name
	}
	var buf [24]byte
	return t.words.set(AppendCount(append(buf[:0], "row "...), int64(t.row+1)))
}

// spanTip adds what is known of a span.
func (t *SpikeTable) spanTip(env *Env, row int, l *tipLines) {
	b := &t.spans[row]
	s := env.View.Session()
	l.add(fullName(s.Collector(b.Collector)))
	l.buf = appendSpanLength(append(l.buf, "took\t"...), b)
	l.end()
	l.text("begins\t").clock(b.Begin).end()
	if b.Flags&model.SpanUncertain != 0 {
		l.text("ends known to\t± ").duration(s.Info().Clock.Step(b.End)).end()
	}
	l.add("click: go there")
}
