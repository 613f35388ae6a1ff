package tables

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// sparkFrames is the number of frames in the line beside a thread.
const sparkFrames = 60

// Threads is the source of the list of threads: name, a line of how long it was busy in the newest frames
// of the range, and in the mean of all of them, while live of the newest; without frames, the processor
// usage or the busy share. A click shows the frames of a thread, the arrow folds its rows in the timeline,
// the swatch hides it.
type Threads struct {
	perUnit[threadRow, source[threadRow]]
}

// threadRows are the rows of such a list.
type threadRows struct {
	rows     []threadRow
	fresh    panel.Refresher
	revision uint64
}

// frameThreads are the threads with how long they were busy in their frames.
type frameThreads struct {
	threadRows
	means bool // some have that of several frames
}

// loadThreads are the threads with the share of time in [t0, t1) that they were busy, where there
// are no frames.
type loadThreads struct {
	threadRows
	load   subject.ThreadLoad
	t0, t1 int64
	cpu    bool // some thread has a series of its processor usage

	timeless bool // no times are known, so none was busy
}

type threadRow struct {
	id     model.TrackID
	busyNs float64 // in the mean frame of the range
	frames int64   // of the range
	first  int64   // number of the first of them
	spark  []float32
	alive  bool
	share  float64 // without frames: of a processor, or of the time; NaN: not known
	quiet  bool    // nothing was heard of it in the range
	group  int     // see view.KindGroup
	head   string  // of a heading, which is no thread
}

// foldColumn returns the column of the names, with the arrows; fixed: where they have no header to
// sort by.
func foldColumn(fixed bool) table.Column[threadRow] {
	c := threadColumn(func(r *threadRow) model.TrackID { return r.id })
	name := c.Cell
	c.Fixed, c.Cell = fixed, func(env *panel.Env, r *threadRow, to *table.Cell) {
		name(env, r, to)
		to.Fold = table.FoldOf(!env.View.Look().TrackFolded(r.id))
	}
	c.Fold = func(env *panel.Env, r *threadRow, _ *panel.Input) {
		env.View.Look().SetTrackFolded(r.id, !env.View.Look().TrackFolded(r.id))
	}
	return headed(c, true)
}

// threadFill is the colour that stands for a thread.
func threadFill(env *panel.Env, id model.TrackID) draw.Color {
	fill, _ := subject.ThreadColor(env, id)
	return fill
}

// threadColumns are the columns where there are frames. Over the budget the figure is in its colour.
var threadColumns = []table.Column[threadRow]{
	foldColumn(true),
	{ID: "spark", Kind: table.Spark, Width: 46, Drop: 1, Cell: func(env *panel.Env, r *threadRow, c *table.Cell) {
		c.Series, c.Color, c.FromZero = r.spark, draw.Color(env.Theme.Text2), true
		if len(r.spark) > 0 {
			c.SeriesMax = slices.Max(r.spark)
		}
	}},
	{
		ID: "busy_time", Title: "busy time", Unit: "ns", Kind: table.Number, Width: 54, Quiet: true, Fixed: true, Time: true,
		Value: func(_ *panel.Env, r *threadRow) float64 { return known(r.busyNs, r.frames > 0) },
		Cell: func(env *panel.Env, r *threadRow, c *table.Cell) {
			c.Color = subject.BusyColor(env, int64(r.busyNs))
		},
	},
}

// threadLoadColumns returns the columns for sessions without frames. If any thread has a series of
// its processor usage, that is the figure, and other threads have none.
func threadLoadColumns(load, title string) []table.Column[threadRow] {
	return []table.Column[threadRow]{
		foldColumn(false),
		headed(table.Column[threadRow]{ID: "spark", Kind: table.Spark, Width: 58, Drop: 1, Cell: func(env *panel.Env, r *threadRow, c *table.Cell) {
			c.Series, c.Color, c.SeriesMax, c.FromZero = r.spark, threadFill(env, r.id), 1, true
		}}, false),
		{
			ID: load, Title: title, Kind: table.Number, Width: 60, Quiet: true, Share: true,
			Value: func(_ *panel.Env, r *threadRow) float64 { return r.share },
			Cell: func(_ *panel.Env, r *threadRow, c *table.Cell) {
				if r.head != "" {
					c.Buf = c.Buf[:0]
				}
			},
		},
	}
}

