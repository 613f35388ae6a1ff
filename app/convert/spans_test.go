package convert

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
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
			testkit.That(t, total != 0, "%s %s: nothing", name, text)
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
		testkit.That(t, x.Begin >= last.Begin && (x.Begin != last.Begin || x.Lane >= last.Lane), "%v after %v", x, last)
		testkit.That(t, x.Begin >= begin && x.End <= end && x.Begin <= x.End, "%v outside of %d to %d", x, begin, end)
		last = *x
		if x.Flags&model.SpanMoves == 0 {
			got++
		}
		gotNs += x.End - x.Begin
		return nil
	})
	testkit.That(t, err == nil && got == want && gotNs == ns,
		"track %d: %d spans of %d ns instead of %d of %d, %v", id, got, gotNs, want, ns, err)
	return got
}

// In each row what begins last ends first, times go up, and each span begins and ends once.
func TestNested(t *testing.T) {
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/bevy-async.json.gz", "gsttrace/all-audio-chain.log.gz", "gotrace/game-122.trace.gz",
		"perfetto/frametimeline.pftrace.gz",
	} {
		p := part(t, name, "")
		for _, id := range p.Tracks {
			want, begun, last := 0, 0, int64(model.MinTime)
			p.Spans(id, func(*Span) error { want++; return nil })
			rows := map[int][]Span{}
			p.Nested(id, func(e Edge) error {
				row, at := rows[e.Row], e.End
				if n := len(row); e.Begins {
					at = e.Begin
					begun++
					if n > 0 && row[n-1].End < e.End {
						t.Errorf("%s: %v sticks out of %v", name, *e.Span, row[n-1])
					}
					rows[e.Row] = append(row, *e.Span)
				} else if rows[e.Row] = row[:n-1]; row[n-1] != *e.Span {
					t.Errorf("%s: %v ends before %v", name, *e.Span, row[n-1])
				}
				testkit.That(t, at >= last, "%s: %d after %d", name, at, last)
				last = at
				return nil
			})
			for row, open := range rows {
				testkit.That(t, len(open) == 0, "%s: row %d has %d spans without an end", name, row, len(open))
			}
			testkit.That(t, begun == want, "%s: %d spans instead of %d", name, begun, want)
		}
	}
}

// The process of the main thread has the number that the session tells, others that by which they are called; no two
// have the same one, and none is longer than formats have room for.
func TestPIDs(t *testing.T) {
	for _, c := range []struct {
		pid       int64
		processes []string
		threads   []string
		want      []int64
	}{
		{-1, []string{""}, nil, []int64{1}},
		{4711, []string{""}, nil, []int64{4711}},
		{1 << 31, []string{""}, nil, []int64{1}},
		{900, []string{"a", "game", "b"}, nil, []int64{1, 900, 3}},
		{3, []string{"a", "game", "b"}, nil, []int64{1, 3, 4}},
		{900, []string{"process 3", "game", "process 900", "process 3000000000", "process 2x"}, nil, []int64{3, 900, 4, 5, 6}},
		{900, []string{"a", "game"}, []string{"T0"}, []int64{1}}, // it is of another one
		{900, []string{"a", "game"}, []string{"T1"}, []int64{900}},
	} {
		s := store.NewSession()
		s.Apply(model.Info{PID: c.pid})
		for i, process := range c.processes {
			s.Apply(model.TrackDef{
				ID: model.TrackID(i), Name: fmt.Sprint("T", i), Process: process, Object: model.NoObject, Peer: model.NoObject,
			})
			s.Append(&model.Batch{Track: model.TrackID(i), Messages: []model.Message{{Time: 1, Text: "ready"}}})
			if process == "game" {
				s.Append(&model.Batch{Track: model.TrackID(i), HasFrame: true, Begin: 0, End: 5})
			}
		}
		p := testkit.Must(Of(s, place.TimeRange{}, c.threads))(t)
		procs, _ := p.Threads()
		var got []int64
		for _, x := range procs {
			got = append(got, x.PID)
		}
		testkit.That(t, slices.Equal(got, c.want), "process %d, %q: %d, not %d", c.pid, c.processes, got, c.want)
	}
}
