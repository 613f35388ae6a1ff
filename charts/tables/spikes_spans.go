package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// The list of spikes where there are no frames: the longest spans of the chosen collector on the
// view's track, or while none is chosen those of one row (model.Session.SpikeRow).

var spikeSpanColumns = []table.Column{
	{Title: "span", Kind: table.ColumnText, Least: 110},
	{Title: "took", Kind: table.ColumnNumber, Width: 76},
	{Title: "at", Kind: table.ColumnNumber, Width: 84, Drop: 1},
}

// prepareSpans is Prepare where there are no frames.
func (t *Spikes) prepareSpans(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	key, ok := callKey(env)
	if !ok || v.Shown() == nil {
		t.spans = t.spans[:0]
		t.fresh.Done = false
		return 0, t.revision
	}
	key.Extra = uint64(int64(v.Collector())) + 1
	if of := &t.fresh.Key; of.Session != key.Session || of.Track != key.Track {
		t.spans = t.spans[:0] // those of another thread are none of this one's, also while this one's are made ready
	}
	if callsReady(env) && t.fresh.Due(env, key) {
		t.spans, t.row = key.Session.SpikeSpans(key.Track, v.Collector(), key.T0, key.T1, spikeRows, t.spans[:0])
		t.revision++
	}
	return len(t.spans), t.revision
}

func (t *Spikes) emptySpans() string { return "The longest spans.\nThis thread has none here." }

func (t *Spikes) spanCell(env *panel.Env, row, col int, c *table.Cell) {
	b := &t.spans[row]
	v := env.View
	switch col {
	case 0:
		c.Text = v.Session().Collector(b.Collector).Name
		c.Swatch, c.Hollow = v.Palette().Fill(b.Collector), v.Hidden(b.Collector)
	case 1:
		c.Buf = appendSpanLength(c.Buf, b)
	case 2:
		c.Buf = format.AppendClock(c.Buf, b.Begin, max((b.End-b.Begin)/10, 1_000))
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// appendSpanLength appends how long a span took; "≥" where an end of it is not known.
func appendSpanLength(dst []byte, b *model.Bar) []byte {
	if b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		dst = append(dst, "≥ "...)
	}
	return format.AppendDuration(dst, b.End-b.Begin)
}

// Words tells what the rows are, where there are no frames: "row 5", or the name of the collector;
// nothing elsewhere.
func (t *Spikes) Words(env *panel.Env) string {
	switch {
	case !t.unframed || len(t.spans) == 0 || env.View.Session() != t.fresh.Key.Session:
		return ""
	case t.row < 0:
		return env.View.Session().Collector(t.spans[0].Collector).Name
	}
	var buf [24]byte
	return t.words.Set(format.AppendCount(append(buf[:0], "row "...), int64(t.row+1)))
}

// spanTip adds what is known of a span.
func (t *Spikes) spanTip(env *panel.Env, row int, l *panel.TipLines) {
	b := &t.spans[row]
	s := env.View.Session()
	l.Add(subject.FullName(s.Collector(b.Collector)))
	l.Buf = appendSpanLength(append(l.Buf, "took\t"...), b)
	l.End()
	l.Text("begins\t").Clock(b.Begin).End()
	if b.Flags&model.SpanUncertain != 0 {
		l.Text("ends known to\t± ").Duration(s.Info().Clock.Step(b.End)).End()
	}
	l.Add("click: go there")
}
