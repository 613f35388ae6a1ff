// The table of differences between the two compared sides: collectors, or call paths, with their time in A
// and in B, the difference, and whether it is more than noise.

package compare

import (
	"math"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
)

// Panel is the table with its tools.
type Panel struct {
	*table.Table
	src   comparetableSource
	head  subject.SidesHead
	times times
	// answer is where the difference of two frames stands in words, above all figures.
	answer draw.Rect
	below  panel.Input // the mouse as the table has it
	tools  panel.Toolbox
}

// NewTable returns the table: self time of collectors, noise below changes.
func NewTable() *Panel {
	p := &Panel{src: comparetableSource{self: true, noise: true, state: new(view.Comparing)}}
	p.src.columns, p.src.sums = columns(&p.src), sumColumns(&p.src)
	p.src.exact = p.src.columns[:len(p.src.columns)-tested]
	p.Table = table.New("Differences", &p.src)
	p.Table.Words = func(*panel.Env) string { return p.src.words }
	return p
}

// Update implements panel.Panel: the table, below the head with its sides and their frame times.
func (p *Panel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	scale := subject.ScaleOf(env.Comparing)
	if p.head.Note = scale.Note(); scale.Of != "" {
		p.head.Note += ", hitches cut"
	}
	p.src.Rows(env)
	rest := p.placeAnswer(env, p.times.place(env, p.head.Place(env, rect)))
	p.below = *in
	p.below.Over = in.Over && rest.Contains(in.X, in.Y)
	act := p.Table.Place(env, rest, &p.below)
	if p.BeginBase(env, rect, p.Stamp()) {
		p.head.Draw(env, p.List())
		p.times.draw(env, p.List())
		p.drawAnswer(env)
		p.DrawInto(p.List(), env)
	}
	return act
}

// placeAnswer puts the answer to the top of a panel, and returns the rest.
func (p *Panel) placeAnswer(env *panel.Env, r draw.Rect) (rest draw.Rect) {
	p.answer, rest = r, r
	p.answer.Y1 = r.Y0
	if p.src.answer != "" {
		p.answer.Y1 += env.Px(2 * timesRowPx)
	}
	rest.Y0 = p.answer.Y1
	return rest
}

// drawAnswer writes the answer in two lines: the difference, and what explains it.
func (p *Panel) drawAnswer(env *panel.Env) {
	row := p.answer
	row.X0, row.X1 = row.X0+env.Px(9), row.X1-env.Px(4)
	differs, cause, _ := strings.Cut(p.src.answer, ": ")
	row.Y1 = row.Y0 + env.Px(timesRowPx)
	p.List().TextIn(draw.Medium, row, draw.Left, differs, draw.Color(env.Theme.Text))
	row.Y0, row.Y1 = row.Y1, p.answer.Y1
	p.List().TextIn(draw.Regular, row, draw.Left, cause, draw.Color(env.Theme.Text))
}

// Extent implements panel.Sized.
func (p *Panel) Extent(env *panel.Env, pxWidth float32) float32 {
	return p.Table.Extent(env, pxWidth) + p.head.Height() + p.times.rect.H() + p.answer.H()
}

// HitTest implements panel.Panel.
func (p *Panel) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if p.times.rect.Contains(pxX, pxY) {
		return p.times.hit(env, pxX, pxY)
	}
	return p.Table.HitTest(env, pxX, pxY)
}

// The tools.
const (
	comparetableToolNoise = iota
	toolPaths
	toolSelf
	comparetableToolSum
)

// Tools implements panel.Tooled.
func (p *Panel) Tools(env *panel.Env) []panel.Tool {
	b := &p.tools
	b.Begin()
	if subject.SumTool(b, comparetableToolSum, env.Comparing); env.Comparing.Timeless() {
		b.Toggle(comparetableToolNoise, p.src.noise, "Equal", "Also list equal rows")
	} else {
		b.Toggle(comparetableToolNoise, p.src.noise, "Noise", "Show insignificant differences")
	}
	b.Toggle(toolPaths, p.src.paths, "Call paths", "One row per call path instead of per collector")
	b.Toggle(toolSelf, p.src.self, "Self", "Self time, without callees")
	return b.All()
}

// Use implements panel.Tooled.
func (p *Panel) Use(env *panel.Env, id, option int) {
	switch id {
	case comparetableToolSum:
		env.Comparing.SumBy(option)
	case comparetableToolNoise:
		p.src.noise = !p.src.noise
	case toolPaths:
		p.src.paths = !p.src.paths
	case toolSelf:
		p.src.self = !p.src.self
	}
}

// line is a row.
type line struct {
	row    *compare.Row
	figure *compare.Figure
	name   string
	thread *compare.Thread
	side   int // of the shown session, -1 none
}

