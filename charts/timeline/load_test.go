package timeline

import (
	"math"
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// timelineOf returns a timeline of all of a session, as a picture has it.
func timelineOf(s *store.Session, paced bool) (*Timeline, func()) {
	env := chartstest.NewEnv(s, 1)
	env.Paced = paced
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	tl := new(Timeline)
	return tl, func() { chartstest.Settle(env, tl, draw.Rect{X1: 900, Y1: 900}) }
}

// loadOf sums up the self times of a track in a stretch of time by family, span by span.
func loadOf(s *store.Session, id model.TrackID, x *loadColumns, t0, t1 int64) (shares [loadFamilies + 1]float64) {
	of := func(p model.PathID) (family int) {
		family = loadFamilies
		for p != model.PathRoot {
			up, c := s.Path(p)
			if i := slices.Index(x.families[:], c); i >= 0 {
				family = i // the outermost counts
			}
			p = up
		}
		return family
	}
	var above []spans.Bar
	for lane := range s.Track(id).Lanes() {
		bars := s.Spans().Visible(id, lane, t0, t1, 0, nil)
		for _, b := range bars {
			ns := float64(min(b.End, t1) - max(b.Begin, t0))
			if c := s.Collector(b.Collector); ns > 0 && c.Works() {
				shares[of(b.Path)] += ns / float64(t1-t0)
			}
			for _, a := range above {
				if c := s.Collector(a.Collector); ns > 0 && a.Begin <= b.Begin && b.End <= a.End && c.Works() {
					shares[of(a.Path)] -= ns / float64(t1-t0)
					break
				}
			}
		}
		above = bars
	}
	return shares
}

// The columns of a curve of load hold the self times of the main collectors, waits and frames left out.
func TestLoadColumns(t *testing.T) {
	s := chartstest.LoadCapture(t, "nested")
	tl, settle := timelineOf(s, false)
	settle()
	testkit.MustThat(t, len(tl.spans.load.drawn) > 0, "no curve")
	busy := 0.0
	for _, d := range tl.spans.load.drawn {
		for i := range d.columns.ring {
			col := &d.columns.ring[i]
			if !col.known {
				continue
			}
			begin := col.number << d.columns.shift
			want := loadOf(s, d.track, d.columns, begin, begin+1<<d.columns.shift)
			for k := range want {
				busy += want[k]
				if got := float64(col.shares[k]); math.Abs(got-want[k]) > 1e-4 {
					t.Errorf("track %d, column %d: share %d is %g, want %g", d.track, col.number, k, got, want[k])
				}
			}
		}
	}
	testkit.That(t, busy > 10, "all columns are idle: %g", busy)
}

// A tick of the window makes as many columns as its budget of work allows, and later ticks the rest; then
// nothing is drawn again.
func TestLoadColumnsAreMadeByAndBy(t *testing.T) {
	s := scaleSession(1_000_000)
	tl, settle := timelineOf(s, true)
	ticks := 0
	for settle(); tl.spans.load.pending; settle() {
		const column = 1 << 14 // at most, in spans looked at
		testkit.MustThat(t, tl.spans.load.work <= loadWork+8*column, "a tick looked at %d spans", tl.spans.load.work)
		ticks++
		testkit.MustThat(t, ticks < 1000, "it does not end")
	}
	testkit.That(t, ticks > 1 && len(tl.spans.load.drawn) == 4, "%d ticks, %d curves", ticks, len(tl.spans.load.drawn))
	turns := tl.spans.load.turns
	settle()
	testkit.That(t, tl.spans.load.turns == turns, "it is drawn again")
	whole, settleWhole := timelineOf(s, false)
	settleWhole()
	for i, d := range whole.spans.load.drawn {
		testkit.That(t, d.columns.ring == tl.spans.load.drawn[i].columns.ring, "track %d differs", d.track)
	}
}
