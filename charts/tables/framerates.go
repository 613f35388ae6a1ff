// The table of the rate and evenness of each thread's frames, the main use of tables of frame
// times.

package tables

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// most is the number of newest frames of a thread that the figures cover: all are read.
const most = 1 << 16

// FrameRates is the source of the table: a row for each thread with frames of its own, of all of its
// frames, or where several are selected of these, while live of the newest.
type FrameRates struct {
	table.List[frameRateRow]
	hitches []int
	cut     bool // a thread has more frames than are looked at
	words   panel.CachedText
}

// frameRateRow is a thread and how its frames came.
type frameRateRow struct {
	id model.TrackID
	frames.Pace
	hitches int
}

// NewFrameRatePanel returns the table.
func NewFrameRatePanel() *table.Table {
	src := &FrameRates{}
	t := table.New("Frame rates", src)
	t.Words = src.said
	return t
}

// said names the frames that the figures cover.
func (t *FrameRates) said(env *panel.Env) string {
	b := t.words.New()
	switch v := env.View; {
	case len(t.All) == 0:
		return ""
	case v.Live():
		b = append(b, "newest frames"...)
	case several(v):
		b = append(b, "selected frames"...)
	case t.cut:
		b = append(format.AppendCount(append(b, "newest "...), most), " frames"...)
	default:
		b = append(b, "all frames"...)
	}
	return t.words.Set(b)
}

// several reports whether more than one frame is selected.
func several(v *view.View) bool { return !v.Live() && v.FrameA() >= 0 && v.FrameB() > v.FrameA() }

// Rows implements table.Source.
func (t *FrameRates) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	if !s.HasFrames() {
		return t.None()
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live(), Extra: uint64(v.Look().FrameBudgetNs())}
	if several(v) {
		key.Track, key.First, key.Last = v.Track(), v.FrameA(), v.FrameB()
	}
	if t.Due(env, key) {
		t.fill(v, s)
	}
	return t.Listed()
}

// fill makes the rows, that of the main thread first, without those of threads that have its frames.
func (t *FrameRates) fill(v *view.View, s *store.Session) {
	t.All, t.cut = t.All[:0], false
	main := s.MainTrack()
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || track.NumFrames() == 0 || id != main && cutBy(track, s.Track(main)) {
			continue
		}
		first, last := 0, track.NumFrames()-1
		if v.Live() || several(v) {
			first, last = panel.FramesOf(v, id)
		}
		if last-first >= most {
			first, t.cut = last-most+1, true
		}
		if pace, ok := s.Frames().Pace(id, first, last, v.Look().FrameBudgetNs()); ok {
			t.hitches = s.Frames().Hitches(id, first, last, t.hitches[:0])
			t.All = append(t.All, frameRateRow{id, pace, len(t.hitches)})
		}
	}
	if k := slices.IndexFunc(t.All, func(r frameRateRow) bool { return r.id == main }); k > 0 {
		first := t.All[k]
		copy(t.All[1:k+1], t.All[:k])
		t.All[0] = first
	}
}

// cutBy reports whether the frames of a thread, which has some, are those of another.
func cutBy(track, other *store.Track) bool {
	if other == nil {
		return false
	}
	last := track.NumFrames() - 1
	k, ok := other.FrameByNumber(track.FrameNumber(last))
	if !ok {
		return false
	}
	f, g := track.Frame(last), other.Frame(k)
	return f.Begin == g.Begin && f.End == g.End
}

// Columns implements table.Source.
func (t *FrameRates) Columns() []table.Column[frameRateRow] { return frameRateColumns }

// Empty implements table.Source.
func (t *FrameRates) Empty(filtered bool) string {
	return panel.WhyEmpty(filtered, "Frame rates, and how even they are.\n"+panel.NoData)
}

