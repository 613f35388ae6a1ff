package feedtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// File writes a file into a folder of the test's own, and returns its path.
func File[T string | []byte](t testing.TB, name string, data T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Load reads a file into a session. The error is that of the source.
func Load(t testing.TB, source feed.Source, path string) (*store.Session, error) {
	t.Helper()
	k := &Into{Session: store.NewSession()}
	err := source.OpenFile(t.Context(), path, k)
	return k.Session, err
}

// Open is Load of a file that the source must read.
func Open(t testing.TB, source feed.Source, path string) *store.Session {
	t.Helper()
	s, err := Load(t, source, path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Made is Open of a file of that name and content.
func Made[T string | []byte](t testing.TB, source feed.Source, name string, data T) *store.Session {
	t.Helper()
	return Open(t, source, File(t, name, data))
}

// Gzip packs bytes.
func Gzip(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// Steps is a size of pieces that are all as long.
func Steps(n int) func(int) int { return func(int) int { return n } }

// Pieces writes data in pieces, with lengths given by size, up to the first error. Each piece is a
// copy that write must not keep.
func Pieces(data []byte, size func(i int) int, write func(piece []byte) error) error {
	for i := 0; len(data) > 0; i++ {
		n := min(max(size(i), 1), len(data))
		piece := append([]byte(nil), data[:n]...)
		if err := write(piece); err != nil {
			return err
		}
		clear(piece)
		data = data[n:]
	}
	return nil
}

// Stream writes data into a stream of the source, in pieces with lengths given by size. With rest, it
// is idle after each.
func Stream(source feed.Streamer, sink feed.Sink, data []byte, size func(i int) int, rest bool) error {
	s := source.NewStream(sink, feed.StreamOptions{Name: "it"})
	defer s.Close("")
	return Pieces(data, size, func(piece []byte) error {
		_, err := s.Write(piece)
		if rest && err == nil {
			s.Idle()
		}
		return err
	})
}

// Streamed is Stream into a session, in pieces that are all as long. The source must take them.
func Streamed(t testing.TB, source feed.Streamer, data []byte, step int, rest bool) *store.Session {
	t.Helper()
	k := &Into{Session: store.NewSession()}
	if err := Stream(source, k, data, Steps(step), rest); err != nil {
		t.Fatal(err)
	}
	return k.Session
}

// Losses returns the losses of a session, a line each.
func Losses(s *store.Session) string {
	_, lines := s.Losses()
	return strings.Join(lines, "\n")
}

// Tracks returns all tracks of a session.
func Tracks(s *store.Session) (list []*store.Track) {
	for id := range model.TrackID(s.NumTracks()) {
		list = append(list, s.Track(id))
	}
	return list
}

// Bars returns the spans of a row, one by one.
func Bars(s *store.Session, track model.TrackID, row int) []spans.Bar {
	begin, end, ok := s.Track(track).Bounds()
	if !ok {
		return nil
	}
	return s.Spans().Visible(track, row, begin, end+1, 0, nil)
}

// Tree returns the call paths of all threads by a measure.
func Tree(s *store.Session, m spans.Measure) *spans.Tree {
	var all []model.TrackID
	for _, tr := range Tracks(s) {
		all = append(all, tr.Def.ID)
	}
	return TreeOf(s, m, all...)
}

// TreeOf is Tree of some threads.
func TreeOf(s *store.Session, m spans.Measure, tracks ...model.TrackID) *spans.Tree {
	var tree spans.Tree
	s.Spans().TreeOf(m, tracks, 0, 1, &tree)
	return &tree
}

// Head returns the first bytes of a file, at most feed.HeadSize, its compression undone; a damaged one may end early.
func Head(t testing.TB, path string) []byte {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	r := testkit.Must(feed.Uncompressed(f))(t)
	head, err := io.ReadAll(io.LimitReader(r, feed.HeadSize))
	testkit.MustThat(t, len(head) > 0, "%s: %v", path, err)
	return head
}
