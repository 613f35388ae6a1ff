package flare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/flare/flaretest"
)

// replay writes a recording anew, in order of time.
func replay(t *testing.T, w *FolderWriter, rec *Recording) {
	t.Helper()
	w.Info(rec.SampleStartMs, rec.IntervalMs, rec.RecordStartMs)
	for id, name := range rec.Methods {
		w.Method(id, name)
	}
	type one struct {
		thread *Thread
		x      Record
	}
	var all []one
	for _, th := range rec.Threads {
		for _, x := range th.Records {
			all = append(all, one{th, x})
		}
	}
	slices.SortStableFunc(all, func(a, b one) int { return int(min(max(a.x.TimeMs-b.x.TimeMs, -1), 1)) })
	for i, o := range all {
		testkit.OK(t, w.Sample(o.thread.ID, o.thread.Name, o.x))
		if i%100 == 0 {
			testkit.OK(t, w.Flush())
		}
	}
	testkit.OK(t, w.Close())
}

// TestWrittenIsReadAgain: a recording that was written anew reads as the one of the original
// recorder, and the bodies of its stack files are the same bytes.
func TestWrittenIsReadAgain(t *testing.T) {
	for _, pattern := range []string{"constructed-60s/127*", "recorded-60s/127*"} {
		dir := flaretest.Find(t, flaretest.Captures(t), pattern)
		rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
		w := NewFolderWriter(t.TempDir(), rec.AgentAddr, func() time.Time { return time.Unix(1767260400, 0) })
		replay(t, w, rec)
		if len(w.Dirs()) != 1 {
			t.Fatalf("folders %v", w.Dirs())
		}
		again, err := ReadFolder(t.Context(), w.Dirs()[0], nil)
		if err != nil || len(again.Problems) > 0 {
			t.Fatal(err, again.Problems)
		}
		if again.Info.IntervalMs != rec.IntervalMs || again.RecordStartMs != rec.RecordStartMs || again.AgentAddr != rec.AgentAddr || len(again.Methods) != len(rec.Methods) {
			t.Errorf("%s: info %+v, want %+v", pattern, again.Info, rec.Info)
		}
		for _, a := range rec.Threads {
			b := again.Thread(a.ID)
			if len(a.Records) == 0 {
				continue
			}
			if b == nil || len(b.Records) != len(a.Records) {
				t.Fatalf("%s: thread %d is not the same", pattern, a.ID)
			}
			for i := range a.Records {
				if fmt.Sprint(a.Records[i]) != fmt.Sprint(b.Records[i]) {
					t.Fatalf("%s: thread %d: %v, want %v", pattern, a.ID, b.Records[i], a.Records[i])
				}
			}
			if !slices.Equal(a.CPU.Values, b.CPU.Values) || a.CPU.BeginMs != b.CPU.BeginMs {
				t.Errorf("%s: the series of thread %d differs", pattern, a.ID)
			}
			for _, part := range []filePart{indexPart, dataPart} {
				x, err1 := os.ReadFile(filepath.Join(dir, threadName(a.ID, part)))
				y, err2 := os.ReadFile(filepath.Join(w.Dirs()[0], threadName(a.ID, part)))
				if err1 != nil || err2 != nil || string(x[headerSize:]) != string(y[headerSize:]) {
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
