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

// Losses is the source of the panel on received and missing data, with reasons; the newest details
// below.
type Losses struct {
	table.List[lossRow]
	counts []model.LedgerLine
	lines  []string
	share  string  // of frames that arrived; empty where there are none
	room   float32 // for sentences, px; 0: as much as they need
	broken broken
}

// broken is the inputs of the line breaks.
type broken struct {
	room  float32
	atlas *draw.Atlas
}

// Within sets the width of the panel, in physical pixels, for the line breaks of sentences.
func (t *Losses) Within(env *panel.Env, px float32) { t.room = px - 2*env.Px(9) }

// Words returns the share of frames that arrived, as in the rows.
func (t *Losses) Words(*panel.Env) string { return t.share }

// lossRow is a number; without a format it is a line of text alone.
type lossRow struct {
	text   string
	n      float64
	format func([]byte, float64) []byte
	alarm  bool
}

var lossColumns = []table.Column[lossRow]{
	{ID: "what", Cell: func(env *panel.Env, r *lossRow, c *table.Cell) {
		c.Text, c.Color = r.text, draw.Color(env.Theme.Text2)
		if r.format == nil {
			c.Color, c.Wide = draw.Color(env.Theme.TextDim), true
		}
	}},
	{ID: "n", Kind: table.Number, Width: 84, Cell: func(env *panel.Env, r *lossRow, c *table.Cell) {
		if r.format != nil {
			c.Buf = r.format(c.Buf, r.n)
		}
		if r.alarm {
			c.Color = draw.Color(env.Theme.Over)
		}
	}},
}

// NewLosses returns the source.
func NewLosses() *Losses {
	return &Losses{}
}

// Settled implements table.Settled.
func (t *Losses) Settled() {}

// Columns implements table.Source.
func (t *Losses) Columns() []table.Column[lossRow] { return lossColumns }

// Empty implements table.Source.
func (t *Losses) Empty(bool) string {
	return "What arrived, and what did not.\n" + panel.NoData
}

// Rows implements table.Source.
func (t *Losses) Rows(env *panel.Env) (n int, revision uint64) {
	s := env.View.Session()
	if now := (broken{t.room, env.Atlas}); now != t.broken {
		t.broken, t.Fresh.Done = now, false
	}
	if t.Due(env, panel.RangeKey{Session: s, Revision: s.Revision(), Live: env.View.Live()}) {
		t.fill(env, s)
	}
	return t.Listed()
}

func (t *Losses) fill(env *panel.Env, s *store.Session) {
	t.All, t.share = t.All[:0], ""
	ledger := s.Ledger()
	if ledger.Framed {
		t.share = string(format.AppendPercent(nil, ledger.Share()))
	}
	t.counts = ledger.Lines(t.counts[:0])
	if !ledger.Framed {
		if t.fillThings(s); len(t.All) == 0 && ledger.Empty() {
			return
		}
	}
	add := func(text string, n float64, format func([]byte, float64) []byte) {
		t.All = append(t.All, lossRow{text: text, n: n, format: format})
	}
	for _, c := range t.counts {
		add(c.Label, float64(c.N), table.Count)
		t.All[len(t.All)-1].alarm = c.Bad && c.N > 0
		if c.Key == "beyond_limit" {
			for _, l := range s.Limits() {
				add("· "+l.What, float64(l.N), table.Count)
			}
		}
		if c.Key == "received" {
			add("of all", float64(int64(ledger.Share()*1e6))/1e6, format.AppendPercent)
		}
	}
	sampling := s.Info().Sampling
	switch _, end, ok := s.Bounds(); {
	case sampling.Known():
		beside := func(dst []byte, v float64) []byte {
			return format.AppendBeside(dst, int64(v), max(sampling.P95Ns, sampling.AskedNs))
		}
		add("time between samples, median", float64(sampling.MedianNs), beside)
		add("time between samples, p5", float64(sampling.P5Ns), beside)
		add("time between samples, p95", float64(sampling.P95Ns), beside)
		if sampling.AskedNs > 0 {
			add("requested", float64(sampling.AskedNs), beside)
		}
		add("gaps in the sampling", float64(sampling.Gaps), table.Count)
		if sampling.Gaps > 0 {
			add("gaps, total", float64(sampling.GapNs), table.Duration)
			add("longest gap", float64(sampling.LongestNs), table.Duration)
		}
	case ok && !s.Info().Sampling.Timeless:
		add("time step", float64(s.Info().Clock.Step(end)), table.Duration)
	}
	add("memory", float64(memoryOf(env, s)), table.Bytes)
	say := func(sentence string) {
		if t.room <= 0 {
			add(sentence, 0, nil)
			return
		}
		for _, line := range panel.WrapWords(env.Atlas, draw.Regular, sentence, t.room) {
			add(line, 0, nil)
		}
	}
	for _, line := range s.Warnings() {
		say(line)
	}
	_, t.lines = s.Losses()
	for _, line := range slices.Backward(t.lines) {
		say(line)
	}
}

