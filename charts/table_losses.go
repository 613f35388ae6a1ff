package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// LossTable is the source of the panel on what was received and what is missing, and why; the newest details below.
type LossTable struct {
	rows     []lossRow
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

var lossNames = [model.NumLossReasons]string{
	model.LossNumbers:   "held back or lost",
	model.LossChecksum:  "wrong checksum",
	model.LossMalformed: "malformed",
	model.LossLate:      "came too late",
	model.LossRing:      "dropped by us",
	model.LossEvicted:   "left memory",
	model.LossStranger:  "from strangers",
	model.LossLimit:     "beyond a limit",
	model.LossTruncated: "cut off the file",
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
	s := env.View.Session
	if s == nil {
		t.rows = t.rows[:0]
		t.fresh.done = false
		return 0, t.revision
	}
	if t.fresh.due(env, rangeKey{session: s, revision: s.Revision(), live: env.View.Live}) {
		t.fill(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *LossTable) fill(s *model.Session) {
	t.rows = t.rows[:0]
	frames, missing := int64(0), int64(0)
	spans, tracks := int64(0), int64(0)
	for id := range model.TrackID(s.NumTracks()) {
		if track := s.Track(id); track != nil {
			frames += int64(track.NumFrames()) + track.Evicted()
			missing += track.Missing()
			spans += track.NumSpans()
			tracks++
		}
	}
	n, lines := s.Losses()
	t.lines = lines
	n[model.LossNumbers] = max(n[model.LossNumbers], missing)
	if frames > 0 {
		t.rows = append(t.rows, lossRow{text: "frames received", n: frames})
		if total := frames + n[model.LossNumbers]; total > 0 {
			t.rows = append(t.rows, lossRow{text: "of all", n: frames * 1_000_000 / total, kind: lossShare})
		}
	} else if t.fillUnframed(s, tracks, spans); len(t.rows) == 0 && n == ([model.NumLossReasons]int64{}) {
		return
	}
	for reason, count := range n {
		// Of frames, the first and the one that is our fault are always there; a zero is an answer, too.
		if count > 0 || frames > 0 && model.LossReason(reason) == model.LossNumbers || model.LossReason(reason) == model.LossRing {
			t.rows = append(t.rows, lossRow{text: lossNames[reason], n: count, alarm: count > 0})
		}
	}
	if _, end, ok := s.Bounds(); ok {
		t.rows = append(t.rows, lossRow{text: "time step", n: s.Info().Clock.Step(end), kind: lossDuration})
	}
	t.rows = append(t.rows, lossRow{text: "memory", n: t.Memory(s), kind: lossBytes})
	for i := len(lines) - 1; i >= 0; i-- {
		t.rows = append(t.rows, lossRow{text: lines[i], kind: lossLine})
	}
}

// fillUnframed adds what came of a session without frames, of each kind of which there is something.
func (t *LossTable) fillUnframed(s *model.Session, tracks, spans int64) {
	samples, series, messages := int64(0), int64(0), int64(0)
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

// AppendBytes appends a size in memory: "212 MB".
func AppendBytes(dst []byte, n int64) []byte {
	units := [...]string{" B", " KB", " MB", " GB"}
	v, i := float64(n), 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1024
		i++
	}
	if i == 0 {
		return append(AppendCount(dst, n), units[0]...)
	}
	return append(appendDigits3(dst, v), units[i]...)
}
