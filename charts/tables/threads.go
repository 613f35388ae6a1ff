package tables

import (
	"cmp"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// sparkFrames is the number of frames in the line beside a thread.
const sparkFrames = 60

// Threads is the source of the list of threads: name, the newest frames as a line, the mean frame; where there
// are no frames, how busy they are. A click makes a thread the one whose frames are shown, the arrow folds its
// rows in the timeline, the swatch hides it.
type Threads struct {
	rows     []threadRow
	load     subject.ThreadLoad
	bands    []store.Band
	unframed bool  // the figures are shares of time, not lengths of frames
	t0, t1   int64 // of these shares
	fresh    panel.Refresher
	revision uint64
}

type threadRow struct {
	id     model.TrackID
	color  draw.Color
	meanNs int64 // of its frames; of what it did in them when it is cut by the frames of another
	busy   bool  // that it is
	spark  []float32
	alive  bool
	share  float64 // without frames: of a processor, or of the time; NaN: not known
	quiet  bool    // nothing was heard of it in the range
}

// foldColumn returns the column of the names, with the arrows; fixed: where they have no header to sort by.
func foldColumn(fixed bool) table.Column[threadRow] {
	c := threadColumn(
		func(r *threadRow) model.TrackID { return r.id }, func(_ *panel.Env, r *threadRow) draw.Color { return r.color },
	)
	name := c.Cell
	c.Fixed, c.Cell = fixed, func(env *panel.Env, r *threadRow, to *table.Cell) {
		name(env, r, to)
		to.Fold = table.FoldOf(!env.View.TrackFolded(r.id))
	}
	c.Fold = func(env *panel.Env, r *threadRow, _ *panel.Input) {
		env.View.SetTrackFolded(r.id, !env.View.TrackFolded(r.id))
	}
	return c
}

func threadSpark(_ *panel.Env, r *threadRow, c *table.Cell) {
	c.Series, c.Color = r.spark, r.color
	if c.FromZero = r.busy; r.busy && len(r.spark) > 0 {
		c.SeriesMax = slices.Max(r.spark)
	}
}

var threadColumns = []table.Column[threadRow]{
	foldColumn(true),
	{ID: "spark", Kind: table.Spark, Width: 58, Drop: 1, Cell: threadSpark},
	{
		ID: "mean", Title: "mean", Kind: table.Number, Width: 60, Quiet: true,
		Cell: func(_ *panel.Env, r *threadRow, c *table.Cell) {
			if r.meanNs > 0 {
				c.Buf = format.AppendDuration(c.Buf, r.meanNs)
			}
		},
	},
}

var threadLoadColumns = []table.Column[threadRow]{
	foldColumn(false),
	{ID: "spark", Kind: table.Spark, Width: 58, Drop: 1, Cell: func(_ *panel.Env, r *threadRow, c *table.Cell) {
		c.Series, c.Color, c.SeriesMax, c.FromZero = r.spark, r.color, 1, true
	}},
	{
		ID: "busy", Title: "busy", Kind: table.Number, Width: 60, Quiet: true,
		Value: func(_ *panel.Env, r *threadRow) float64 { return r.share },
		Cell: func(_ *panel.Env, r *threadRow, c *table.Cell) {
			if r.share == r.share {
				c.Buf = format.AppendPercent(c.Buf, r.share)
			}
		},
	},
}

// NewThreads returns the source, in the order of the session.
func NewThreads() *Threads { return &Threads{} }

// Columns implements table.Source.
func (t *Threads) Columns() []table.Column[threadRow] {
	if t.unframed {
		return threadLoadColumns
	}
	return threadColumns
}

// At implements table.Source.
func (t *Threads) At(i int) *threadRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *Threads) Empty(bool) string { return "The program's threads.\n" + panel.NoData }

