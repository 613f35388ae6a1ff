package convert_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
)

// Random sessions come back from formats that have frames: the same threads, spans, frames, messages and counters,
// and figures of frames that are the same from one format to the other.
func TestRandomComesBack(t *testing.T) {
	for _, f := range []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat} {
		t.Run(f.ID, func(t *testing.T) { rapid.Check(t, func(r *rapid.T) { comeBack(r, t.TempDir(), f) }) })
	}
}

func comeBack(t *rapid.T, dir string, f *convert.Format) {
	s := converttest.Random(t, true)
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if err != nil {
		return // there is nothing in it
	}
	again := through(t, dir, f, p)
	if again == nil {
		return
	}
	want, got := converttest.Named(p), converttest.Named(testkit.Must(convert.Of(again, place.TimeRange{}, nil))(t))
	if f == &convert.PerfettoFormat { // in which flows are spans
		want.Arrows, got.Arrows = nil, nil
	}
	converttest.Differ(t, want, got)
	if a, b := figures(s), figures(again); !slices.Equal(a, b) {
		t.Errorf("figures of frames through %s:\n%s", f.ID, firstDifference(a, b))
	}
	if a, b := s.Ledger(), again.Ledger(); a != b {
		t.Errorf("account through %s:\n%+v\nnot\n%+v", f.ID, b, a)
	}
	for _, other := range []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat} {
		third := through(t, dir, other, testkit.Must(convert.Of(again, place.TimeRange{}, nil))(t))
		if a, b := figures(again), figures(third); !slices.Equal(a, b) {
			t.Errorf("figures of frames through %s and %s:\n%s", f.ID, other.ID, firstDifference(a, b))
		}
	}
}

// through writes a part and reads it, nil where there is nothing to write.
func through(t *rapid.T, dir string, f *convert.Format, p *convert.Part) *store.Session {
	path := filepath.Join(dir, "again"+f.Ext)
	file := testkit.Must(os.Create(path))(t)
	defer file.Close()
	if f.Give(t.Context(), p, file) != nil {
		return nil
	}
	return testkit.Must(load.File(t.Context(), path, load.Options{}))(t).Session
}

// firstDifference says where lists differ first.
func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		at := func(list []string) string {
			if i < len(list) {
				return list[i]
			}
			return "nothing"
		}
		if at(want) != at(got) {
			return fmt.Sprintf("%s\nnot\n%s", at(got), at(want))
		}
	}
	return ""
}

// figures are the statistics of the frames of all threads: times, and values of counters.
func figures(s *store.Session) (out []string) {
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if err != nil {
		return nil
	}
	for _, id := range p.Tracks {
		for _, figure := range []frames.Figure{frames.FigureNet, frames.FigureSelf, frames.FigureTotal, frames.FigureLevel} {
			for _, x := range s.Frames().ExactStats(id, figure, 0, s.Track(id).NumFrames()-1, nil) {
				out = append(out, fmt.Sprint(s.Track(id).Title(), " ", figure, " ", s.Collector(x.Collector).Title(), " ",
					x.Frames, x.Present, x.Count, x.Sum, x.Median, x.Max, x.MaxFrame))
			}
		}
	}
	slices.Sort(out)
	return out
}
