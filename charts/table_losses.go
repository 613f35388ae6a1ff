package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// LossTable is the source of the panel on what was received and what is missing, and why; the newest details below.
type LossTable struct {
	rows     []lossRow
	counts   []model.LedgerLine
	lines    []string
	fresh    refresher
	revision uint64
	// Memory returns what a session takes, in bytes. Pictures in tests state a number, so that the store may change.
	Memory func(*model.Session) int64
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

var lossColumns = []Column{
	{Kind: ColumnText},
	{Kind: ColumnNumber, Width: 84},
}

// NewLossTable returns the source.
func NewLossTable() *LossTable {
	return &LossTable{Memory: func(s *model.Session) int64 { return s.Memory().Total() }}
}

// Columns implements TableSource.
func (t *LossTable) Columns() []Column { return lossColumns }

// Empty implements TableSource.
func (t *LossTable) Empty() string {
	return "What arrived, and what did not.\n" + noData
}

// Sort implements TableSource.
func (t *LossTable) Sort(int, bool) {}

// Prepare implements TableSource.
func (t *LossTable) Prepare(env *Env) (rows int, revision uint64) {
	s := env.View.Session()
	if s == nil {
		t.rows = t.rows[:0]
		t.fresh.done = false
		return 0, t.revision
	}
	if t.fresh.due(env, rangeKey{session: s, revision: s.Revision(), live: env.View.Live()}) {
		t.fill(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *LossTable) fill(s *model.Session) {
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
	t.rows = append(t.rows, lossRow{text: "memory", n: t.Memory(s), kind: lossBytes})
	_, t.lines = s.Losses()
	for i := len(t.lines) - 1; i >= 0; i-- {
		t.rows = append(t.rows, lossRow{text: t.lines[i], kind: lossLine})
	}
}

// fillUnframed adds what came of a session without frames, of each kind of which there is something.
func (t *LossTable) fillUnframed(s *model.Session) {
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

// Cell implements TableSource.
func (t *LossTable) Cell(env *Env, row, col int, c *Cell) {
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
		c.Buf = AppendCount(c.Buf, r.n)
	case lossDuration:
		c.Buf = AppendDuration(c.Buf, r.n)
	case lossShare:
		c.Buf = AppendPercent(c.Buf, float64(r.n)/1e6)
	case lossBytes:
		c.Buf = AppendBytes(c.Buf, r.n)
	}
	if r.alarm {
		c.Color = draw.Color(env.Theme.Over)
	}
}

// Row implements TableSource.
func (t *LossTable) Row(*Env, int) RowInfo {
	return RowInfo{Hit: Hit{Collector: model.NoCollector, Frame: -1}}
}

// Click implements TableSource.
func (t *LossTable) Click(*Env, int, int, CellPart, *Input) Action { return Action{} }
