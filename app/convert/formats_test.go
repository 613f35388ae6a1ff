package convert_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// give writes all of a session in a format, if it can be, and returns whether it was.
func give(t *testing.T, s *store.Session, f *convert.Format) bool {
	t.Helper()
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if errors.Is(err, place.ErrNoFrames) {
		return false // there is nothing in it at all
	}
	testkit.OK(t, err)
	if f.Check(p) != nil {
		return false
	}
	if f.Folder != nil {
		err = f.Folder(context.Background(), p, t.TempDir())
	} else {
		err = f.Write(context.Background(), p, io.Discard)
	}
	if err != nil {
		t.Errorf("%s: %v", f.ID, err)
	}
	return true
}

// Every recording, also as far as a damaged one is read, is given back in every format, or is told why it can't be.
// TestEverythingComesBack gives the others.
func TestRecordings(t *testing.T) {
	opened, written := map[string]int{}, map[string]int{}
	for _, rec := range everything(t) {
		opened[filepath.Dir(rec.name)]++
		t.Run(rec.name, func(t *testing.T) {
			for _, f := range convert.AllFormats {
				if comesBack := same[f] != nil && rec.whole && lost[f][rec.name] == ""; !comesBack && give(t, rec.session, f) {
					written[f.ID]++
				}
			}
		})
	}
	if len(opened) < 14 || len(written) != len(convert.AllFormats) {
		t.Errorf("opened %v, written %v", opened, written)
	}
}

// A session of series alone, without a thread, is one of a process.
func TestSeriesAlone(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Track: model.NoTrack})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 0, Time: 5, Value: 1}}})
	n := 0
	for _, f := range convert.AllFormats {
		if give(t, s, f) {
			n++
		}
	}
	if n < 2 {
		t.Errorf("%d formats", n)
	}
	p := convert.Between(s, 0, 10)
	procs, threads := p.Threads()
	if list := p.Counters(threads); len(procs) != 1 || len(threads) != 0 || len(list) != 1 || list[0].Process != 0 {
		t.Errorf("%v, %v, %v", procs, threads, list)
	}
}

// The end of a name says in which format a file is, and whether it is compressed.
func TestPacked(t *testing.T) {
	s := twins()
	for name, magic := range map[string]string{
		"x.json": "{", "x.json.gz": "\x1f\x8b", "x.json.zst": "\x28\xb5\x2f\xfd", "x.FOLDED.GZ": "\x1f\x8b", "x.pb.gz": "\x1f\x8b",
	} {
		f, err := convert.FindFormat("", name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		file := testkit.Must(os.Create(path))(t)
		p := testkit.Must(convert.Of(s, place.TimeRange{}, nil))(t)
		testkit.OK(t, f.Pack(file, path, func(w io.Writer) error { return f.Give(t.Context(), p, w) }))
		file.Close()
		if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), magic) {
			t.Errorf("%s begins with %q", name, text[:min(len(text), 4)])
		}
		if rec, err := load.File(t.Context(), path, load.Options{}); err != nil || rec.Session.NumTracks() != 4 {
			t.Errorf("%s opens as %v, %v", name, rec, err)
		}
	}
	if f, err := convert.FindFormat("", "x.csv.zst"); err != nil || f.InFolder("x.csv.zst") || !f.InFolder("tables") {
		t.Errorf("x.csv.zst: %v", err)
	}
}

// Of a part, a series that holds has the value at its begin that was in force then.
func TestHeldValue(t *testing.T) {
	s := twins()
	s.Apply(model.SeriesDef{ID: 0, Name: "used", Group: "memory", Kind: model.SeriesGauge, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 2, Value: 7}, {Time: 12, Value: 8}}})
	p := convert.Between(s, 10, 14)
	_, threads := p.Threads()
	var got []string
	p.Values(p.Counters(threads), func(_ *convert.Counter, ns int64, v float64) error {
		got = append(got, fmt.Sprint(ns, " ", v))
		return nil
	})
	if want := "[10 7 12 8]"; fmt.Sprint(got) != want {
		t.Errorf("%v, not %s", got, want)
	}
}
