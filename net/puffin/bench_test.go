package puffin

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// nowhere is a sink that keeps nothing.
type nowhere struct {
	b     model.Batch
	spans int64
}

func (n *nowhere) Define(model.Change)   {}
func (n *nowhere) Begin() *model.Batch   { n.b.Reset(); return &n.b }
func (n *nowhere) Progress(int64, int64) {}
func (n *nowhere) Publish(b *model.Batch) bool {
	n.spans += int64(len(b.Spans))
	return true
}

// bigFile writes a recording of a game with some 600 scopes a frame, as puffin packs it.
func bigFile(b *testing.B, frames int) (path string, size int64) {
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
	path = filepath.Join(b.TempDir(), "big.puffin")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	return path, int64(len(data))
}

// BenchmarkOpen reads a recording of a million scopes and one of a real game: the file alone, and
// into a session. Bytes are those of the file, which is packed.
func BenchmarkOpen(b *testing.B) {
	big, size := bigFile(b, 1700)
	game := recordings.File(b, recordings.Puffin, "http_join_late.puffinstream")
	st, err := os.Stat(game)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		size       int64
	}{{"made", big, size}, {"game", game, st.Size()}} {
		b.Run(c.name+"/decode", func(b *testing.B) {
			b.SetBytes(c.size)
			k := &nowhere{}
			for b.Loop() {
				if err := (Source{}).OpenFile(b.Context(), c.path, k); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(k.spans)/b.Elapsed().Seconds()/1e6, "Mspans/s")
		})
		b.Run(c.name+"/session", func(b *testing.B) {
			b.SetBytes(c.size)
			n := int64(0)
			for b.Loop() {
				k := &feedtest.Into{Session: store.NewSession()}
				if err := (Source{}).OpenFile(b.Context(), c.path, k); err != nil {
					b.Fatal(err)
				}
				for i := range k.Session.NumTracks() {
					n += k.Session.Track(model.TrackID(i)).NumSpans()
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mspans/s")
		})
	}
}
