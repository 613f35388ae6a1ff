package decode

import (
	"math"
	"testing"

	"framescope/model/frames"
	"framescope/net/pstats"
)

// Whatever the clock of a client does, in the mean of its frames what the outermost calls took is what
// all took by themselves, and the net of the root: frames that end before they begin, or begin a
// little before the one before ended, overlap no other.
func TestTimesThatGoBack(t *testing.T) {
	for name, at := range map[string]func(i int) [4]float64{ // begin, App, its end, end
		"each ends before it began": func(i int) [4]float64 { b := 10 - float64(i)/60; return [4]float64{b, b + 0.01, b + 0.002, b - 0.016} },
		"each begins too early": func(i int) [4]float64 {
			b := float64(i) * 0.0155
			return [4]float64{b, b + 0.001, b + 0.002, b + 0.016}
		},
		"all at one time":               func(int) [4]float64 { return [4]float64{1, 1, 1, 1} },
		"each a second before the last": func(i int) [4]float64 { b := 100 - float64(i); return [4]float64{b, b, b + 0.5, b + 0.6} },
	} {
		var list []*pstats.Frame
		for i := range 50 {
			x := at(i)
			list = append(list, &pstats.Frame{Number: uint32(i), Events: []pstats.Event{{Time: float32(x[0])}, {Word: 1, Time: float32(x[1])},
				{Word: 1 | pstats.StopBit, Time: float32(x[2])}, {Word: pstats.StopBit, Time: float32(x[3])}}})
		}
		s, _ := sessionOfFrames(t, list)
		if n := s.Track(0).NumFrames(); n != 50 {
			t.Errorf("%s: %d frames", name, n)
		}
		sums := map[frames.Figure]float64{}
		for _, fig := range []frames.Figure{frames.FigureNet, frames.FigureSelf, frames.FigureTotal} {
			for _, st := range s.Frames().ExactStats(0, fig, 0, 49, nil) {
				if st.Collector == 0 || fig == frames.FigureSelf {
					sums[fig] += st.Sum
				}
			}
		}
		total := sums[frames.FigureTotal]
		if math.Abs(total-sums[frames.FigureSelf]) > 1e-9 || math.Abs(total-sums[frames.FigureNet]) > 1e-9 {
			t.Errorf("%s: total %v, all self %v, net %v", name, total, sums[frames.FigureSelf], sums[frames.FigureNet])
		}
	}
}
