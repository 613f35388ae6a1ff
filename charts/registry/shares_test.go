package registry

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// percentages are shares of something. What several threads or a whole process take of one processor
// may be more than all of it.
var percentages = regexp.MustCompile(`([0-9\x{202f}]+(?:\.[0-9]+)?) ?%`)

// No share is more than all of what it is of, and none is less than nothing: not of a caller, a
// frame, a range or a way, whatever overlaps, recurs, or crosses the borders of frames.
func TestNoShareIsMoreThanAll(t *testing.T) {
	shares := 0
	for name, s := range map[string]*store.Session{
		"latencies": chartstest.LoadTrace(t, "latency-tee-queues.log.gz"), "pipeline": chartstest.LoadTrace(t, "all-audio-chain.log.gz"),
		"profile": chartstest.LoadProfile(t, "small-clean.prof"), "samples": chartstest.LoadFlare(t, "recorded-60s"),
		"recursion": chartstest.LoadCapture(t, "recursion"), "late": chartstest.LoadCapture(t, "late"), "holes": chartstest.HolesSession(),
	} {
		begin, end, _ := s.Bounds()
		everyText(s, map[string]func(v *view.View){
			"nothing": func(*view.View) {},
			"a range": func(v *view.View) { v.SelectRange(begin+(end-begin)/3, begin+(end-begin)/2) },
			"a span":  func(v *view.View) { selectLongest(v, s) },
		}, func(d *panel.Def, where, text string) {
			for _, m := range percentages.FindAllStringSubmatchIndex(text, -1) {
				shares++
				share, err := strconv.ParseFloat(strings.ReplaceAll(text[m[2]:m[3]], "\u202f", ""), 64)
				below := strings.HasSuffix(text[:m[2]], "−")
				if err != nil || below || share > 100 && !strings.Contains(text, "CPU") {
					t.Errorf("%s, %s, %s: %q", name, d.ID, where, text)
				}
			}
		})
	}
	if shares < 1000 {
		t.Errorf("only %d shares were read", shares)
	}
}

// selectLongest selects the longest span of all tracks.
func selectLongest(v *view.View, s *store.Session) {
	longest := int64(-1)
	for id := range model.TrackID(s.NumTracks()) {
		begin, end, _ := s.Track(id).Bounds()
		for lane := range s.Track(id).Lanes() {
			for _, b := range s.Spans().Visible(id, lane, begin, end, 0, nil) {
				if b.End-b.Begin > longest {
					longest = b.End - b.Begin
					v.SelectSpan(b)
				}
			}
		}
	}
}