var busyColumns, cpuColumns = threadLoadColumns("busy", "busy"), threadLoadColumns("cpu_load", "CPU")

// namedThreads are the columns where there are no times.
var namedThreads = []table.Column[threadRow]{foldColumn(true)}

// NewThreads returns the source, in the order of the session.
func NewThreads() *Threads {
	return &Threads{over[threadRow, source[threadRow]](&frameThreads{}, &loadThreads{})}
}

// Settled implements table.Settled.
func (t *Threads) Settled() {}

// Columns implements table.Source.
func (t *frameThreads) Columns() []table.Column[threadRow] {
	return threadColumns
}

// Columns implements table.Source.
func (t *loadThreads) Columns() []table.Column[threadRow] {
	if t.timeless {
		return namedThreads
	}
	if t.cpu {
		return cpuColumns
	}
	return busyColumns
}

// At implements table.Source.
func (t *threadRows) At(i int) *threadRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *threadRows) Empty(bool) string { return "The program's threads.\n" + panel.NoData }

// Rows implements table.Source.
func (t *frameThreads) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	if s == nil {
		t.rows, t.fresh.Done = t.rows[:0], false
		return 0, t.revision
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live()}
	if !v.Live() {
		key.Track, key.First, key.Last, key.T0, key.T1 = v.Track(), v.FrameA(), v.FrameB(), v.RangeA(), v.RangeB()
	}
	if t.fresh.Due(env, key) {
		t.fill(s)
		t.means = false
		for i := range t.rows {
			t.frames(v, s, &t.rows[i])
			t.means = t.means || t.rows[i].frames > 1
		}
		t.revision++
	}
	return len(t.rows), t.revision
}

// Rows implements table.Source.
func (t *loadThreads) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live() || len(t.rows) > dashManyRows, Calls: true}
	key.T0, key.T1 = subject.ThreadRange(v)
	t.t0, t.t1 = key.T0, key.T1
	if t.fresh.Due(env, key) {
		t.fill(s)
		t.timeless = s != nil && s.Info().Sampling.Timeless
		t.cpu = slices.ContainsFunc(t.rows, func(r threadRow) bool { return subject.LoadSeries(s, r.id) != model.NoSeries })
		for i := range t.rows {
			t.share(s, &t.rows[i])
		}
		slices.SortStableFunc(t.rows, func(a, b threadRow) int {
			return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(rank(s, a.id), rank(s, b.id)))
		})
		t.head(s)
		slices.SortStableFunc(t.rows, func(a, b threadRow) int {
			return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(len(b.head), len(a.head)))
		})
		t.revision++
	}
	return len(t.rows), t.revision
}

// fill makes the rows, without their figures.
func (t *threadRows) fill(s *store.Session) {
	old := t.rows[:cap(t.rows)]
	t.rows = t.rows[:0]
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || track.NumFrames() == 0 && track.NumSpans() == 0 && track.Def.Name == "" ||
			track.Def.Kind == model.TrackElement && track.Def.Object != model.NoObject { // a list of their own has these
			continue
		}
		row := threadRow{id: id, alive: track.Alive}
		row.group, _ = view.KindGroup(track.Def.Kind)
		if n := len(t.rows); n < len(old) {
			row.spark = old[n].spark[:0] // keeps the memory
		}
		if row.spark == nil {
			row.spark = make([]float32, 0, sparkFrames)
		}
		t.rows = append(t.rows, row)
	}
}

// frames adds to a row its frames of the range.
func (t *frameThreads) frames(v *view.View, s *store.Session, row *threadRow) {
	track := s.Track(row.id)
	first, last := panel.FramesOf(v, row.id)
	for i := max(0, last-sparkFrames+1); i <= last; i++ {
		row.spark = append(row.spark, float32(s.Frames().Busy(row.id, i, i)))
	}
	row.first = track.Frame(first).Number
	if row.frames = int64(max(0, last-first+1)); row.frames > 0 {
		row.busyNs = s.Frames().Busy(row.id, first, last)
	}
}

