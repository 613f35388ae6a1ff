package launch

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/feed"
)

// known is the registry of the program.
func known(t *testing.T) feed.Registry {
	t.Helper()
	return testkit.Must(load.Sources{}.Registry())(t)
}

// factsOf are what must be the same of a recording, whichever way it came in: all its tables, and sums by call path.
func factsOf(t *testing.T, s *store.Session) string {
	t.Helper()
	var b strings.Builder
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if errors.Is(err, place.ErrNoFrames) {
		return "nothing"
	}
	testkit.NoErr(t, err)
	for _, p.Table = range convert.CSVFormat.Tables {
		if p.Table == "processes" { // may be called as the file is
			continue
		}
		if err := convert.CSVFormat.Write(t.Context(), p, &b); err != nil {
			fmt.Fprintln(&b, err) // it has none of this
		}
	}
	if convert.FoldedFormat.Check(p) == nil {
		testkit.NoErr(t, convert.FoldedFormat.Write(t.Context(), p, &b))
	}
	return b.String()
}

// same demands two texts to be equal, and shows where they part.
func same(t *testing.T, way, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	from := max(0, at-80)
	t.Errorf("%s: from byte %d on it is\n%.300s\nnot\n%.300s", way, at, got[min(from, len(got)):], want[min(from, len(want)):])
}

// plain undoes how a recording is compressed.
func plain(t *testing.T, path string) []byte {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	r := testkit.Must(feed.Uncompressed(f))(t)
	data, err := io.ReadAll(r)
	testkit.MustThat(t, err == nil || len(data) != 0, "%v", err)
	return data
}

// compressed is how files are compressed, by what their names end with.
var compressed = map[string]func(w io.Writer) (io.WriteCloser, error){
	"":     func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil },
	".gz":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	".zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// TestEveryFormatComesInEveryWay: each recording of each format is the same session from a file as it is,
// from one that is gzipped or compressed by Zstandard (one of each source and kind of file), and in pieces where the
// format is read while it grows. Of other formats an error says that they must be whole.
func TestEveryFormatComesInEveryWay(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel() // while others wait
	reg := known(t)
	opened, forms := map[string]int{}, map[string]int{}
	for _, path := range recordings.Few(recordings.All(t, reg)) {
		src, err := reg.Recognise(path)
		testkit.NoErr(t, err)
		name := strings.TrimSuffix(filepath.Base(path), ".gz")
		t.Run(filepath.Base(filepath.Dir(path))+"/"+name, func(t *testing.T) {
			rec, err := load.File(t.Context(), path, load.Options{})
			if err != nil || rec.Cut != "" {
				t.Skipf("is damaged: %v", err)
			}
			form := src.Name() + filepath.Ext(name)
			opened[src.Name()]++
			forms[form]++
			want, data := factsOf(t, rec.Session), plain(t, path)
			for end, pack := range compressed {
				if end != "" && forms[form] > 1 || end == "" && filepath.Base(path) == name {
					continue // it is unpacked as the others are, or was not packed
				}
				packed := filepath.Join(t.TempDir(), name+end)
				packInto(t, packed, data, pack)
				again := testkit.Must(load.File(t.Context(), packed, load.Options{}))(t, filepath.Base(packed))
				same(t, "as "+filepath.Base(packed), want, factsOf(t, again.Session))
			}
			inPieces(t, reg, src, name, data, want)
		})
	}
	for _, src := range reg {
		_, folders := src.(feed.FolderSource)
		testkit.That(t, opened[src.Name()] != 0 || folders, "no recording of %s, of %v", src.Name(), opened)
	}
}

func packInto(t *testing.T, path string, data []byte, pack func(w io.Writer) (io.WriteCloser, error)) {
	t.Helper()
	var b bytes.Buffer
	w := testkit.Must(pack(&b))(t)
	testkit.Must(w.Write(data))(t)
	testkit.NoErr(t, w.Close())
	write(t, path, b.String())
}

// twoChains is a recording whose second swap chain comes so late that a reader that does not know it yet calls the
// first by its program alone.
const twoChains = "presentmon-v1-case5.csv"

