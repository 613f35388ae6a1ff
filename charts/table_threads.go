package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// sparkFrames is the number of frames in the line beside a thread.
const sparkFrames = 60

// ThreadTable is the source of the list of threads: name, the newest frames as a line, the mean frame. A click makes a thread the one whose frames are shown, the arrow folds its rows in
// the timeline, the swatch hides it.
type ThreadTable struct {
	rows     []threadRow
	fresh    refresher
	revision uint64
}

type threadRow struct {
	id     model.TrackID
	color  draw.Color
	meanNs int64
	spark  []float32
	alive  bool
}

var threadColumns = []Column{
	{Title: "thread", Kind: ColumnText},
	{Kind: ColumnSpark, Width: 58, Drop: 1},
	{Title: "mean", Kind: ColumnNumber, Width: 60},
}

// NewThreadTable returns the source.
func NewThreadTable() *ThreadTable { return &ThreadTable{} }

// Columns implements TableSource.
func (t *ThreadTable) Columns() []Column { return threadColumns }

// Empty implements TableSource.
func (t *ThreadTable) Empty() string { return "The program's threads.\nNothing was received yet." }

// Sort implements TableSource.
func (t *ThreadTable) Sort(int, bool) {}

// Prepare implements TableSource.
func (t *ThreadTable) Prepare(env *Env) (rows int, revision uint64) {
	s := env.View.Session
	if s == nil {
		t.rows = t.rows[:0]
		t.fresh.done = false
		return 0, t.revision
	}
	key := rangeKey{session: s, revision: s.Revision(), live: env.View.Live}
	if !env.View.Live {
		key.first, key.last = env.View.FrameA, env.View.FrameB
	}
	if t.fresh.due(env, key) {
		t.fill(env, s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *ThreadTable) fill(env *Env, s *model.Session) {
	old := t.rows[:cap(t.rows)]
	t.rows = t.rows[:0]
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
		last := track.NumFrames() - 1
		if !env.View.Live && env.View.RangeB > env.View.RangeA {
			if i := track.FrameAt(env.View.RangeB); i >= 0 {
				last = min(last, i)
			}
		}
		sum, n := int64(0), int64(0)
		for i := max(0, last-sparkFrames+1); i <= last; i++ {
			f := track.Frame(i)
			row.spark = append(row.spark, float32(f.End-f.Begin))
			sum += f.End - f.Begin
			n++
		}
		if n > 0 {
			row.meanNs = sum / n
		}
		t.rows = append(t.rows, row)
	}
}

// Cell implements TableSource.
func (t *ThreadTable) Cell(env *Env, row, col int, c *Cell) {
	r := &t.rows[row]
	switch col {
	case 0:
		c.Text = env.View.Session.Track(r.id).Title()
		c.Fold = FoldOpen
		if env.View.FoldedTracks[r.id] {
			c.Fold = FoldClosed
		}
		c.Swatch, c.Hollow = r.color, env.View.HiddenTracks[r.id]
	case 1:
		c.Series, c.Color = r.spark, r.color
	case 2:
		if r.meanNs > 0 {
			c.Buf = AppendDuration(c.Buf, r.meanNs)
		}
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// Row implements TableSource.
func (t *ThreadTable) Row(env *Env, row int) RowInfo {
	r := &t.rows[row]
	v := env.View
	return RowInfo{Selected: r.id == v.Track, Dim: !r.alive || v.HiddenTracks[r.id], Hit: Hit{Kind: HitLabel, Collector: model.NoCollector, Track: r.id, Frame: -1}}
}

// Click implements TableSource.
func (t *ThreadTable) Click(env *Env, row, col int, part CellPart, in *Input) Action {
	id := t.rows[row].id
	v := env.View
	switch part {
	case PartFold:
		v.SetTrackFolded(id, !v.FoldedTracks[id])
	case PartSwatch:
		v.SetTrackHidden(id, !v.HiddenTracks[id])
	default:
		if in.DoubleClick {
			return Action{Kind: ActionOpenFlame, Track: id, Collector: model.NoCollector, Frame: -1, X: in.X, Y: in.Y}
		}
		v.SetTrack(id)
	}
	return Action{}
}
