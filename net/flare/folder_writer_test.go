package flare

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// replay writes a recording anew, in order of time.
func replay(t *testing.T, w *FolderWriter, rec *Recording) {
	t.Helper()
	w.Info(rec.SampleStartMs, rec.IntervalMs, rec.RecordStartMs)
	for id, name := range rec.Methods {
		w.Method(id, name)
	}
	for i, o := range inTime(rec) {
		testkit.OK(t, w.Sample(o.ID, o.Name, o.x))
		if i%100 == 0 {
			testkit.OK(t, w.Flush())
		}
	}
	testkit.OK(t, w.Close())
}

// A recording that was written anew reads as the one of the original recorder, and the bodies of its
// stack files are the same bytes.
func TestWrittenIsReadAgain(t *testing.T) {
	for _, pattern := range minutes {
		dir := find(t, pattern)
		rec := readDir(t, dir)
		w := NewFolderWriter(t.TempDir(), rec.AgentAddr, func() time.Time { return time.Unix(1767260400, 0) })
		replay(t, w, rec)
		if len(w.Dirs()) != 1 {
			t.Fatalf("folders %v", w.Dirs())
		}
		again := readDir(t, w.Dirs()[0])
		sameRecording(t, again, rec)
		if again.RecordStartMs != rec.RecordStartMs {
			t.Errorf("%s: it began at %d, want %d", pattern, again.RecordStartMs, rec.RecordStartMs)
		}
		for _, a := range rec.Threads {
			for _, part := range []filePart{indexPart, dataPart} {
				if len(a.Records) == 0 {
					continue
				}
				x := testkit.Must(os.ReadFile(filepath.Join(dir, threadName(a.ID, part))))(t)
				y := testkit.Must(os.ReadFile(filepath.Join(w.Dirs()[0], threadName(a.ID, part))))(t)
				if string(x[headerSize:]) != string(y[headerSize:]) {
					t.Errorf("%s: thread %d: %s is not what the original writes", pattern, a.ID, partNames[part])
				}
			}
		}
	}
}

func TestSegmentsRoll(t *testing.T) {
	now := time.Unix(1769000000, 0)
	w := NewFolderWriter(t.TempDir(), "127.0.0.1:3342", func() time.Time { now = now.Add(time.Second); return now })
	w.Info(5, 20, 1000)
	w.Method(7, "a.B.c()")
	for _, ms := range []int64{1000, 900_900, 901_100, 901_120} {
		testkit.OK(t, w.Sample(51, "meter", Record{TimeMs: ms, Stack: []MethodID{7}}))
	}
	testkit.OK(t, w.Close())
	if len(w.Dirs()) != 2 {
		t.Fatalf("folders %v", w.Dirs())
	}
	var counts []int
	for _, dir := range w.Dirs() {
		rec, err := ReadFolder(t.Context(), dir, nil)
		if err != nil || len(rec.Problems) > 0 || rec.Method(7) != "a.B.c()" {
			t.Fatal(err, rec.Problems, rec.Methods)
		}
		counts = append(counts, rec.NumRecords())
	}
	if !slices.Equal(counts, []int{2, 2}) {
		t.Errorf("samples %v", counts)
	}
	if g := Segments(w.Dirs()); len(g) != 1 || len(g[0]) != 2 {
		t.Errorf("segments %v", g)
	}
}
