package flare

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// TestSpacingIsMeasured: how far apart samples are is measured, whatever was asked for, live and
// from a folder alike.
func TestSpacingIsMeasured(t *testing.T) {
	rec := &Recording{Info: Info{IntervalMs: 5}, Methods: map[MethodID]string{7: "a.B.c()"}}
	live := store.NewSession()
	m := NewMapper(&sink{s: live}, model.Info{}, 0)
	m.Info(5)
	ms := int64(1000)
	for i := range int64(1001) { // 105 to 124 ms apart, once 6 s and once 3 s; two threads take turns
		switch {
		case i == 500:
			ms += 6000
		case i == 700:
			ms += 3000
		case i > 0:
			ms += 105 + i%20
		}
		x := Record{TimeMs: ms, Stack: []MethodID{7}}
		rec.EnsureThread(i%2+1).Add(x, "worker")
		m.Sample(i%2+1, "worker", x)
		if i%10 == 0 {
			m.Flush()
		}
	}
	m.Close("over")
	file := store.NewSession()
	Play(rec, "a folder", &sink{s: file})
	want := model.Sampling{AskedNs: 5e6, Distances: 1000, MedianNs: 115e6, P5Ns: 106e6, P95Ns: 124e6, LongestNs: 6e9, Gaps: 2, GapNs: 9e9}
	for name, s := range map[string]*store.Session{"live": live, "file": file} {
		got := s.Info()
		if got.Sampling != want {
			t.Errorf("%s: %+v, want %+v", name, got.Sampling, want)
		}
		if got.Clock.Step(0) != 115e6 {
			t.Errorf("%s: ends are known to %d ns", name, got.Clock.Step(0))
		}
	}
}

// TestSpacingOfTheRecording: asked for every 20 ms, a real agent took samples every 32.
func TestSpacingOfTheRecording(t *testing.T) {
	got := openDir(t, find(t, "recorded-60s/127*")).Info().Sampling
	if got.AskedNs != 20e6 || got.MedianNs != 32e6 || got.P5Ns < 20e6 || got.P95Ns <= got.MedianNs || got.LongestNs != 177e6 || got.Gaps != 0 {
		t.Errorf("%+v", got)
	}
}
