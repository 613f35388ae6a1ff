package registry

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// frameNumbers are how panels name frames.
var frameNumbers = regexp.MustCompile(`(?:#|\b[Ff]rames? )([0-9\x{202f}]+)`)

// A frame has the number that the program gave it, in every panel: none says how manieth of those
// received it is.
func TestFramesHaveTheirNumbers(t *testing.T) {
	s := chartstest.NewSession(t)
	tr := s.Track(s.MainTrack())
	n := tr.NumFrames()
	first, last := tr.Frame(0).Number, tr.Frame(n-1).Number
	if first <= int64(n) {
		t.Fatalf("frames %d to %d can't be told from their places", first, last)
	}
	named := map[string]int{}
	everyText(s, map[string]func(v *view.View){
		"nothing":        func(*view.View) {},
		"a frame":        func(v *view.View) { v.SelectFrames(150, 150) },
		"several frames": func(v *view.View) { v.SelectFrames(100, 119) },
	}, func(d *panel.Def, where, text string) {
		for _, m := range frameNumbers.FindAllStringSubmatch(text, -1) {
			number, err := strconv.ParseInt(strings.ReplaceAll(m[1], "\u202f", ""), 10, 64)
			if named[d.ID]++; err != nil || number < first || number > last {
				t.Errorf("%s, %s: %q: frames are numbered %d to %d", d.ID, where, text, first, last)
			}
		}
	})
	for _, id := range []string{"timeline", "flame", "piano", "strip", "frames", "spikes", "statistics"} {
		if named[id] == 0 {
			t.Errorf("%s names no frame", id)
		}
	}
}
