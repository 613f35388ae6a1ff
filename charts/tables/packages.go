// The list of the hottest methods of a sampled program, below their packages.

package tables

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// PackagesSource is the source of the list of hot methods of a sampled program: methods below their
// packages, the greatest first, with their own share of the CPU time of the visible threads in the
// selected range, else in the whole session; of samples if CPU time is unknown. Methods without time
// are left out. A click selects a method in all panels, the swatch hides it, the arrow folds a
// package.
type PackagesSource struct {
	rows     []packagesRow
	shown    []int32 // of rows: those of folded packages are not
	folded   map[model.CollectorID]bool
	shared   spans.TreeUser
	own      map[model.CollectorID]int64
	measures []spans.Measure
	measure  spans.Measure
	fresh    panel.Refresher
	revision uint64
	columns  [len(titles)][]table.Column[packagesRow] // by measure
	session  *store.Session
	by       *table.Order[*packagesRow]
	filter   string
	words    panel.CachedText
}

// packagesRow is a method, or the package of those below it.
type packagesRow struct {
	collector model.CollectorID
	head      bool
	of        model.CollectorID // the package
	own       int64             // ns, or samples
	share     float64
}

// NewPackagesPanel returns the list of packages.
func NewPackagesPanel() *table.Table {
	src := NewPackages()
	t := table.New("Packages", src)
	t.Words = func(env *panel.Env) string { return src.said(env.View) }
	return t
}

// said names the threads and the range of time of the shares.
func (t *PackagesSource) said(v *view.View) string {
	b := append(append(t.words.New(), subject.AllThreads(v)...), " · "...)
	if ns := v.RangeB() - v.RangeA(); ns > 0 {
		return t.words.Set(format.AppendDuration(append(b, "in "...), ns))
	}
	return t.words.Set(append(b, subject.Whole(v.Session())...))
}

// titles names the shares, by the measure: CPU time or samples, if either is known.
var titles = [...]string{
	spans.MeasureDuration: "self", spans.MeasureCPU: "self CPU time", spans.MeasureSamples: "self samples",
	spans.MeasureWeight: "self",
}

// NewPackages returns the source.
func NewPackages() *PackagesSource {
	t := &PackagesSource{folded: map[model.CollectorID]bool{}, own: map[model.CollectorID]int64{}}
	for m := range t.columns {
		t.columns[m] = []table.Column[packagesRow]{
			{
				ID: "method", Title: "method", Fixed: true,
				Text: func(env *panel.Env, r *packagesRow) string { return env.View.Session().Collector(r.collector).Name },
				Cell: t.cell,
				Fold: func(_ *panel.Env, r *packagesRow, _ *panel.Input) { t.fold(r.of) },
				Swatch: func(env *panel.Env, r *packagesRow) {
					env.View.Look().SetHidden(r.collector, !env.View.Look().Hidden(r.collector))
				},
			},
			{
				ID: "self", Title: titles[m], Kind: table.Number, Width: 106, Quiet: true, Share: true, Fixed: true,
				Value: func(_ *panel.Env, r *packagesRow) float64 { return r.share },
			},
		}
	}
	return t
}

func (t *PackagesSource) cell(env *panel.Env, r *packagesRow, c *table.Cell) {
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
func (t *PackagesSource) fold(id model.CollectorID) {
	t.folded[id] = !t.folded[id]
	t.revision++
}

// Columns implements table.Source.
func (t *PackagesSource) Columns() []table.Column[packagesRow] {
	return t.columns[min(t.measure, spans.MeasureWeight)]
}

// Arrange implements table.Arranger: packages keep their methods.
func (t *PackagesSource) Arrange(by *table.Order[*packagesRow]) { t.by = by }

// At implements table.Source.
func (t *PackagesSource) At(i int) *packagesRow { return &t.rows[t.shown[i]] }

// Empty implements table.Source.
func (t *PackagesSource) Empty(filtered bool) string {
	switch {
	case t.shared.Waits():
		return panel.Building
	case filtered:
		return panel.NoMatch
	}
	return "Where the program spends its time.\n" + panel.NoData
}

// Rows implements table.Source.
func (t *PackagesSource) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	if s != t.session {
		t.empty(s)
	}
	key := panel.RangeKey{
		Session: s, Revision: s.Revision(), Live: v.Live(), T0: v.RangeA(), T1: v.RangeB(), Calls: true,
		Extra: v.Look().ShownStamp()<<32 + t.by.Stamp(),
	}
	if !t.shared.Waits() && t.fresh.Due(env, key) {
		t0, t1, _ := v.TimeRange()
		t.ask(v.Look().VisibleTracks(), t0, t1)
	}
	if t.shared.Step() {
		t.fill(s)
		t.revision++
	}
	if f := t.by.Filter(); f != t.filter {
		t.filter = f
		t.revision++
	}
	t.show(s)
	return len(t.shown), t.revision
}

