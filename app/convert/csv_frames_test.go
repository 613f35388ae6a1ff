package convert_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// The table of frames opens again, as threads with the same frames at the same times, to the nanosecond.
// Its rows count anew.
func TestFramesOpen(t *testing.T) {
	for _, name := range []string{"pstats/gaps.pstats", "chrometrace/engine-object.json.gz", "puffin/pfd2.puffin"} {
		rec := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{}))(t)
		s := rec.Session
		p, err := convert.Of(s, place.TimeRange{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Table = convert.Frames.ID
		var out bytes.Buffer
		testkit.OK(t, convert.CSVFormat.Write(t.Context(), p, &out))
		path := filepath.Join(t.TempDir(), "frames.csv")
		testkit.OK(t, os.WriteFile(path, out.Bytes(), 0o600))
		if rec, err = load.File(t.Context(), path, load.Options{}); err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, id := range p.Tracks {
			want := s.Track(id)
			if want.NumFrames() == 0 {
				continue
			}
			b, err := place.FindTrack(rec.Session, want.Title())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got := rec.Session.Track(b)
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
	p := testkit.Must(convert.Of(s, place.TimeRange{}, nil))(t)
	p.Table = convert.Frames.ID
	path := filepath.Join(t.TempDir(), "frames.csv")
	var out bytes.Buffer
	testkit.OK(t, errors.Join(convert.CSVFormat.Write(t.Context(), p, &out), os.WriteFile(path, out.Bytes(), 0o600)))
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	for id := range model.TrackID(rec.Session.NumTracks()) {
		delete(want, rec.Session.Track(id).Def.Name)
	}
	if len(want) > 0 {
		t.Errorf("no threads called %v in %s", want, out.String())
	}
}
