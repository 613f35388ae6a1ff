package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/store"
)

// Elements is the source of the list of a pipeline's elements below the bins that they are in, with
// how long a buffer takes through each: the median of the selected range, else of the whole session. A
// click selects an element in all panels, the swatch hides its row of the timeline.
type Elements struct {
	table.List[elementRow]
	tracks  map[model.ObjectID]model.TrackID
	traced  bool // how long buffers take through elements was
	columns measured.Columns[elementRow]
	base    measured.Baseline
	usual   measured.Latencies
	words   spanWords
}

// elementRow is an element, or the bin that those below it are in.
type elementRow struct {
	object model.ObjectID
	head   bool
	group  int
	track  model.TrackID
	took   flow.Figures
	off    subject.Measured // by a baseline
	loud   bool             // most of the way's time goes by in it
}

// NewElementPanel returns the list of elements.
func NewElementPanel() *table.Table {
	src := NewElements()
	t := table.New("Elements", src)
	t.Words = func(env *panel.Env) string { return src.words.session(env.View) }
	t.Foot = src.foot
	return t
}

// NewElements returns the source, in the order in which elements were made.
func NewElements() *Elements {
	e := &Elements{tracks: map[model.ObjectID]model.TrackID{}}
	e.columns = measured.With([]table.Column[elementRow]{
		{
			ID: "element", Title: "element", Text: e.name, Cell: e.cell,
			Swatch: func(env *panel.Env, r *elementRow) {
				if r.track != model.NoTrack {
					env.View.Look().SetTrackHidden(r.track, !env.View.Look().TrackHidden(r.track))
				}
			},
		},
		{
			ID: "median", Title: "median", Unit: "ns", Kind: table.Number, Width: 60, Quiet: true, Time: true,
			Value: func(_ *panel.Env, r *elementRow) float64 {
				return table.Known(r.took.MedianNs, r.took.N > 0)
			},
			Cell: func(env *panel.Env, r *elementRow, c *table.Cell) {
				if r.head {
					c.Buf = c.Buf[:0]
				} else if r.loud {
					c.Color = draw.Color(env.Theme.Over)
				}
			},
		},
	}, func(_ *panel.Env, r *elementRow) subject.Measured { return r.off })
	return e
}

func (e *Elements) name(env *panel.Env, r *elementRow) string {
	o, _ := env.View.Session().Topology().Object(r.object)
	return o.Name
}

func (e *Elements) cell(env *panel.Env, r *elementRow, c *table.Cell) {
	if r.head {
		c.Wide, c.Color = true, draw.Color(env.Theme.Text2)
		return
	}
	c.Swatch = subject.ElementColor(env, r.object)
	c.Hollow = r.track != model.NoTrack && env.View.Look().TrackHidden(r.track)
}

// Columns implements table.Source.
func (e *Elements) Columns() []table.Column[elementRow] { return e.columns.All(e.base.Against != nil) }

// Empty implements table.Source.
func (e *Elements) Empty(filtered bool) string {
	return panel.WhyEmpty(filtered, "The pipeline's elements.\n"+panel.NoData)
}

// Rows implements table.Source.
func (e *Elements) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live(), T0: v.RangeA(), T1: v.RangeB(), Calls: true}
	if e.base.Follow(env) {
		e.Fresh.Done = false
	}
	if e.Due(env, key) {
		t0, t1 := rangeOrAll(v, s)
		e.fill(v, s, t0, t1)
	}
	return e.Listed()
}

// fill makes the rows: elements of no bin first, then each bin with those in it.
func (e *Elements) fill(v *view.View, s *store.Session, t0, t1 int64) {
	e.All = e.All[:0]
	clear(e.tracks)
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t.Def.Kind == model.TrackElement {
			e.tracks[t.Def.Object] = id
		}
	}
	index := v.Causes().Flow()
	e.traced = index.Traced()
	loud := model.NoObject
	a, _ := v.Causes().Where(model.NoTrack, model.NoObject, t0, t1, s.Revision())
	if a != nil && len(a.Chain) > 0 && a.Chain[0].Share >= flow.Much {
		loud = a.Chain[0].Object
	}
	objects := s.Topology().Objects()
	add := func(parent model.ObjectID, group int) (n int) {
		for i := range objects {
			o := &objects[i]
			if o.Kind != model.ObjectElement || o.Parent != parent {
				continue
			}
			r := elementRow{object: o.ID, group: group, track: model.NoTrack, took: index.Took(o.ID, t0, t1), loud: o.ID == loud}
			r.off = e.usual.Of(&e.base, s, &r.took)
			if track, ok := e.tracks[o.ID]; ok {
				r.track = track
			}
			e.All = append(e.All, r)
			n++
		}
		return n
	}
	add(model.NoObject, 0)
	for i := range objects {
		o := &objects[i]
		if o.Kind != model.ObjectBin {
			continue
		}
		at := len(e.All)
		e.All = append(e.All, elementRow{object: o.ID, head: true, group: 2*i + 1, track: model.NoTrack})
		if add(o.ID, 2*i+2) == 0 {
			e.All = e.All[:at]
		}
	}
}

