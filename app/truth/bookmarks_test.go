package truth

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
)

// What the list of bookmarks states is when the marked frames and spans were, and how long they took:
// found anew by their texts, as in a file, and compared with the frames and spans one by one.
func TestBookmarks(t *testing.T) {
	frames, marked := 0, 0
	eachSubject(t, func(t *testing.T, x *subject) {
		rig := chartstest.NewRig(x.s, 1, 800, 400)
		v := rig.Env.View
		v.Tick(1, false)
		want := map[string][2]int64{} // begin and end, by the text of the place
		add := func(p place.Place, begin, end int64) {
			again, err := place.Parse(p.String())
			if err != nil || again != p {
				t.Fatalf("%s: %+v, want %+v: %v", p, again, p, err)
			}
			if _, twice := want[p.String()]; twice {
				return
			}
			want[p.String()] = [2]int64{begin, end}
			if _, _, ok := v.Marks().Add(again, begin+1, end+2); !ok { // the session knows better
				t.Fatalf("%s was not added", p)
			}
		}
		for id := range x.s.NumTracks() {
			tr := x.s.Track(model.TrackID(id))
			if tr == nil || len(want) > 60 {
				continue
			}
			for i := 0; i < tr.NumFrames(); i += 1 + tr.NumFrames()/5 {
				if p, ok := place.OfFrames(x.s, tr.Def.ID, i, i); ok {
					f := tr.Frame(i)
					add(p, f.Begin, f.End)
					frames++
				}
			}
			for lane := range min(tr.Lanes(), 3) {
				first, end := x.s.Spans().Kept(tr.Def.ID, lane)
				b, ok := x.s.Spans().ByRef(spans.Ref{Track: tr.Def.ID, Lane: uint16(lane), Index: first + (end-first)/2})
				if !ok {
					continue
				}
				p, ok := place.OfSpan(x.s, b)
				if f, err := p.Find(x.s); !ok || err != nil || f.BeginNs != b.Begin || f.EndNs != b.End {
					t.Errorf("%s is %+v, %v, want %+v", p, f, err, b)
				}
				marked++
			}
		}
		p := tables.New()
		p.Update(rig.Env, draw.Rect{X1: 800, Y1: 4000}, &panel.Input{})
		got := map[string]map[string]float64{}
		for _, f := range p.Facts(rig.Env, nil) {
			m, ok := v.Marks().ByID(f.Of.Mark)
			if !ok || f.Of.Mark == 0 {
				t.Fatalf("a row is of no bookmark: %+v", f)
			}
			text := m.Place.String()
			if got[text] == nil {
				got[text] = map[string]float64{}
			}
			got[text][f.Measure] = f.Value
		}
		for text, w := range want {
			if g := got[text]; g["at"] != float64(w[0]) || math.Abs(g["took"]-float64(w[1]-w[0])) > 0 {
				t.Errorf("%s: %v, want %d to %d", text, g, w[0], w[1])
			}
		}
		if len(got) != len(want) || len(want) > place.MaxMarks {
			t.Errorf("%d rows of %d bookmarks", len(got), len(want))
		}
	})
	if frames == 0 || marked == 0 {
		t.Errorf("%d frames and %d spans were compared", frames, marked)
	}
}
