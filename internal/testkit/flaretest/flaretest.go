// Package flaretest gives tests the recordings of Flare that lie in testdata/flare, unpacked.
package flaretest

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// maxBytes is the limit of unpacked bytes.
const maxBytes = 64 << 20

// shared is where all tests of a program find the recordings, empty without Main.
var shared struct {
	dir string
	sync.Once
}

// Main runs the tests of a package that only read the recordings: they are unpacked once for all of them.
func Main(m *testing.M) int {
	dir, err := os.MkdirTemp("", "flaretest")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	shared.dir = dir
	return m.Run()
}

// Captures unpacks the recordings and returns the folder, which is the test's own or that of Main. In it are the
// folders agent-wire, constructed-60s, constructed-roll, recorded-60s and ws-api.
func Captures(t testing.TB) string {
	t.Helper()
	if shared.dir == "" {
		return unpacked(t, t.TempDir(), "")
	}
	shared.Do(func() { unpacked(t, shared.dir, "") })
	return shared.dir
}

// Capture unpacks one of the recordings into a folder of the test's own and returns its folder.
func Capture(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(unpacked(t, t.TempDir(), name+"/"), name)
}

// Recording returns the folder of the one recording of a capture, unpacked.
func Recording(t testing.TB, capture string) string {
	t.Helper()
	return Find(t, Capture(t, capture), "127*")
}

// unpacked unpacks the recordings whose paths begin with something into a folder.
func unpacked(t testing.TB, dir, with string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(recordings.Root(t), "testdata", "flare", "captures.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(io.LimitReader(z, maxBytes)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		if !filepath.IsLocal(h.Name) {
			t.Fatalf("the archive holds %q", h.Name)
		}
		if !strings.HasPrefix(filepath.ToSlash(filepath.Clean(h.Name))+"/", with) {
			continue
		}
		path := filepath.Join(dir, h.Name)
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			err = unpack(path, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unpack(path string, r io.Reader) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// Find returns the one file or folder among the unpacked captures that a pattern means.
func Find(t testing.TB, captures, pattern string) string {
	t.Helper()
	m, err := filepath.Glob(filepath.Join(captures, pattern))
	if err != nil || len(m) != 1 {
		t.Fatalf("%s gives %d files", pattern, len(m))
	}
	return m[0]
}

// Stream is what a real agent sent in the minute of recorded-60s.
func Stream(t testing.TB) []byte {
	return testkit.Must(os.ReadFile(Find(t, Captures(t), "agent-wire/recorded-60s.agent-to-client.resp")))(t)
}
