package store

import (
	"math"
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/frames"
)

// Where a frame has many columns, a smoothed strip reads it a few times and not for each column, and
// shows what each column on its own shows.
func TestSmoothingOfManyColumnsPerFrame(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(9, 9)), s, 30, 60, 6)
	for range 300 {
		s.Append(g.frame())
	}
	tr := s.Track(0)
	const columns, shown = 2000, 50
	var all, one frames.Strip // used again and again: what they keep must never show
	for step, first := range []int{100, 101, 140, 20, 0} {
		begin, end := tr.Frame(first).Begin+int64(step)*100, tr.Frame(first+shown).End
		window := (end - begin) / int64(1+step*7)
		for _, levels := range []bool{false, true} {
			q := frames.StripQuery{
				T0: begin, T1: end, Columns: columns, Mode: frames.StripSmooth, SmoothNs: window, Levels: levels,
			}
			s.Frames().Strip(q, &all)
			const read = 5 * 2 * shown // what is in view and in the window before it
			if work := s.Frames().Visited(); work > columns*int64(len(all.Bands))+read {
				t.Errorf("from frame %d: %d values and frames read of %d bands", first, work, len(all.Bands))
			}
			for x := step; x < columns; x += 13 {
				alone := q
				alone.T0, alone.T1, alone.Columns = q.ColumnTime(x), end+1e9, 1
				s.Frames().Strip(alone, &one)
				if a, b := float64(all.Columns[x].Net), float64(one.Columns[0].Net); math.Abs(a-b) > 1e-6*math.Abs(b) {
					t.Fatalf("from frame %d, column %d: %v, on its own %v", first, x, a, b)
				}
				for k, c := range all.Bands {
					want := float32(0)
					for i, d := range one.Bands {
						if d == c {
							want = one.Values[i]
						}
					}
					got := all.Values[x*len(all.Bands)+k]
					testkit.MustThat(t, math.Abs(float64(got-want)) <= 1e-6*math.Abs(float64(want)),
						"from frame %d, column %d, band %d: %v, on its own %v", first, x, c, got, want)
				}
			}
		}
	}
}

// Where a column has many frames, a smoothed strip whose edges move reads those that are new: of the
// others it has the sums, also of the frames at both ends of each column's window.
func TestSmoothingReadsWhatIsNew(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(9, 9)), s, 8, 60, 6)
	for range 4000 {
		s.Append(g.frame())
	}
	tr := s.Track(0)
	const columns = 200
	var strip, anew frames.Strip
	for step := range int64(20) {
		begin, end := tr.Frame(200+int(step)).Begin+step*100, tr.Frame(3900+int(step)).End
		q := frames.StripQuery{T0: begin, T1: end, Columns: columns, Mode: frames.StripSmooth, SmoothNs: (end - begin) / 50}
		s.Frames().Strip(q, &strip)
		const fresh = 8 // of a step: what a window has in part is not among the sums
		if work := s.Frames().Visited(); step > 0 && work > columns*int64(len(strip.Bands))+fresh {
			t.Errorf("step %d: %d values and frames read for %d columns of %d bands", step, work, columns, len(strip.Bands))
		}
		anew = frames.Strip{}
		s.Frames().Strip(q, &anew)
		for x := range anew.Columns {
			a, b := float64(strip.Columns[x].Net), float64(anew.Columns[x].Net)
			testkit.MustThat(t, math.Abs(a-b) <= 1e-6*math.Abs(b), "step %d, column %d: %v, anew %v", step, x, a, b)
		}
	}
}
