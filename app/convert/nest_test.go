package convert

import (
	"testing"

	"framescope/model"
)

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
				if at < last {
					t.Errorf("%s: %d after %d", name, at, last)
				}
				last = at
				return nil
			})
			for row, open := range rows {
				if len(open) > 0 {
					t.Errorf("%s: row %d has %d spans without an end", name, row, len(open))
				}
			}
			if begun != want {
				t.Errorf("%s: %d spans instead of %d", name, begun, want)
			}
		}
	}
}
