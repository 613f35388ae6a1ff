package convert_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/internal/testkit"
)

// A folder of tables has none without a row, of whatever is written: all of a recording, the middle of it, a thread.
func TestNoEmptyTables(t *testing.T) {
	written := 0
	for _, name := range []string{
		"gotrace/game-122.trace.gz", "gsttrace/latency-tee-queues.log.gz", "cpuprofile/main.cpuprofile", "pprof/game-heap.pprof",
		"frametimes/presentmon-v1-case5.csv.gz", "perfetto/sdk-us.pftrace.gz", "pstats/levels.pstats", "profilelib/small-clean.prof",
	} {
		s := opened(t, name)
		begin, end, _ := s.Bounds()
		parts := []*convert.Part{convert.Between(s, begin+(end-begin)/3, begin+(end-begin)*2/3), convert.Between(s, begin, begin+1)}
		for id := range s.NumTracks() {
			p := testPart(t, s, "")
			p.Tracks, p.Some = p.Tracks[id:id+1], true
			parts = append(parts, p)
		}
		for _, p := range parts {
			dir := t.TempDir()
			testkit.OK(t, convert.CSVFormat.Folder(t.Context(), p, dir))
			fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
				text, _ := os.ReadFile(filepath.Join(dir, path))
				if written++; err == nil && !e.IsDir() && strings.Count(string(text), "\n") < 2 {
					t.Errorf("%s, tracks %v from %d: %s is empty", name, p.Tracks, p.Begin, path)
				}
				return err
			})
		}
	}
	testkit.That(t, written >= 100, "only %d files", written)
}