// notTraced explains why no element has a figure.
const notTraced = "Its latency was not traced: run the latency tracer with its flag element."

// untraced is the line below elements if none has a figure.
var untraced = table.Foot{Words: "no latency traced", Tip: []string{
	"No latency traced", "The latency tracer gives the time of buffers in elements:",
	`GST_TRACERS="latency(flags=pipeline+element)"`,
}}

// foot implements table.Table.Foot.
func (e *Elements) foot(*panel.Env) *table.Foot {
	if e.traced || len(e.All) == 0 {
		return nil
	}
	return &untraced
}

// Group implements table.Grouper: bins keep their elements below them.
func (e *Elements) Group(r *elementRow) int { return r.group }

// Match implements table.Matcher. A bin stays with its elements.
func (e *Elements) Match(env *panel.Env, r *elementRow, text string) bool {
	if !r.head {
		return format.ContainsFold(e.name(env, r), text)
	}
	for i := range e.All {
		if o := &e.All[i]; !o.head && o.group == r.group+1 && format.ContainsFold(e.name(env, o), text) {
			return true
		}
	}
	return false
}

// Row implements table.Describer.
func (e *Elements) Row(env *panel.Env, r *elementRow) table.RowInfo {
	v, thing := env.View, view.Element(r.object)
	hit := panel.NoHit()
	hit.Kind, hit.Thing = panel.HitObject, thing
	return table.RowInfo{
		Selected: v.Thing() == thing, Lit: v.Thing() != thing && v.Lights(thing), Hit: hit,
		Dim: r.track != model.NoTrack && v.Look().TrackHidden(r.track),
	}
}

// Click implements table.Clicker: the element is selected, in all panels, with its row of the
// timeline.
func (e *Elements) Click(env *panel.Env, r *elementRow, _ *panel.Input) panel.Action {
	env.View.SelectElement(r.object, r.track)
	return panel.Action{}
}

// Tip implements table.Tips.
func (e *Elements) Tip(env *panel.Env, r *elementRow, l *panel.TipLines) {
	o, _ := env.View.Session().Topology().Object(r.object)
	l.Add(o.Name)
	l.If(o.Type != "").Text("type\t").Text(o.Type).End()
	if r.head {
		return
	}
	if r.took.N > 0 {
		l.Text("buffers\t").Count(r.took.N).End()
		l.Text("median\t").Duration(int64(r.took.MedianNs + 0.5)).End()
		l.Text("p99\t").Duration(int64(r.took.P99Ns + 0.5)).End()
		l.Text("mean\t").Duration(int64(r.took.MeanNs + 0.5)).End()
		l.Text("max\t").Duration(int64(r.took.MaxNs + 0.5)).End()
		if e.base.Against != nil {
			r.off.Tip(l)
		}
	} else {
		if e.traced {
			l.Add("No buffer that went in came out of it then: in sources buffers begin, in sinks they end.")
		} else {
			l.Add(notTraced)
		}
		if n, _ := env.View.Session().Losses(); n[model.LossLimit] > 0 {
			l.Add("Or its figures exceed a limit: see Received.")
		}
	}
	if r.track != model.NoTrack {
		l.Add("Click: this element in all panels · square: hide its row")
		return
	}
	if shared, ok := e.tracks[model.NoObject]; ok && r.took.N > 0 { // more elements than rows
		l.Text("row of the timeline\t").Text(env.View.Session().Track(shared).Title()).End()
	}
	l.Add("Click: this element in all panels")
}

// Key implements table.Keyed.
func (e *Elements) Key(r *elementRow) uint64 { return uint64(r.object) }
