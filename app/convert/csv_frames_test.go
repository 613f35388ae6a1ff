package convert_test

import (
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// The table of frames opens again, as threads with the same frames at the same times, to the nanosecond.
// Its rows count anew.
func TestFramesOpen(t *testing.T) {
	for _, name := range []string{"pstats/gaps.pstats", "chrometrace/engine-object.json.gz", "puffin/pfd2.puffin"} {
		p := part(t, name, "")
		s := p.Session
		p.Table = convert.Frames.ID
		again, _ := converttest.Again(t, &convert.CSVFormat, p)
		compared := 0
		for _, id := range p.Tracks {
			want := s.Track(id)
			if want.NumFrames() == 0 {
				continue
			}
			b, err := place.FindTrack(again, want.Title())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got := again.Track(b)
			if got.NumFrames() != want.NumFrames() {
				t.Errorf("%s: %s has %d frames instead of %d", name, want.Title(), got.NumFrames(), want.NumFrames())
				continue
			}
			for i := range want.NumFrames() {
				if w, g := want.Frame(i), got.Frame(i); g.Begin != w.Begin || g.End != w.End {
					t.Errorf("%s: %s: %+v instead of %+v", name, want.Title(), g, w)
				}
				compared++
			}
		}
		if compared == 0 {
			t.Errorf("%s: nothing to compare", name)
		}
	}
}

// A thread whose name is a formula of a spreadsheet has that name again when its table of frames is opened.
func TestNamesOfFramesOpen(t *testing.T) {
	s := store.NewSession()
	want := map[string]bool{"=1+1": true, "@SUM(A1)": true, "-cmd|x": true, "'=1": true, "'quoted'": true}
	for name := range want {
		id := model.TrackID(s.NumTracks())
		s.Apply(model.TrackDef{ID: id, Name: name})
		for i := range int64(4) {
			s.Append(&model.Batch{Track: id, HasFrame: true, Number: i, Begin: i * 1e7, End: i*1e7 + 9e6})
		}
	}
	p := converttest.Part(t, s, "")
	p.Table = convert.Frames.ID
	again, path := converttest.Again(t, &convert.CSVFormat, p)
	for id := range model.TrackID(again.NumTracks()) {
		delete(want, again.Track(id).Def.Name)
	}
	if len(want) > 0 {
		t.Errorf("no threads called %v in %s", want, path)
	}
}