// comparetableSource gives the table its rows.
type comparetableSource struct {
	table.List[line]
	self, paths, noise bool

	state   *view.Comparing
	columns []table.Column[line]
	exact   []table.Column[line] // for single frames, of which nothing is tested
	sums    []table.Column[line] // for sessions without times
	scale   subject.Scale
	words   string
	answer  string // of two frames
	of      comparetableKey
}

// comparetableKey is the inputs of the rows.
type comparetableKey struct {
	state              *view.Comparing
	revision           uint64
	side               int
	self, paths, noise bool
}

// Settled implements table.Settled.
func (s *comparetableSource) Settled() {}

// Columns implements table.Source.
func (s *comparetableSource) Columns() []table.Column[line] {
	if s.scale.Measure != "" {
		return s.sums
	}
	if r := s.state.Result(); r != nil && r.Single() {
		return s.exact
	}
	return s.columns
}

// Empty implements table.Source.
func (s *comparetableSource) Empty(filtered bool) string {
	switch {
	case filtered:
		return panel.NoMatch
	case s.state.Result() != nil && len(s.state.Result().Collectors) == 0:
		return subject.NothingCompared(s.state)
	case s.scale.Measure != "":
		return "Nothing differs."
	case s.state.Result() != nil:
		return "Nothing differs by more than noise."
	}
	return s.state.Words("Differences between two ranges, and which of them are noise.")
}

// Rows implements table.Source.
func (s *comparetableSource) Rows(env *panel.Env) (n int, revision uint64) {
	s.state = env.Comparing
	now := comparetableKey{s.state, s.state.Revision(), s.state.ShownSide(env.View.Session()), s.self, s.paths, s.noise}
	if now != s.of || s.Revision == 0 {
		s.of = now
		s.Revision++
		s.fill(s.state.Result())
	}
	return s.Listed()
}

// fill makes the rows.
func (s *comparetableSource) fill(r *compare.Result) {
	s.All, s.words, s.answer, s.scale = s.All[:0], "", "", subject.ScaleOf(s.state)
	if r == nil {
		return
	}
	rows := format.Pick(s.paths, r.Paths, r.Collectors)
	changed := 0
	for i := range rows {
		x := line{row: &rows[i], figure: &rows[i].Total, thread: &r.Threads[rows[i].Thread], side: s.of.side}
		if s.self && rows[i].Self.Known {
			x.figure = &rows[i].Self
		}
		if x.figure.Differs() {
			changed++
		} else if !s.noise {
			continue
		}
		x.name = rows[i].Title()
		if s.paths {
			x.name = strings.Join(shortNames(rows[i].Names), " › ")
		}
		s.All = append(s.All, x)
	}
	if r.Single() {
		s.answer = string(subject.AppendSingle(nil, r))
		return
	}
	b := format.AppendCount(nil, int64(changed))
	b = format.AppendCount(append(b, " of "...), int64(len(rows)))
	s.words = string(append(b, " changed"...))
}

// shortNames removes the caller's name from the begin of each name.
func shortNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		if out[i] = n; i > 0 {
			out[i] = strings.TrimPrefix(n, names[i-1]+":")
		}
	}
	return out
}

// collector returns the collector of a row in the shown session.
func (x *line) collector() model.CollectorID {
	if x.side < 0 {
		return model.NoCollector
	}
	return x.row.Collectors[x.side]
}

// Group implements table.Grouper: changes stand above the rest.
func (s *comparetableSource) Group(x *line) int {
	return format.Pick(x.figure.Differs(), 0, 1)
}

// Match implements table.Matcher.
func (s *comparetableSource) Match(_ *panel.Env, x *line, text string) bool {
	return format.ContainsFold(x.name, text)
}

// Row implements table.Describer.
func (s *comparetableSource) Row(env *panel.Env, x *line) table.RowInfo {
	info := table.RowInfo{Hit: panel.NoHit(), Dim: !x.figure.Differs()}
	if c := x.collector(); c != model.NoCollector {
		v := env.View
		info.Selected, info.Lit = c == v.Collector(), c == v.Pointer().Collector()
		info.Hit.Kind, info.Hit.Collector = panel.HitCollector, c
		info.Hit.Track = s.state.Result().Threads[x.row.Thread].Tracks[x.side]
	}
	return info
}

