package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// Losses is the source of the panel on what was received and what is missing, and why; the newest details below.
type Losses struct {
	rows     []lossRow
	counts   []model.LedgerLine
	lines    []string
	fresh    panel.Refresher
	revision uint64
}

type lossRow struct {
	text  string
	n     int64
	kind  lossKind
	alarm bool
}

type lossKind uint8

const (
	lossCount lossKind = iota
	lossDuration
	lossShare
	lossBytes
	lossLine // text alone
)

var lossColumns = []table.Column{
	{Kind: table.ColumnText},
	{Kind: table.ColumnNumber, Width: 84},
}

// NewLosses returns the source.
func NewLosses() *Losses {
	return &Losses{}
}

// Columns implements Source.
func (t *Losses) Columns() []table.Column { return lossColumns }

// Empty implements Source.
func (t *Losses) Empty() string {
	return "What arrived, and what did not.\n" + panel.NoData
}

// Sort implements Source.
func (t *Losses) Sort(int, bool) {}

// Prepare implements Source.
func (t *Losses) Prepare(env *panel.Env) (rows int, revision uint64) {
	s := env.View.Session()
	if s == nil {
		t.rows = t.rows[:0]
		t.fresh.Done = false
		return 0, t.revision
	}
	if t.fresh.Due(env, panel.RangeKey{Session: s, Revision: s.Revision(), Live: env.View.Live()}) {
		t.fill(env, s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Losses) fill(env *panel.Env, s *model.Session) {
	t.rows = t.rows[:0]
	ledger := s.Ledger()
	t.counts = ledger.Lines(t.counts[:0])
	if !ledger.Framed {
		if t.fillUnframed(s); len(t.rows) == 0 && ledger.Empty() {
			return
		}
	}
	for _, c := range t.counts {
		t.rows = append(t.rows, lossRow{text: c.Label, n: c.N, alarm: c.Bad && c.N > 0})
		if c.Key == "received" {
			t.rows = append(t.rows, lossRow{text: "of all", n: int64(ledger.Share() * 1e6), kind: lossShare})
		}
	}
	if _, end, ok := s.Bounds(); ok {
		t.rows = append(t.rows, lossRow{text: "time step", n: s.Info().Clock.Step(end), kind: lossDuration})
	}
	t.rows = append(t.rows, lossRow{text: "memory", n: memoryOf(env, s), kind: lossBytes})
	_, t.lines = s.Losses()
	for i := len(t.lines) - 1; i >= 0; i-- {
		t.rows = append(t.rows, lossRow{text: t.lines[i], kind: lossLine})
	}
}

func memoryOf(env *panel.Env, s *model.Session) int64 {
	if env.MemoryOf != nil {
		return env.MemoryOf(s)
	}
	return s.Memory().Total()
}

// fillUnframed adds what came of a session without frames, of each kind of which there is something.
func (t *Losses) fillUnframed(s *model.Session) {
	tracks, spans, samples, series, messages := int64(s.NumTracks()), int64(0), int64(0), int64(0), int64(0)
	for id := range model.TrackID(s.NumTracks()) {
		spans += s.Track(id).NumSpans()
	}
	for id := range model.SeriesID(s.NumSeries()) {
		if x := s.Series(id); x != nil && x.Len() > 0 {
			samples += x.Len()
			series++
		}
	}
	for _, n := range s.MessageSeverities() {
		messages += n
	}
	for _, r := range [...]lossRow{
		{text: "spans", n: spans}, {text: "samples", n: samples}, {text: "messages", n: messages}, {text: "threads and streams", n: tracks}, {text: "series", n: series},
		{text: "objects", n: int64(len(s.Objects()))}, {text: "listed resources", n: int64(len(s.Resources()))},
	} {
		if r.n > 0 {
			t.rows = append(t.rows, r)
		}
	}
}

// Cell implements Source.
func (t *Losses) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.rows[row]
	if col == 0 {
		c.Text = r.text
		if r.kind == lossLine {
			c.Color, c.Wide = draw.Color(env.Theme.TextDim), true
		} else {
			c.Color = draw.Color(env.Theme.Text2)
		}
		return
	}
	switch r.kind {
	case lossCount:
		c.Buf = format.AppendCount(c.Buf, r.n)
	case lossDuration:
		c.Buf = format.AppendDuration(c.Buf, r.n)
	case lossShare:
		c.Buf = format.AppendPercent(c.Buf, float64(r.n)/1e6)
	case lossBytes:
		c.Buf = format.AppendBytes(c.Buf, r.n)
	}
	if r.alarm {
		c.Color = draw.Color(env.Theme.Over)
	}
}

// Row implements Source.
func (t *Losses) Row(*panel.Env, int) table.RowInfo {
	return table.RowInfo{Hit: panel.Hit{Collector: model.NoCollector, Frame: -1}}
}

// Click implements Source.
func (t *Losses) Click(*panel.Env, int, int, table.CellPart, *panel.Input) panel.Action {
	return panel.Action{}
}
