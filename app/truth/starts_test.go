package truth

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// Of frames of one thread the calls that call trees count are the starts that statistics and reports
// count, and those that were under way as the first frame began, of every collector.
func TestCallsOfFramesAreTheirStarts(t *testing.T) {
	for _, name := range []string{"nested", "recursion", "threads", "late", "gaps", "fragmented", "killed", "levels", "tinyudp", "bigframes"} {
		s := chartstest.LoadCapture(t, name)
		checked := 0
		for id := range model.TrackID(s.NumTracks()) {
			n := s.Track(id).NumFrames()
			for _, r := range [][2]int{{0, n - 1}, {n / 3, n / 2}, {n / 2, n / 2}} {
				if n == 0 {
					continue
				}
				calls := map[model.CollectorID]int64{}
				var tree spans.Tree
				for _, x := range s.FrameTotals(id, r[0], r[1], &tree, nil) {
					calls[x.Collector] = x.Count
				}
				begin := s.Track(id).Frame(r[0]).Begin
				for lane := range s.Track(id).Lanes() {
					for _, b := range s.Spans().Visible(id, lane, begin-1, begin, 0, nil) {
						if b.Begin < begin && b.End > begin {
							calls[b.Collector]--
						}
					}
				}
				for _, st := range s.Frames().ExactStats(id, frames.FigureSelf, r[0], r[1], nil) {
					if checked++; st.Count != calls[st.Collector] {
						t.Errorf("%s, %s, frames %d to %d: %s starts %d times, and has %d calls that began then", name, s.Track(id).Title(), r[0], r[1],
							s.Collector(st.Collector).Title(), st.Count, calls[st.Collector])
					}
				}
			}
		}
		if checked < 5 {
			t.Errorf("%s: %d collectors were compared", name, checked)
		}
	}
}
