package tables

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
)

// Packages is the source of the list of what burns in a sampled program: methods below their
// packages, the greatest first, with their own share of the CPU time that the visible threads took in
// the selected range, else in the whole session; of samples where CPU time is not known. What burns
// nothing is left out. A click selects a method in all panels, the swatch hides it, the arrow folds a
// package.
type Packages struct {
	rows     []packageRow
	shown    []int32 // of rows: those of folded packages are not
	folded   map[model.CollectorID]bool
	tree     paths.Tree
	own      map[model.CollectorID]int64
	measures []spans.Measure
	measure  spans.Measure
	fresh    panel.Refresher
	revision uint64
	columns  []table.Column[packageRow]
	by       *table.Order[packageRow]
	filter   string
	words    spanWords
}

// packageRow is a method, or the package that those below it are of.
type packageRow struct {
	collector model.CollectorID
	head      bool
	of        model.CollectorID // the package
	own       int64             // ns, or samples
	share     float64
}

// NewPackagePanel returns the list of packages.
func NewPackagePanel() *table.Table {
	src := NewPackages()
	t := table.New("Packages", src)
	t.Words = func(env *panel.Env) string { return src.words.threads(env.View) }
	return t
}

// NewPackages returns the source.
func NewPackages() *Packages {
	t := &Packages{folded: map[model.CollectorID]bool{}, own: map[model.CollectorID]int64{}}
	t.columns = []table.Column[packageRow]{
		{
			ID: "method", Title: "method", Fixed: true,
			Text: func(env *panel.Env, r *packageRow) string { return env.View.Session().Collector(r.collector).Name },
			Cell: t.cell,
			Fold: func(_ *panel.Env, r *packageRow, _ *panel.Input) { t.fold(r.of) },
			Swatch: func(env *panel.Env, r *packageRow) {
				env.View.Look().SetHidden(r.collector, !env.View.Look().Hidden(r.collector))
			},
		},
		{
			ID: "self", Title: "self", Kind: table.Number, Width: 58, Quiet: true, Share: true, Fixed: true,
			Value: func(_ *panel.Env, r *packageRow) float64 { return r.share },
		},
	}
	return t
}

func (t *Packages) cell(env *panel.Env, r *packageRow, c *table.Cell) {
	if r.head {
		c.Fold = table.FoldOf(!t.folded[r.collector])
	} else {
		c.Depth = 2 // below the name, which has an arrow
	}
	c.Swatch, c.Hollow = env.Palette().Fill(r.collector), env.View.Look().Hidden(r.collector)
	c.Found = env.Palette().Found(r.collector)
	if r.head {
		c.Color = draw.Color(env.Theme.Text)
	}
}

// fold folds a package, or unfolds it.
func (t *Packages) fold(id model.CollectorID) {
	t.folded[id] = !t.folded[id]
	t.revision++
}

// Columns implements table.Source.
func (t *Packages) Columns() []table.Column[packageRow] { return t.columns }

// Arrange implements table.Arranger: packages keep their methods.
func (t *Packages) Arrange(by *table.Order[packageRow]) { t.by = by }

// At implements table.Source.
func (t *Packages) At(i int) *packageRow { return &t.rows[t.shown[i]] }

// Empty implements table.Source.
func (t *Packages) Empty(filtered bool) string {
	if filtered {
		return panel.NoMatch
	}
	return "What the program spends its time in.\n" + panel.NoData
}

// Rows implements table.Source.
func (t *Packages) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	if s == nil {
		t.rows, t.shown, t.fresh.Done = t.rows[:0], t.shown[:0], false
		return 0, t.revision
	}
	key := panel.RangeKey{
		Session: s, Revision: s.Revision(), Live: v.Live(), T0: v.RangeA(), T1: v.RangeB(), Calls: true,
		Extra: v.Look().ShownStamp()<<32 + t.by.Stamp(),
	}
	if t.fresh.Due(env, key) {
		t0, t1 := rangeOrAll(v, s)
		t.fill(s, v.Look().VisibleTracks(), t0, t1)
		t.revision++
	}
	if f := t.by.Filter(); f != t.filter {
		t.filter = f
		t.revision++
	}
	t.show(s)
	return len(t.shown), t.revision
}

