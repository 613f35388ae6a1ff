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
)

// sparkFrames is the number of frames in the line beside a thread.
const sparkFrames = 60

// Threads is the source of the list of threads: name, the newest frames as a line, the mean frame. A click makes a thread the one whose frames are shown, the arrow folds its rows in
// the timeline, the swatch hides it.
type Threads struct {
	rows     []threadRow
	load     subject.ThreadLoad
	bands    []model.Band
	unframed bool  // the figures are shares of time, not lengths of frames
	t0, t1   int64 // of these shares
	sortCol  int   // -1: the order of the session
	sortDown bool
	order    threadOrder
	numbers  uint64
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
	share  float64 // without frames: of a processor, or of the time
	known  bool
	quiet  bool // nothing was heard of it in the range
}

type threadOrder struct {
	numbers  uint64
	sortCol  int
	sortDown bool
}

var threadColumns = []table.Column{
	{Title: "thread", Kind: table.ColumnText},
	{Kind: table.ColumnSpark, Width: 58, Drop: 1},
	{Title: "mean", Kind: table.ColumnNumber, Width: 60},
}

var threadLoadColumns = []table.Column{
	{Title: "thread", Kind: table.ColumnText, Sortable: true},
	{Kind: table.ColumnSpark, Width: 58, Drop: 1},
	{Title: "busy", Kind: table.ColumnNumber, Width: 60, Sortable: true},
}

// NewThreads returns the source, in the order of the session.
func NewThreads() *Threads { return &Threads{sortCol: -1} }

// Columns implements Source.
func (t *Threads) Columns() []table.Column {
	if t.unframed {
		return threadLoadColumns
	}
	return threadColumns
}

// Empty implements Source.
func (t *Threads) Empty() string { return "The program's threads.\n" + panel.NoData }

// Sort implements Source: by name, or where there are no frames by load; the name column once more gives the order of the session.
func (t *Threads) Sort(col int, descending bool) {
	t.sortCol, t.sortDown = col, descending
	if col == 0 && descending {
		t.sortCol = -1
	}
}

// Prepare implements Source.
func (t *Threads) Prepare(env *panel.Env) (rows int, revision uint64) {
	s := env.View.Session()
	if s == nil {
		t.rows = t.rows[:0]
		t.fresh.Done = false
		return 0, t.revision
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: env.View.Live()}
	if !env.View.Live() {
		key.First, key.Last = env.View.FrameA(), env.View.FrameB()
	}
	if unframed := env.View.Unframed(); unframed != t.unframed {
		t.unframed, t.sortCol = unframed, -1
	}
	if t.unframed {
		key.First, key.Last = 0, 0
		key.T0, key.T1 = subject.ThreadRange(env.View)
		key.Live = key.Live || len(t.rows) > dashManyRows
		t.t0, t.t1 = key.T0, key.T1
	}
	if t.fresh.Due(env, key) {
		t.fill(env, s)
		t.numbers++
		t.order = threadOrder{}
		t.revision++
	}
	if o := (threadOrder{t.numbers, t.sortCol, t.sortDown}); o != t.order {
		t.order = o
		t.arrange(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Threads) fill(env *panel.Env, s *model.Session) {
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
func (t *Threads) fillLoad(s *model.Session, row *threadRow) {
	row.share, row.known = t.load.Share(s, row.id, t.t0, t.t1)
	if row.known {
		row.spark = t.load.Line(s, row.id, t.t0, t.t1, sparkFrames, row.spark)
	}
	begin, end, heard := s.Track(row.id).Bounds()
	row.quiet = !row.known && !(heard && begin <= t.t1 && end >= t.t0)
}

// arrange sorts the rows.
func (t *Threads) arrange(s *model.Session) {
	slices.SortStableFunc(t.rows, func(a, b threadRow) int {
		if t.sortDown && t.sortCol >= 0 {
			a, b = b, a
		}
		switch t.sortCol {
		case 0:
			return cmp.Compare(s.Track(a.id).Title(), s.Track(b.id).Title())
		case 2:
			return cmp.Compare(a.share, b.share)
		}
		if t.unframed {
			return cmp.Or(cmp.Compare(max(view.TrackRank(s.Track(a.id)), 2), max(view.TrackRank(s.Track(b.id)), 2)), cmp.Compare(a.id, b.id))
		}
		return cmp.Compare(a.id, b.id)
	})
}

// Cell implements Source.
func (t *Threads) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.rows[row]
	switch col {
	case 0:
		c.Text = env.View.Session().Track(r.id).Title()
		c.Fold = table.FoldOpen
		if env.View.TrackFolded(r.id) {
			c.Fold = table.FoldClosed
		}
		c.Swatch, c.Hollow = r.color, env.View.TrackHidden(r.id)
	case 1:
		c.Series, c.Color = r.spark, r.color
		if t.unframed {
			c.SeriesMax = 1
		}
		if r.busy && len(r.spark) > 0 {
			c.SeriesMax = slices.Max(r.spark)
		}
		c.FromZero = t.unframed || r.busy
	case 2:
		if t.unframed && r.known {
			c.Buf = format.AppendPercent(c.Buf, r.share)
		} else if r.meanNs > 0 {
			c.Buf = format.AppendDuration(c.Buf, r.meanNs)
		}
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// Row implements Source.
func (t *Threads) Row(env *panel.Env, row int) table.RowInfo {
	r := &t.rows[row]
	v := env.View
	return table.RowInfo{Selected: r.id == v.Track(), Dim: !r.alive && !t.unframed || r.quiet || v.TrackHidden(r.id), Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: r.id, Frame: -1}}
}

// Click implements Source.
func (t *Threads) Click(env *panel.Env, row, col int, part table.CellPart, in *panel.Input) panel.Action {
	id := t.rows[row].id
	v := env.View
	switch part {
	case table.PartFold:
		v.SetTrackFolded(id, !v.TrackFolded(id))
	case table.PartSwatch:
		v.SetTrackHidden(id, !v.TrackHidden(id))
	default:
		if in.DoubleClick {
			return panel.Action{Kind: panel.ActionOpenFlame, Track: id, Collector: model.NoCollector, Frame: -1, X: in.X, Y: in.Y}
		}
		v.SetTrack(id)
	}
	return panel.Action{}
}