// rate makes a column of a rate.
func rate(id, title string, drop int, of func(*frameRateRow) float64) table.Column[frameRateRow] {
	return table.Column[frameRateRow]{
		ID: id, Title: title, Unit: "Hz", Kind: table.Number, Width: 66, Drop: drop,
		Value: func(_ *panel.Env, r *frameRateRow) float64 { return of(r) }, Format: format.AppendDigits3,
	}
}

// length makes a column of how long a frame took, all in the unit of the longest.
func length(id, title string, drop int, of func(*frameRateRow) float64) table.Column[frameRateRow] {
	return table.Column[frameRateRow]{
		ID: id, Title: title, Unit: "ns", Kind: table.Number, Width: 62, Drop: drop, Time: true, As: "max",
		Value: func(_ *panel.Env, r *frameRateRow) float64 { return of(r) },
	}
}

// count makes a column of how many frames.
func count(id, title string, drop int, of func(*frameRateRow) float64) table.Column[frameRateRow] {
	return table.Column[frameRateRow]{
		ID: id, Title: title, Kind: table.Number, Width: 58, Drop: drop, Quiet: true,
		Value:  func(_ *panel.Env, r *frameRateRow) float64 { return of(r) },
		Format: func(dst []byte, v float64) []byte { return format.AppendCount(dst, int64(v)) },
	}
}

var frameRateColumns = func() []table.Column[frameRateRow] {
	longest := length("max", "max", 0, func(r *frameRateRow) float64 { return r.Longest })
	longest.As = ""
	return []table.Column[frameRateRow]{
		{
			ID: "thread", Title: "thread", Least: 84,
			Text: func(env *panel.Env, r *frameRateRow) string { return env.View.Session().Track(r.id).Title() },
			Cell: func(env *panel.Env, r *frameRateRow, c *table.Cell) {
				fill, _ := subject.ThreadColor(env, r.id)
				c.Swatch, c.Hollow = draw.Color(fill), env.View.Look().TrackHidden(r.id)
			},
			Swatch: func(env *panel.Env, r *frameRateRow) {
				env.View.Look().SetTrackHidden(r.id, !env.View.Look().TrackHidden(r.id))
			},
		},
		rate("frames_per_second", "frame rate", 0, func(r *frameRateRow) float64 { return r.Rate }),
		rate("low_1", "1 % low", 0, func(r *frameRateRow) float64 { return r.Low1 }),
		rate("low_01", "0.1 % low", 4, func(r *frameRateRow) float64 { return r.Low01 }),
		length("median", "median", 1, func(r *frameRateRow) float64 { return r.Median }),
		length("p95", "p95", 5, func(r *frameRateRow) float64 { return r.P95 }),
		length("p99", "p99", 2, func(r *frameRateRow) float64 { return r.P99 }),
		longest,
		{
			ID: "over", Title: "over budget", Kind: table.Number, Width: 88, Drop: 6, Share: true,
			Value: func(_ *panel.Env, r *frameRateRow) float64 { return float64(r.Over) / float64(r.Frames) },
		},
		count("hitches", "hitches", 3, func(r *frameRateRow) float64 { return float64(r.hitches) }),
		count("frames", "frames", 7, func(r *frameRateRow) float64 { return float64(r.Frames) }),
	}
}()

// Row implements table.Describer.
func (t *FrameRates) Row(env *panel.Env, r *frameRateRow) table.RowInfo {
	return threadInfo(env, r.id, false)
}

// Click implements table.Clicker: a click shows the frames of the thread.
func (t *FrameRates) Click(env *panel.Env, r *frameRateRow, _ *panel.Input) panel.Action {
	env.View.SetTrack(r.id)
	return panel.Action{}
}

// Match implements table.Matcher.
func (t *FrameRates) Match(env *panel.Env, r *frameRateRow, text string) bool {
	return format.ContainsFold(env.View.Session().Track(r.id).Title(), text)
}

// Key implements table.Keyed.
func (t *FrameRates) Key(r *frameRateRow) uint64 { return uint64(r.id) }
