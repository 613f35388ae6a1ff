package store

import (
	"math"
	"math/rand/v2"
	"testing"

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
					if math.Abs(float64(got-want)) > 1e-6*math.Abs(float64(want)) {
						t.Fatalf("from frame %d, column %d, band %d: %v, on its own %v", first, x, c, got, want)
					}
				}
			}
		}
	}
}