// empty takes the rows away, for a session.
func (t *PackagesSource) empty(s *store.Session) {
	t.rows, t.shown, t.fresh.Done, t.session = t.rows[:0], t.shown[:0], false, s
	t.shared.Drop()
	t.revision++
}

// ask requests the trees of the rows.
func (t *PackagesSource) ask(tracks []model.TrackID, t0, t1 int64) {
	of, measure := t.session.Spans(), spans.MeasureDuration
	t.measures = of.Measures(tracks, t.measures[:0])
	for _, m := range t.measures { // CPU time, else samples, else their weight
		if m != spans.MeasureDuration {
			measure = m
			break
		}
	}
	t.shared.Ask(of, measure, tracks, t0, t1)
}

// fill makes the rows.
func (t *PackagesSource) fill(s *store.Session) {
	t.rows, t.measure = t.rows[:0], t.shared.Tree().Measure
	clear(t.own)
	all := int64(0)
	for _, in := range t.shared.Tree().Collectors() {
		if in.Self > 0 && in.Collector != 0 {
			t.own[in.Collector] = in.Self
			all += in.Self
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
			t.rows = append(t.rows, packagesRow{collector: id, of: p, own: own})
		}
	}
	for p, own := range of {
		t.rows = append(t.rows, packagesRow{collector: p, head: true, of: p, own: own})
	}
	for i := range t.rows {
		t.rows[i].share = float64(t.rows[i].own) / float64(all)
	}
	slices.SortFunc(t.rows, func(a, b packagesRow) int {
		switch {
		case a.of != b.of:
			x, y := packagesRow{collector: a.of, head: true}, packagesRow{collector: b.of, head: true}
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
func (t *PackagesSource) Key(r *packagesRow) uint64 {
	if r.head {
		return table.KeyOf(int64(r.collector), 1)
	}
	return table.KeyOf(int64(r.collector), 0)
}

// show chooses the rows that are shown: those that are called like the filter, else those of
// packages that are not folded.
func (t *PackagesSource) show(s *store.Session) {
	t.shown = t.shown[:0]
	head := -1 // a package without a shown row so far
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
func (t *PackagesSource) Row(env *panel.Env, r *packagesRow) table.RowInfo {
	return collectorRow(env.View, r.collector)
}

// Click implements table.Clicker: the method is selected, on a thread that has it.
func (t *PackagesSource) Click(env *panel.Env, r *packagesRow, _ *panel.Input) panel.Action {
	v := env.View
	if r.head && t.own[r.collector] == 0 {
		v.SelectCollector(r.collector)
	} else {
		v.SelectCollectorOf(v.ThreadOf(r.collector, v.Track()), r.collector)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *PackagesSource) Tip(env *panel.Env, r *packagesRow, l *panel.TipLines) {
	l.Add(env.View.Session().Collector(r.collector).Title())
	switch l.Text("self, of all visible threads\t").Percent(r.share).End(); t.measure {
	case spans.MeasureCPU:
		if l.Text("CPU time, estimated\t").Duration(r.own).End(); r.own > 0 && !r.head {
			subject.EstimateTip(l, env.View.Session(), r.collector)
		}
	case spans.MeasureSamples:
		l.Text("samples\t").Count(r.own).End()
	default:
		l.With(subject.AppendMeasured(append(l.Buf, "self\t"...), t.session, t.measure, r.own)).End()
	}
	l.Add("Click: in all panels · click the square: hide")
}