// Click implements table.Clicker: the collector is selected, on its thread, where its session is shown.
func (s *comparetableSource) Click(env *panel.Env, x *line, _ *panel.Input) panel.Action {
	if c := x.collector(); c != model.NoCollector {
		env.View.SelectCollectorOf(s.state.Result().Threads[x.row.Thread].Tracks[x.side], c)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (s *comparetableSource) Tip(_ *panel.Env, x *line, l *panel.TipLines) {
	l.Add(x.name)
	l.Text("thread\t").Text(x.thread.Title).End()
	subject.DeltaTip(l, "self", &x.row.Self, &s.scale)
	subject.DeltaTip(l, "total", &x.row.Total, &s.scale)
	subject.CallsTip(l, x.row, s.scale.Of)
}

// number is a column of numbers.
func number(id, title string, width float32, drop int, value func(*line) float64,
	text func([]byte, float64) []byte) table.Column[line] {
	return table.Column[line]{
		ID: id, Title: title, Unit: "ns", Kind: table.Number, Width: width, Drop: drop, Format: text,
		Value: func(_ *panel.Env, x *line) float64 { return value(x) },
	}
}

// deltaColumn is that of the difference, by which the rows are ordered.
func deltaColumn(text func([]byte, float64) []byte) table.Column[line] {
	delta := number("delta", "B − A", 62, 0, func(x *line) float64 { return x.figure.Delta() }, text)
	delta.Cell = func(env *panel.Env, x *line, c *table.Cell) { c.Color = subject.DeltaColor(env, x.figure) }
	delta.Lead = true
	delta.Compare = func(_ *panel.Env, a, b *line) int {
		da, db := math.Abs(a.figure.Delta()), math.Abs(b.figure.Delta())
		switch {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	}
	return delta
}

// nameColumn is the column of names.
func nameColumn(s *comparetableSource) table.Column[line] {
	return table.Column[line]{
		ID: "name", Title: "collector", Least: 130, Text: func(_ *panel.Env, x *line) string { return x.name },
		Cell: func(env *panel.Env, x *line, c *table.Cell) {
			if id := x.collector(); id != model.NoCollector && x.figure.Differs() {
				c.Swatch = env.Palette().Fill(id)
			} else {
				c.Swatch = draw.Color(env.Theme.Even)
			}
		},
	}
}

// threadColumn is that of its thread.
func threadColumn() table.Column[line] {
	return table.Column[line]{ID: "thread", Title: "thread", Width: 76, Drop: 4, Quiet: true,
		Text: func(_ *panel.Env, x *line) string { return x.thread.Title }}
}

// sumColumns returns the columns of sums, which are not tested.
func sumColumns(s *comparetableSource) []table.Column[line] {
	sum := func(c table.Column[line]) table.Column[line] {
		c.Unit = ""
		return c
	}
	share := func(id, title string, side, drop int) table.Column[line] {
		return sum(number(id, title, 60, drop, func(x *line) float64 { return s.state.Result().Share(x.figure, side) },
			format.AppendPercent))
	}
	append := func(dst []byte, v float64) []byte { return s.scale.Append(dst, v) }
	return []table.Column[line]{
		nameColumn(s), threadColumn(),
		sum(number("a", "A", 66, 1, func(x *line) float64 { return x.figure.A }, append)),
		sum(number("b", "B", 66, 1, func(x *line) float64 { return x.figure.B }, append)),
		sum(deltaColumn(func(dst []byte, v float64) []byte { return s.scale.AppendDelta(dst, v) })),
		share("share_a", "A %", 0, 3), share("share_b", "B %", 1, 2),
	}
}

// tested is the number of the last columns, which have the results of tests.
const tested = 2

// columns returns the columns of tested figures.
func columns(s *comparetableSource) []table.Column[line] {
	p := number("p", "p", 60, 2, func(x *line) float64 { return x.figure.P }, subject.AppendP)
	p.Unit, p.Quiet = "", true
	spread := number("interval", "± 95 %", 56, 3, func(x *line) float64 { return x.figure.Half }, subject.AppendMs)
	spread.Quiet = true
	return []table.Column[line]{
		nameColumn(s), threadColumn(),
		{ID: "verdict", Title: "verdict", Width: 62, Drop: 5, Quiet: true,
			Text: func(_ *panel.Env, x *line) string { return verdictOf(x.figure) }},
		number("a", "A", 56, 1, func(x *line) float64 { return x.thread.Typical(x.figure, 0) }, subject.AppendMs),
		number("b", "B", 56, 1, func(x *line) float64 { return x.thread.Typical(x.figure, 1) }, subject.AppendMs),
		deltaColumn(subject.AppendDelta), spread, p,
	}
}

// verdictOf is the verdict in a word; of single frames the direction.
func verdictOf(f *compare.Figure) string {
	switch d := f.Delta(); {
	case f.Lack != compare.LacksOthers || f.Verdict != compare.Untested:
		return f.Verdict.String()
	case f.AsLong:
		return "as long"
	case d > 0:
		return "longer"
	}
	return "shorter"
}

// Key implements table.Keyed: the row of a thread's collector or path.
func (s *comparetableSource) Key(x *line) uint64 {
	return table.KeyOf(int64(x.row.Thread), int64(x.row.Collectors[0])<<20^int64(x.row.Collectors[1])<<40^
		int64(x.row.Paths[0])^int64(x.row.Paths[1])<<1)
}
