package puffin

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// checked is a session whose batches are looked at before they are appended.
type checked struct {
	feedtest.Into
	t     *testing.T
	spans int
}

func (c *checked) Publish(b *model.Batch) bool {
	c.spans += len(b.Spans)
	sum := int64(0)
	for i, sp := range b.Spans {
		if sp.End < sp.Begin || !b.HasFrame || sp.Begin < b.Begin || sp.End > b.End {
			c.t.Fatalf("a span %+v in the frame from %d to %d", sp, b.Begin, b.End)
		}
		if i > 0 {
			if p := b.Spans[i-1]; sp.Begin < p.Begin || sp.Begin == p.Begin && sp.Lane < p.Lane {
				c.t.Fatalf("spans out of order: %+v, %+v", p, sp)
			}
		}
	}
	for i, a := range b.Alone {
		sum += a.Ns
		if a.Ns < 0 || a.Count < 1 || i > 0 && a.Collector <= b.Alone[i-1].Collector {
			c.t.Fatalf("alone: %+v", b.Alone)
		}
	}
	if sum > b.End-b.Begin {
		c.t.Fatalf("%d ns alone in a frame of %d", sum, b.End-b.Begin)
	}
	return c.Into.Publish(b)
}

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"pfd1.puffin", "pfd2.puffin", "http_join_late.puffinstream", "broken-cut.puffin"} {
		data := recordings.Read(f, recordings.Puffin, name)
		f.Add(uint8(5), data[:min(len(data), 5000)])
	}
	frames := random(1, 4)
	for i, version := range []byte{'4', '3', '2', '1', 0} {
		var records [][]byte
		for k := range frames {
			records = append(records, frames[k].record(version, byte(k%3)))
		}
		f.Add(uint8(i), file(records...))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		read := func(step int, idle bool) (string, string) {
			k := &checked{Into: feedtest.Into{Session: store.NewSession()}, t: t}
			s := Source{}.NewStream(k, feed.StreamOptions{Name: "it"})
			var err error
			for at := 0; at < len(data) && err == nil; at += step {
				if _, err = s.Write(data[at:min(at+step, len(data))]); idle && err == nil {
					s.Idle()
				}
			}
			s.Close("")
			if n := k.Session.Limits(); len(n) > 0 && len(data) < 1<<16 {
				t.Errorf("limits: %v", n)
			}
			_, lines := k.Session.Losses()
			for _, line := range lines {
				for _, bad := range []string{"spans that", "batch of", "a frame "} { // what the store itself refuses
					if strings.HasPrefix(line, bad) {
						t.Errorf("the store says: %s", line)
					}
				}
			}
			total := 0
			for id := range model.TrackID(k.Session.NumTracks()) {
				total += int(k.Session.Track(id).NumSpans())
			}
			if !idle && total != k.spans {
				t.Errorf("%d spans in the session, of %d", total, k.spans)
			}
			return picture(k.Session) + strings.Join(lines, "\n"), fmt.Sprint(err)
		}
		want, wantErr := read(max(len(data), 1), false)
		if got, err := read(1+int(step), false); got != want || err != wantErr {
			t.Fatalf("pieces of %d: %s\n%s\nwhole: %s\n%s", step, err, got, wantErr, want)
		}
		read(1+int(step), true)
		var m Messages
		for i := range 2 {
			m.Connected()
			m.Write(data[i*len(data)/2:], func(b []byte, _ bool) error {
				if len(b) < 6 {
					t.Fatalf("a message of %d bytes", len(b))
				}
				return nil
			})
		}
	})
}
