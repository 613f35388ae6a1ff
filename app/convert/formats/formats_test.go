package formats_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/formats"
	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/model"
	"framescope/model/store"
)

// give writes all of a session in a format, if it can be, and returns whether it was.
func give(t *testing.T, s *store.Session, f *convert.Format) bool {
	t.Helper()
	p, err := convert.Of(s, timerange.Range{}, nil)
	if errors.Is(err, timerange.ErrNoFrames) {
		return false // there is nothing in it at all
	}
	if err != nil {
		t.Fatal(err)
	}
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

// Every recording is given back in every format, or is told why it can't be.
func TestRecordings(t *testing.T) {
	root := "../../../testdata"
	opened, written := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(path, ".truth.") || strings.HasSuffix(path, ".md") {
			return err
		}
		rec, err := load.File(t.Context(), path, load.Options{})
		if err != nil && rec == nil {
			return nil // truths beside the recordings, and some that are damaged
		}
		opened[filepath.Base(filepath.Dir(path))]++
		t.Run(filepath.ToSlash(strings.TrimPrefix(path, root)), func(t *testing.T) {
			for _, f := range formats.All {
				if give(t, rec.Session, f) {
					written[f.ID]++
				}
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(opened) < 14 || len(written) != len(formats.All) {
		t.Errorf("opened %v, written %v", opened, written)
	}
}

// A session of series alone, without a thread, is one of a process.
func TestSeriesAlone(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Track: model.NoTrack})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 0, Time: 5, Value: 1}}})
	n := 0
	for _, f := range formats.All {
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