// fill makes the rows.
func (t *Packages) fill(s *store.Session, tracks []model.TrackID, t0, t1 int64) {
	t.rows = t.rows[:0]
	t.measures = s.Spans().Measures(tracks, t.measures[:0])
	t.measure = spans.MeasureDuration
	for _, m := range [...]spans.Measure{spans.MeasureCPU, spans.MeasureSamples} {
		if slices.Contains(t.measures, m) {
			t.measure = m
			break
		}
	}
	s.Spans().TreeOf(t.measure, tracks, t0, t1, &t.tree)
	clear(t.own)
	all := int64(0)
	for i := range t.tree.Nodes {
		if n := &t.tree.Nodes[i]; n.Self > 0 && n.Collector != 0 {
			t.own[n.Collector] += n.Self
			all += n.Self
		}
	}
	of := map[model.CollectorID]int64{}
	for id, own := range t.own {
		p := s.Collector(id).Parent
		if p <= 0 { // of no package
			p = id
		}
		of[p] += own
		if p != id {
			t.rows = append(t.rows, packageRow{collector: id, of: p, own: own})
		}
	}
	for p, own := range of {
		t.rows = append(t.rows, packageRow{collector: p, head: true, of: p, own: own})
	}
	for i := range t.rows {
		t.rows[i].share = float64(t.rows[i].own) / float64(all)
	}
	slices.SortFunc(t.rows, func(a, b packageRow) int {
		switch {
		case a.of != b.of:
			x, y := packageRow{collector: a.of, head: true}, packageRow{collector: b.of, head: true}
			if d, held := t.by.Held(&x, &y); held {
				return d
			}
			return cmp.Or(cmp.Compare(of[b.of], of[a.of]), cmp.Compare(a.of, b.of))
		case a.head:
			return -1
		case b.head:
			return 1
		}
		if d, held := t.by.Held(&a, &b); held {
			return d
		}
		return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(a.collector, b.collector))
	})
}

// Key implements table.Keyed: a package, or a method in it.
func (t *Packages) Key(r *packageRow) uint64 {
	if r.head {
		return table.KeyOf(int64(r.collector), 1)
	}
	return table.KeyOf(int64(r.collector), 0)
}

// show chooses the rows that are shown: those that are called like the filter, else those of
// packages that are not folded.
func (t *Packages) show(s *store.Session) {
	t.shown = t.shown[:0]
	head := -1 // a package of which no row was shown
	for i := range t.rows {
		r := &t.rows[i]
		switch {
		case t.filter == "":
			if r.head || !t.folded[r.of] {
				t.shown = append(t.shown, int32(i))
			}
		case format.ContainsFold(s.Collector(r.collector).Title(), t.filter):
			if !r.head && head >= 0 {
				t.shown = append(t.shown, int32(head))
			}
			t.shown = append(t.shown, int32(i))
			head = -1
		case r.head:
			head = i
		}
	}
}

// Row implements table.Describer.
func (t *Packages) Row(env *panel.Env, r *packageRow) table.RowInfo {
	return collectorRow(env.View, r.collector)
}

// Click implements table.Clicker: the method is selected, on a thread that has it.
func (t *Packages) Click(env *panel.Env, r *packageRow, _ *panel.Input) panel.Action {
	v := env.View
	if r.head && t.own[r.collector] == 0 {
		v.SelectCollector(r.collector)
	} else {
		v.SelectCollectorOf(v.ThreadOf(r.collector, v.Track()), r.collector)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *Packages) Tip(env *panel.Env, r *packageRow, l *panel.TipLines) {
	l.Add(env.View.Session().Collector(r.collector).Title())
	switch l.Text("self, of all visible threads\t").Percent(r.share).End(); t.measure {
	case spans.MeasureCPU:
		l.Text("CPU time, estimated\t").Duration(r.own).End()
	case spans.MeasureSamples:
		l.Text("samples\t").Count(r.own).End()
	default:
		l.Text("time\t").Duration(r.own).End()
	}
	l.Add("Click: in all panels · click the square: hide")
}
