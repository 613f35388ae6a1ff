package convert

import (
	"path/filepath"
	"testing"

	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
)

// part is a range of a recording, all of it where the text is empty.
func part(t *testing.T, name, text string) *Part {
	t.Helper()
	rec := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{}))(t)
	r := testkit.Must(place.ParseRange(text))(t)
	return testkit.Must(Of(rec.Session, r, nil))(t, name, text)
}

// The spans of a part are those that touch the time of its frames, cut at the ends, in order of begin,
// callers first; their parts have the length of the whole.
func TestSpans(t *testing.T) {
	for name, ranges := range map[string][]string{
		"pstats/nested.pstats":                    {"", "10:20", "-5:", "1.5s:2s"},
		"chrometrace/engine-object.json.gz":       {"", "10:20", "100ms:200ms"},
		"speedscope/game-evented.speedscope.json": {"", "5ms:10ms"},
	} {
		for _, text := range ranges {
			p := part(t, name, text)
			total := int64(0)
			for _, id := range p.Tracks {
				total += testTrack(t, p, id)
			}
			if total == 0 {
				t.Errorf("%s %s: nothing", name, text)
			}
		}
	}
}

// testTrack compares the spans of a track with what lies in its lanes, and returns how many there are.
func testTrack(t *testing.T, p *Part, id model.TrackID) (n int64) {
	t.Helper()
	s := p.Session
	begin, end := p.Time(id)
	var want, got, ns, gotNs int64
	for lane := range s.Track(id).Lanes() {
		first, behind := s.Spans().Kept(id, lane)
		for i := first; i < behind; i++ {
			b, _ := s.Spans().ByRef(spans.Ref{Track: id, Lane: uint16(lane), Index: i})
			if b.End > begin && b.Begin < end || b.Begin == b.End && b.Begin >= begin && b.Begin <= end {
				want++
				ns += min(b.End, end) - max(b.Begin, begin)
			}
		}
	}
	last := Span{Span: model.Span{Begin: model.MinTime}}
	err := p.Spans(id, func(x *Span) error {
		if x.Begin < last.Begin || x.Begin == last.Begin && x.Lane < last.Lane {
			t.Errorf("%v after %v", x, last)
		}
		if x.Begin < begin || x.End > end || x.Begin > x.End {
			t.Errorf("%v outside of %d to %d", x, begin, end)
		}
		last = *x
		if x.Flags&model.SpanMoves == 0 {
			got++
		}
		gotNs += x.End - x.Begin
		return nil
	})
	if err != nil || got != want || gotNs != ns {
		t.Errorf("track %d: %d spans of %d ns instead of %d of %d, %v", id, got, gotNs, want, ns, err)
	}
	return got
}
