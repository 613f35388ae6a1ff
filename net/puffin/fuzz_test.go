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

// bigFile returns a recording of a game with some 600 scopes a frame, as puffin packs it.
func bigFile(frames int) []byte {
	data := []byte(fileMagic)
	for i := range frames {
		f := madeFrame{number: uint64(i)}
		for th, name := range []string{"main", "render", "worker", "worker", "audio", "loader"} {
			x := madeThread{start: int64(th), name: name}
			at := int64(i)*16e6 + int64(th)*1000
			for k := range 5 {
				m := made{id: uint32(1 + k), begin: at, stop: at + 2e6}
				for j := range int64(19) {
					m.inner = append(m.inner, one(uint32(10+j*3+int64(k)), at+j*1e5, at+j*1e5+7e4+int64(i*31%977)))
				}
				x.scopes = append(x.scopes, m)
				at += 3e6
			}
			f.threads = append(f.threads, x)
		}
		data = append(data, f.record('4', packedLZ4)...)
	}
	return data
}

// BenchmarkOpen reads a recording of a million scopes. Bytes are those of the file, which is packed.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "big.puffin", bigFile(1700)) }
