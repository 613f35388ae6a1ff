package timeline

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Heads of tracks and groups have their names at every width of the gutter: whole, or cut with a mark
// and then without a number beside them that takes the room.
func TestHeadsHaveNamesAtEveryWidth(t *testing.T) {
	sessions := map[string]*store.Session{
		"frames": chartstest.NewSession(t), "samples": chartstest.LoadFlare(t, "recorded-60s"),
		"pipeline": chartstest.LoadTrace(t, "latency-tee-queues.log.gz"),
	}
	cut := 0
	for name, s := range sessions {
		env := chartstest.NewEnv(s, 1)
		var tl Timeline
		begin, end, _ := s.Bounds()
		env.View.Steer().PlaceTime(begin, end+1)
		checked := 0
		for w := float32(200); w < 900; w += 13 {
			chartstest.Settle(env, &tl, draw.Rect{X1: w, Y1: 700})
			g := tl.pane.Gutter()
			texts := tl.List().Texts()
			for i := range tl.stack.Groups() {
				b := &tl.stack.Groups()[i]
				top, h := tl.stack.Band(i)
				row := tl.spans.nameRow(&tl.pane, env, b, tl.pane.ScreenY(top), tl.pane.ScreenY(top+h))
				if row.Y0 < g.Y0 || row.Y1 > g.Y1 || b.many != nil && b.head.key == "" {
					continue
				}
				title := s.Track(b.track).Title()
				if b.head.key != "" {
					title = b.head.title
				}
				checked++
				found, beside := "", false
				for _, x := range texts {
					if x.Box.X1 > g.X1 || x.Box.Y1 > row.Y1 || x.Box.Y0 < row.Y0 {
						continue
					}
					if found == "" && isOf(x.Text, title) {
						found = x.Text
					} else {
						beside = true
					}
				}
				switch whole := found == title; {
				case len([]rune(strings.ReplaceAll(found, "…", ""))) < min(3, len([]rune(title))):
					t.Errorf("%s, %v wide: %q is %q", name, w, title, found)
				case !whole && beside && !panel.RoomBeside(env, draw.Medium, title, row.W(), 0):
					t.Errorf("%s, %v wide: %q is cut to %q for a number", name, w, title, found)
				case !whole:
					cut++
				}
			}
		}
		if checked == 0 {
			t.Errorf("%s has no heads", name)
		}
	}
	if cut == 0 {
		t.Error("no name was cut")
	}
}

// isOf tells whether a text is a name, or what is left of one that was cut.
func isOf(text, name string) bool {
	for _, part := range strings.Split(text, "…") {
		if _, after, ok := strings.Cut(name, part); ok {
			name = after
			continue
		}
		return false
	}
	return true
}
