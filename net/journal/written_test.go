package journal

import (
	"fmt"
	"sync/atomic"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
	"framescope/net/journal/journaltest"
)

// What is written to disk is about what came, however many definitions there are: they are not
// written anew with each segment. Where old segments have to leave, what they defined is written
// once more, of each key the newest, here 60 KB for each 16 KiB that leave.
func TestDefinitionsAreWrittenOnce(t *testing.T) {
	for name, c := range map[string]struct {
		limit int64
		times int64 // what came, in all that is written
	}{"room": {1 << 30, 2}, "none": {256 << 10, 7}} {
		var written atomic.Int64
		count := func(f disk.File, p []byte, at int64) (int, error) {
			n, err := f.WriteAt(p, at)
			written.Add(int64(n))
			return n, err
		}
		root := OpenRoot("/j", RootOptions{FS: hooked{FS: journaltest.NewMemory(), write: count}, Limit: c.limit})
		w := root.Create(Meta{Source: "test"}, Options{SegmentBytes: 16 << 10})
		came := int64(0)
		take := func(key string, n int) {
			text := make([]byte, 100)
			copy(text, fmt.Sprint(n))
			if came += int64(len(key) + len(text)); key == "" {
				w.Data(text)
			} else {
				w.Define(key, text)
			}
		}
		for n := range 20_000 {
			take("", n)
			take(fmt.Sprint("key ", n%500), n)
			if n%100 == 0 {
				testkit.OK(t, w.Flush())
			}
		}
		finish(t, w)
		root.Close()
		t.Logf("%s: %d bytes came, %d were written", name, came, written.Load())
		if n := written.Load(); n < came/2 || n > c.times*came {
			t.Errorf("%s: %d bytes came, %d were written", name, came, n)
		}
	}
}
