package flare

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare/sample"
)

// TestFoldersWithLeftovers: samples from before the agent's start are left out, and counted.
func TestFoldersWithLeftovers(t *testing.T) {
	rec := &sample.Recording{Info: sample.Info{SampleStartMs: 60_000}, Methods: map[sample.MethodID]string{7: "a.B.c()"}}
	for _, ms := range []int64{1000, 1020, 60_000, 60_020, 61_000} {
		rec.EnsureThread(1).Add(sample.Record{TimeMs: ms, Stack: []sample.MethodID{7}}, "main")
	}
	rec.DropLeftovers()
	s := store.NewSession()
	Play(rec, "a folder", &sink{s: s})
	begin, end, _ := s.Bounds()
	if n, lines := s.Losses(); end-begin != 1e9 || n[model.LossLeftover] != 2 || len(lines) != 1 {
		t.Errorf("%d ns, %d left out, %q", end-begin, n[model.LossLeftover], lines)
	}
	rec.SampleStartMs = 90_000 // its clock was set back
	if rec.DropLeftovers(); rec.NumRecords() != 3 {
		t.Errorf("%d samples stay", rec.NumRecords())
	}
}