// Rows implements table.Source.
func (t *Threads) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	if s == nil {
		t.rows, t.fresh.Done = t.rows[:0], false
		return 0, t.revision
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live(), Calls: v.Unframed()}
	if t.unframed = v.Unframed(); t.unframed {
		key.T0, key.T1 = subject.ThreadRange(v)
		key.Live = key.Live || len(t.rows) > dashManyRows
		t.t0, t.t1 = key.T0, key.T1
	} else if !v.Live() {
		key.First, key.Last = v.FrameA(), v.FrameB()
	}
	if t.fresh.Due(env, key) {
		if t.fill(env, s); t.unframed {
			slices.SortStableFunc(t.rows, func(a, b threadRow) int { return cmp.Compare(rank(s, a.id), rank(s, b.id)) })
		}
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Threads) fill(env *panel.Env, s *store.Session) {
	old := t.rows[:cap(t.rows)]
	t.rows = t.rows[:0]
	main := false // one thread has the frames, and the others are cut by them
	for id := range model.TrackID(s.NumTracks()) {
		main = main || s.Track(id).Def.Main
	}
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || track.NumFrames() == 0 && track.NumSpans() == 0 && track.Def.Name == "" {
			continue
		}
		row := threadRow{id: id, alive: track.Alive}
		if n := len(t.rows); n < len(old) {
			row.spark = old[n].spark[:0] // keeps the memory
		}
		if row.spark == nil {
			row.spark = make([]float32, 0, sparkFrames)
		}
		row.color = draw.RGB(assets.NameColor(track.Title()))
		if t.unframed {
			t.fillLoad(s, &row)
			t.rows = append(t.rows, row)
			continue
		}
		last := track.NumFrames() - 1
		if !env.View.Live() && env.View.RangeB() > env.View.RangeA() {
			if i := track.FrameAt(env.View.RangeB()); i >= 0 {
				last = min(last, i)
			}
		}
		row.busy = main && !track.Def.Main
		sum, n := int64(0), int64(0)
		for i := max(0, last-sparkFrames+1); i <= last; i++ {
			f := track.Frame(i)
			ns := f.End - f.Begin
			if row.busy {
				// All threads share the main thread's frames: what this one did in them tells it from the others.
				var net float64
				t.bands, net = s.FrameStrip(id, i, 0, false, t.bands[:0])
				ns = int64(net * 1e9)
			}
			row.spark = append(row.spark, float32(ns))
			sum += ns
			n++
		}
		if n > 0 {
			row.meanNs = sum / n
		}
		t.rows = append(t.rows, row)
	}
}

// fillLoad is fill where there are no frames.
func (t *Threads) fillLoad(s *store.Session, row *threadRow) {
	share, ok := t.load.Share(s, row.id, t.t0, t.t1)
	if row.share = known(share, ok); ok {
		row.spark = t.load.Line(s, row.id, t.t0, t.t1, sparkFrames, row.spark)
	}
	begin, end, heard := s.Track(row.id).Bounds()
	row.quiet = !ok && !(heard && begin <= t.t1 && end >= t.t0)
}

// rank puts threads that are the program's own before others, where there are no frames.
func rank(s *store.Session, id model.TrackID) int { return max(view.TrackRank(s.Track(id)), 2) }

// Row implements table.Describer.
func (t *Threads) Row(env *panel.Env, r *threadRow) table.RowInfo {
	v := env.View
	return table.RowInfo{
		Selected: r.id == v.Track(), Dim: !r.alive && !t.unframed || r.quiet || v.TrackHidden(r.id), Hit: threadHit(r.id),
	}
}

// Click implements table.Clicker.
func (t *Threads) Click(env *panel.Env, r *threadRow, in *panel.Input) panel.Action {
	return clickThread(env, r.id, in)
}

// Tip implements table.Tips.
func (t *Threads) Tip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	track := env.View.Session().Track(r.id)
	l.Add(track.Title())
	if t.unframed {
		t.loadTip(env, r, l)
		return
	}
	l.Count(int64(track.NumFrames())).Text(" frames")
	if m := track.Missing(); m > 0 {
		l.Text(" · ").Count(m).Text(" missing")
	}
	if rate := track.FrameRate(panel.StripMeanNs); rate > 0 {
		l.Text(" · ").Rate(int64(1e9 / rate))
	}
	l.End()
	switch {
	case !track.Alive:
		l.Add("This thread has ended")
	case track.Def.Kind == model.TrackGPU:
		l.Add("Times of the graphics card")
	}
}

// loadTip is Tip where there are no frames.
func (t *Threads) loadTip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	s := env.View.Session()
	shareTip(s, r.id, r.share, l)
	l.Text("spans\t").Count(s.Track(r.id).NumSpans()).End()
	if n, _, ok := t.load.RoleCount(s, r.id, model.RoleStack, t.t0, t.t1); ok {
		l.Text("samples here\t").Count(n).End()
	}
	if _, ns, ok := t.load.RoleCount(s, r.id, model.RoleCPUTime, t.t0, t.t1); ok {
		l.Text("CPU time here\t").Duration(int64(ns)).End()
	}
	if at, ok := subject.LastHeard(s, r.id); ok {
		l.Text("heard of last\t").Clock(at).End()
	}
	if !s.Track(r.id).Alive {
		l.Add("This thread has ended")
	}
	l.Add("Click: this thread in all panels · square: hide · arrow: fold")
}
