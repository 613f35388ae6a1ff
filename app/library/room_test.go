package library

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
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
		if !r.Data(block) {
			t.Fatalf("block %d was refused", n)
		}
	}
	finish(t, r)
	if s, ok := r.Kept(); !ok || s.Refused != 0 || s.Err != nil {
		t.Errorf("kept: %+v", s)
	}
	st, err := os.Stat(path)
	if err != nil || st.Size() != int64(blocks*len(block)) {
		t.Errorf("recorded: %v, %v\n%s", st, err, told.all())
	}
}