// share adds to a row how busy its thread was.
func (t *loadThreads) share(s *store.Session, row *threadRow) {
	share, ok := t.load.Share(s, row.id, t.t0, t.t1)
	ok = ok && t.cpu == (subject.LoadSeries(s, row.id) != model.NoSeries)
	if row.share = known(share, ok); ok {
		row.spark = t.load.Line(s, row.id, t.t0, t.t1, sparkFrames, row.spark)
	}
	begin, end, heard := s.Track(row.id).Bounds()
	row.quiet = !ok && !(heard && begin <= t.t1 && end >= t.t0)
}

// rank puts threads that are the program's own before others, where there are no frames.
func rank(s *store.Session, id model.TrackID) int { return view.TrackRank(s.Track(id)) }

// Row implements table.Describer.
func (t *frameThreads) Row(env *panel.Env, r *threadRow) table.RowInfo {
	return threadInfo(env, r, !r.alive)
}

// Row implements table.Describer.
func (t *loadThreads) Row(env *panel.Env, r *threadRow) table.RowInfo {
	if r.head != "" {
		return table.RowInfo{Hit: panel.NoHit()}
	}
	return threadInfo(env, r, r.quiet)
}

func threadInfo(env *panel.Env, r *threadRow, dim bool) table.RowInfo {
	v := env.View
	return table.RowInfo{Selected: r.id == v.Track(), Dim: dim || v.Look().TrackHidden(r.id), Hit: threadHit(r.id)}
}

// Click implements table.Clicker.
func (t *threadRows) Click(env *panel.Env, r *threadRow, in *panel.Input) panel.Action {
	if r.head != "" {
		return panel.Action{}
	}
	return clickThread(env, r.id, in)
}

// Tip implements table.Tips.
func (t *frameThreads) Tip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	track := env.View.Session().Track(r.id)
	l.Add(track.Title())
	l.Count(int64(track.NumFrames())).Text(" frames")
	if m := track.Missing(); m > 0 {
		l.Text(" · ").Count(m).Text(" missing")
	}
	l.FrameRate(" · ", track)
	l.End()
	if r.frames > 0 {
		switch l.Text("busy"); {
		case r.frames == 1:
			l.Text(" in frame ").Count(r.first)
		case env.View.Live():
			l.Text(", mean of the newest ").Count(r.frames).Text(" frames")
		default:
			l.With(panel.AppendMeanOf(append(l.Buf, ", "...), r.frames))
		}
		l.Text("\t").Duration(int64(r.busyNs + 0.5)).End()
	}
	switch {
	case !track.Alive:
		l.Add("This thread has ended")
	case track.Def.Kind == model.TrackGPU:
		l.Add("Times of the graphics card")
	}
	clockTip(&track.Def, l)
}

// Tip implements table.Tips.
func (t *loadThreads) Tip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	s := env.View.Session()
	if r.head != "" {
		return
	}
	l.Add(s.Track(r.id).Title())
	shareTip(s, r.id, r.share, l)
	l.Text("spans\t").Count(s.Track(r.id).NumSpans()).End()
	if n, ok := subject.Samples(s, r.id, t.t0, t.t1); ok {
		l.Text("samples here\t").Count(n).End()
	}
	if ns, ok := s.Spans().CPUTime(r.id, t.t0, t.t1); ok {
		l.Text("CPU time here\t").Duration(int64(ns + 0.5)).End()
	}
	if at, ok := subject.LastHeard(s, r.id); ok {
		l.Text("last data at\t").Clock(at).End()
	}
	if !s.Track(r.id).Alive {
		l.Add("This thread has ended")
	}
	l.Add("Click: this thread in all panels · square: hide · arrow: fold")
}

// clockTip adds the shift of a thread's own clock, and its precision.
func clockTip(def *model.TrackDef, l *panel.TipLines) {
	switch {
	case def.OwnClock:
		l.Add("On a clock of its own")
	case def.ShiftNs != 0:
		l.Text("own clock, moved by\t").Duration(def.ShiftNs).End()
		l.Text("known to\t± ").Duration(def.ShiftSpreadNs / 2).Text(", by ").Count(def.ShiftFrames).Text(" frames").End()
	}
}

// Key implements table.Keyed: a thread, or the head of a group.
func (t *threadRows) Key(r *threadRow) uint64 {
	if r.head != "" {
		return table.KeyOf(int64(r.group), -1)
	}
	return uint64(r.id)
}
