package details

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// Details of an element are of the time that its figures in the pipeline are of: at the playhead the
// state that it has then, also where nothing changed in the last second.
func TestDetailsOfAnElementAreOfThePlayhead(t *testing.T) {
	w := chartstest.NewTopoWriter()
	e, _ := w.Element(model.NoObject, "queue2", "GstQueue", "sink", "src")
	w.States(e, 100_000_000, 4) // null, ready, paused, playing at 0.1 to 0.4 s
	s := w.Session()
	s.Apply(model.End{})
	env := testEnv(s)
	for _, c := range []struct {
		at          int64
		head, state string
	}{
		{250_000_000, "in the last second at 0:00.250", "ready since 0:00.200"},
		{2_500_000_000, "in the last second at 0:02.500", "playing since 0:00.400"},
		{3_000_000_000, "in all of the recording", "playing, the highest"},
	} {
		env.View.SetPlayhead(c.at)
		env.View.Select(view.Element(e))
		p := &Panel{}
		p.Update(env, draw.Rect{X1: 320, Y1: 400}, &panel.Input{})
		found := false
		for _, f := range p.Facts(env, nil) {
			if f.Measure != "state" {
				continue
			}
			if found = true; f.Text != c.state || f.Header != c.head {
				t.Errorf("at %d: %q, %q, want %q, %q", c.at, f.Header, f.Text, c.head, c.state)
			}
		}
		if !found {
			t.Errorf("at %d: no state", c.at)
		}
	}
}

// Details of a span in a frame name its thread, its begin and its frame, and whose the figures of
// the frame are.
func TestDetailsOfASpanSayWhereItIs(t *testing.T) {
	s := testSession(5)
	env := testEnv(s)
	f := s.Track(0).Frame(2)
	env.View.SelectSpan(s.Spans().Visible(0, 1, f.Begin, f.End, 0, nil)[0])
	p := &Panel{}
	p.Update(env, draw.Rect{X1: 320, Y1: 400}, &panel.Input{})
	got := map[string]string{}
	for _, f := range p.Facts(env, nil) {
		if strings.HasPrefix(f.Header, "this span") {
			got["head"], got[f.Measure] = f.Header, f.Text
		}
	}
	for name, want := range map[string]string{
		"head": "this span, in frame 102", "took": "4.00 ms", "thread": "Main", "begins": "0:00.021",
	} {
		if !strings.HasPrefix(got[name], want) {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}
