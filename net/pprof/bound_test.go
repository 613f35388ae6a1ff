package pprof

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// What is packed so that it grows beyond the memory that there is is not unpacked further than that.
func TestUnpackedIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.pb.gz")
	f := testkit.Must(os.Create(path))(t)
	z := testkit.Must(gzip.NewWriterLevel(f, gzip.BestSpeed))(t)
	nothing := make([]byte, 1<<20)
	for range leastParsed>>20 + 1 {
		testkit.Must(z.Write(nothing))(t)
	}
	err := z.Close()
	testkit.MustThat(t, err == nil && f.Close() == nil, "%v", err)
	v := feedtest.New(t, 16<<20)
	v.Run(func(sink feed.Sink) {
		limit := unpackedLimit(sink)
		testkit.That(t, limit == leastParsed, "up to %d bytes", limit)
		err := (Source{}).OpenFile(t.Context(), path, sink)
		testkit.That(t, err != nil && strings.Contains(err.Error(), "larger than 64 MiB when unpacked"), "%v", err)
	})
}