func memoryOf(env *panel.Env, s *store.Session) int64 {
	if env.MemoryOf != nil {
		return env.MemoryOf(s)
	}
	return s.Memory().Total()
}

// fillThings adds the counts of a session without frames, for each kind with data.
func (t *Losses) fillThings(s *store.Session) {
	tracks, spans, messages := int64(s.NumTracks()), int64(0), int64(0)
	for id := range model.TrackID(s.NumTracks()) {
		spans += s.Track(id).NumSpans()
	}
	m := countMeasured(s)
	for _, n := range s.Messages().Severities() {
		messages += n
	}
	for _, r := range [...]struct {
		text string
		n    int64
	}{
		{"spans", spans}, {"samples", m.samples}, {"stacks", m.stacks}, {m.called(), m.values}, {"messages", messages},
		{"threads and streams", tracks}, {"series", m.series},
		{"objects", int64(len(s.Topology().Objects()))}, {"listed resources", int64(len(s.Topology().Resources()))},
	} {
		if r.n > 0 {
			t.All = append(t.All, lossRow{text: r.text, n: float64(r.n), format: table.Count})
		}
	}
}

// lossesMeasured counts measurements over time: samples of stacks, as counted everywhere else; stacks
// that stand for an unknown number of samples; values of other series, and these.
type lossesMeasured struct{ samples, stacks, values, series int64 }

func countMeasured(s *store.Session) (m lossesMeasured) {
	from, to, _ := s.Bounds()
	for id := range model.SeriesID(s.Series().Len()) {
		x := s.Series().ByID(id)
		switch {
		case x == nil || x.Len() == 0 || x.Def.Role == model.RoleWeight:
		case x.Def.Role == model.RoleStack:
			if n, ok := s.Spans().NumSamples(x.Def.Track, from, model.AddSat(to, 1)); ok {
				m.samples += n
			} else {
				m.stacks += x.Len()
			}
		default:
			m.values += x.Len()
			m.series++
		}
	}
	return m
}

// called is the name of the values: samples, unless that word means stacks.
func (m *lossesMeasured) called() string {
	return format.Pick(m.samples+m.stacks > 0, "values of series", "samples")
}

// Tip implements table.Tips: the whole of a line that may be cut.
func (t *Losses) Tip(_ *panel.Env, r *lossRow, l *panel.TipLines) {
	l.If(r.format == nil).Add(r.text)
}

// LossesPanel lists received and missing data, with reasons, in sentences that it breaks into
// lines.
type LossesPanel struct {
	*table.Table
	src *Losses
}

// NewLossesPanel returns the panel on received and lost data, with reasons.
func NewLossesPanel() *LossesPanel {
	src := NewLosses()
	t := table.New("Received", src)
	t.Words, t.NoHeader, t.RowHeight = src.Words, true, 20
	return &LossesPanel{t, src}
}

// Update implements panel.Panel.
func (t *LossesPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.src.Within(env, rect.W())
	return t.Table.Update(env, rect, in)
}
