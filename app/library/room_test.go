package library

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
)

// What comes faster than the disk writes is kept whole where whoever sends can wait.
func TestBurstIsKeptWhole(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	path := filepath.Join(t.TempDir(), "run.prof")
	r := l.Record(meta(sourceProfileLib), &Target{Path: path})
	block := bytes.Repeat([]byte("0123456789abcdef"), 4<<10)
	const blocks = 800 // 50 MiB, three times what may wait
	for n := range blocks {
		block[0] = byte(n)
		r.AwaitRoom(t.Context().Done(), len(block))
		testkit.MustThat(t, r.Data(block), "block %d was refused", n)
	}
	finish(t, r)
	s, ok := r.Kept()
	testkit.That(t, ok && s.Refused == 0 && s.Err == nil, "kept: %+v", s)
	st, err := os.Stat(path)
	testkit.That(t, err == nil && st.Size() == int64(blocks*len(block)), "recorded: %v, %v\n%s", st, err, told.all())
}
