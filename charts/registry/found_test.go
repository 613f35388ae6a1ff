package registry

import (
	"fmt"
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/find"
)

// collectorPanels are the panels that show collectors, each by its colour.
var collectorPanels = []string{"timeline", "flame", "piano", "strip", "collectors", "statistics", "calltree", "calls"}

// TestFoundAndHoveredStandOutEverywhere searches: in every panel that shows collectors what is found
// is outlined in the accent, and what is not steps back; without the search everything is as it was.
// So it is with what lies under the mouse in any of them.
func TestFoundAndHoveredStandOutEverywhere(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 1100, 700)
	v, th := rig.Env.View, rig.Env.Theme
	v.Follow(false)
	v.SelectFrames(100, 100)
	v.Steer().PlaceTime(v.RangeA()-10_000_000, v.RangeB()+10_000_000)
	draws := model.NoCollector
	for id := range model.CollectorID(s.Collectors().Len()) {
		if c := s.Collector(id); c != nil && c.FullName == "Draw" {
			draws = id
		}
	}
	v.SelectCollectorOf(v.Track(), draws) // whose calls are listed
	panels := map[string]panel.Panel{}
	for _, id := range collectorPanels {
		d, ok := Find(id)
		if !ok {
			t.Fatalf("there is no panel %s", id)
		}
		panels[id] = d.New()
	}
	pointed := model.NoCollector
	picture := func(id string) []draw.Vertex {
		for range 4 {
			if pointed != model.NoCollector {
				v.Pointer().Set(t, pointed, 0, false)
			}
			rig.Tick(panels[id])
		}
		return slices.Clone(panels[id].List().Vertices)
	}
	count := func(vs []draw.Vertex, c draw.Color) (n int) {
		for i := range vs {
			if x := &vs[i]; x.A == 1 && x.R == float32(c.R)*(1.0/255) && x.G == float32(c.G)*(1.0/255) && x.B == float32(c.B)*(1.0/255) {
				n++
			}
		}
		return n
	}
	accent, own := draw.Color(th.Accent), rig.Env.Palette().Fill(draws)
	before := map[string][]draw.Vertex{}
	for id := range panels {
		before[id] = picture(id)
		if count(before[id], own) == 0 {
			t.Errorf("%s does not show the collector to be found", id)
		}
	}
	v.Look().SetFound(true, []model.CollectorID{draws})
	for id := range panels {
		if now := picture(id); count(now, accent) <= count(before[id], accent) {
			t.Errorf("what is found is not outlined in %s", id)
		}
	}
	v.Look().SetFound(true, nil)
	for _, id := range []string{"timeline", "flame", "piano", "strip"} {
		if n := count(picture(id), own); n > 0 {
			t.Errorf("what is not found does not step back in %s", id)
		}
	}
	v.Look().SetFound(false, nil)
	for id := range panels {
		if !slices.Equal(picture(id), before[id]) {
			t.Errorf("after the search %s is not what it was", id)
		}
	}
	pointed = draws
	for id := range panels {
		if id != "calls" && slices.Equal(picture(id), before[id]) { // there all rows are of it
			t.Errorf("what is under the mouse elsewhere is not lit in %s", id)
		}
	}
}

// A search for calls lights those that it finds and no others of their collector, and the frames in
// which they are: in the timeline and the frame strip.
func TestFoundCallsStandOut(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 1100, 700)
	v, th := rig.Env.View, rig.Env.Theme
	v.Follow(false)
	v.SelectFrames(100, 100)
	v.Steer().PlaceTime(v.RangeA()-10_000_000, v.RangeB()+10_000_000)
	accents := func(id, expr string) (n int) {
		e, err := find.Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		var hits find.Hits
		hits.Search(s, e)
		for !hits.Done() {
			hits.Step(1<<40, 0)
		}
		v.Look().SetFoundCalls(&hits)
		d, _ := Find(id)
		p := d.New()
		for range 4 {
			rig.Tick(p)
		}
		for i := range p.List().Vertices {
			x, c := &p.List().Vertices[i], th.Accent
			if x.A == 1 && x.R == float32(c.R)*(1.0/255) && x.G == float32(c.G)*(1.0/255) && x.B == float32(c.B)*(1.0/255) {
				n++
			}
		}
		return n
	}
	at := s.Track(v.Track()).Frame(100).Number
	for _, id := range []string{"timeline", "frames"} {
		none, all := accents(id, ">1000s"), accents(id, "Draw >=0ns")
		one, some := accents(id, fmt.Sprintf("Draw frame:%d", at)), accents(id, fmt.Sprintf("Draw frame:%d-%d", at-5, at))
		if one <= none || some < one || all < some || id == "frames" && (some <= one || all <= some) {
			t.Errorf("%s: of no call %d, of one frame %d, of some %d, of all %d are lit", id, none, one, some, all)
		}
	}
}

// TestOutsideStepsBack selects a frame: spans outside of it step back in the timeline.
func TestOutsideStepsBack(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 1100, 700)
	v := rig.Env.View
	v.Follow(false)
	v.SelectFrames(100, 100)
	v.Steer().PlaceTime(v.RangeA()-40_000_000, v.RangeB()+40_000_000)
	d, _ := Find("timeline")
	line := d.New()
	fills := func() (whole, outside int) {
		for range 4 {
			rig.Tick(line)
		}
		pal := rig.Env.Palette()
		for _, x := range line.List().Vertices {
			for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
				w, o := pal.Drawn(id, false).Fill, pal.Drawn(id, true).Fill
				switch {
				case x.R == float32(w.R)*(1.0/255) && x.G == float32(w.G)*(1.0/255) && x.B == float32(w.B)*(1.0/255):
					whole++
				case x.R == float32(o.R)*(1.0/255) && x.G == float32(o.G)*(1.0/255) && x.B == float32(o.B)*(1.0/255):
					outside++
				}
			}
		}
		return whole, outside
	}
	if whole, outside := fills(); whole == 0 || outside <= whole {
		t.Errorf("%d corners of bars stand out, %d step back: most of the time is outside", whole, outside)
	}
	v.Steer().PlaceTime(v.RangeA(), v.RangeB())
	if whole, outside := fills(); whole == 0 || outside > 0 {
		t.Errorf("inside the selected frame %d corners of bars stand out, %d step back", whole, outside)
	}
}