// inPieces reads a recording as a file that grows.
func inPieces(t *testing.T, reg feed.Registry, src feed.Source, name string, data []byte, want string) {
	t.Helper()
	s := store.NewSession()
	stream := reg.NewStream(&feedtest.Into{Session: s}, feed.StreamOptions{Name: name})
	var err error
	for rest := data; len(rest) > 0 && err == nil; {
		n := min(len(rest), 1+rand.IntN(9000))
		_, err = stream.Write(rest[:n])
		rest = rest[n:]
	}
	if err == nil {
		err = stream.Finish()
	}
	stream.Close("")
	if streams(src) {
		testkit.That(t, err == nil, "in pieces: %v", err)
		if name != twoChains {
			same(t, "in pieces", want, factsOf(t, s))
		}
		return
	}
	whole, ok := errors.AsType[*feed.NotStreamedError](err)
	testkit.That(t, ok && whole.Source != nil && whole.Source.Name() == src.Name(),
		"in pieces: %v, want a word that it must be whole", err)
}

// TestEveryFormatFromAPipe reads a recording of each format from standard input, and from a file that is
// followed.
func TestEveryFormatFromAPipe(t *testing.T) {
	reg := known(t)
	done := map[string]bool{}
	for _, path := range recordings.Few(recordings.All(t, reg)) {
		src, _ := reg.Recognise(path)
		if done[src.Name()] {
			continue
		}
		rec, err := load.File(t.Context(), path, load.Options{})
		if err != nil || rec.Cut != "" {
			continue
		}
		done[src.Name()] = true
		want, data := factsOf(t, rec.Session), plain(t, path)
		t.Run(src.Name(), func(t *testing.T) {
			w := stdin(t)
			v := view(t, File{Path: "-", Registry: reg})
			go func() { w.Write(data); w.Close() }()
			testkit.NoErr(t, v.result(t))
			v.over(t, 0)
			_, s := v.entry(0)
			same(t, "from standard input", want, factsOf(t, s))
		})
		t.Run(src.Name()+" grows", func(t *testing.T) {
			t.Parallel() // it mostly waits
			grows(t, reg, src, strings.TrimSuffix(filepath.Base(path), ".gz"), data, want)
		})
	}
	if len(done) < len(reg)-2 { // those that are folders
		t.Errorf("only %v", done)
	}
}

// counting is a source that counts the bytes of its streams.
type counting struct {
	feed.Streamer
	came *atomic.Int64
}

func (c counting) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	return &countingStream{c.Streamer.NewStream(sink, o), c.came}
}

type countingStream struct {
	feed.Stream
	came *atomic.Int64
}

func (s *countingStream) Write(p []byte) (int, error) {
	n, err := s.Stream.Write(p)
	s.came.Add(int64(n))
	return n, err
}

// grows follows a file that is written in three pieces.
func grows(t *testing.T, reg feed.Registry, src feed.Source, name string, data []byte, want string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	third := len(data) / 3
	write(t, path, string(data[:third]))
	var came atomic.Int64
	if st, ok := src.(feed.Streamer); ok {
		reg = feed.Registry{counting{st, &came}}
	}
	v := view(t, File{Path: path, Registry: reg})
	if !streams(src) {
		err := v.result(t)
		testkit.Fails(t, err, src.Name()+" can be opened only when it is whole: open it without --follow")
		return
	}
	v.until(t, "its first third", func() bool { return came.Load() == int64(third) })
	appendTo(t, path, string(data[third:2*third]))
	v.until(t, "its second third", func() bool { return came.Load() == int64(2*third) })
	appendTo(t, path, string(data[2*third:]))
	v.until(t, "all of it", func() bool { return came.Load() == int64(len(data)) })
	r, _ := v.entry(0)
	r.Stop()
	v.over(t, 0)
	_, s := v.entry(0)
	same(t, "followed", want, factsOf(t, s))
}

// streams reports whether a source reads recordings while they are being written.
func streams(src feed.Source) bool {
	_, ok := src.(feed.Streamer)
	return ok
}
