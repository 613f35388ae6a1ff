package puffin

import (
	"fmt"
	"slices"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/net/feed/feedtest"
)

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"pfd1.puffin", "pfd2.puffin", "http_join_late.puffinstream", "broken-cut.puffin"} {
		data := recordings.Read(f, recordings.Puffin, name)
		f.Add(uint8(5), data[:min(len(data), 5000)])
	}
	frames := random(1, 4)
	for i, version := range []byte{'4', '3', '2', '1'} {
		var records [][]byte
		for k := range frames {
			records = append(records, frames[k].record(version, byte(k%3)))
		}
		f.Add(uint8(i), file(records...))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		read := func(step int, idle bool) (string, string) {
			k := feedtest.NewRuled(t)
			k.Also = func(b *model.Batch) {
				for _, sp := range b.Spans {
					if !b.HasFrame || sp.End > b.End {
						t.Fatalf("a span %+v in the frame from %d to %d", sp, b.Begin, b.End)
					}
				}
				if slices.ContainsFunc(b.Self, func(a model.CollectorTime) bool { return a.Count < 1 }) {
					t.Fatalf("alone: %+v", b.Self)
				}
			}
			err := feedtest.Stream(Source{}, k, data, feedtest.Steps(step), idle)
			if n := k.Session.Limits(); len(n) > 0 && len(data) < 1<<16 {
				t.Errorf("limits: %v", n)
			}
			feedtest.Unrefused(t, k.Session)
			total := 0
			for _, tr := range feedtest.Tracks(k.Session) {
				total += int(tr.NumSpans())
			}
			if !idle && total != k.Spans {
				t.Errorf("%d spans in the session, of %d", total, k.Spans)
			}
			return picture(k.Session) + feedtest.Losses(k.Session), fmt.Sprint(err)
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
