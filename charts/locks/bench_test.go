package locks

import (
	"fmt"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// manyLocks is a session of four threads that use eight locks n times in all.
func manyLocks(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{File: true})
	for id := range model.CollectorID(8) {
		s.Apply(model.CollectorDef{ID: id, Name: fmt.Sprintf("lock %d", id)})
	}
	for track := range model.TrackID(4) {
		s.Apply(model.TrackDef{ID: track, Name: fmt.Sprintf("thread %d", track)})
		b := model.Batch{Track: track}
		for i := range int64(n / 4) {
			at, lock := i*4000+int64(track)*1000, model.CollectorID((i*7+int64(track))%8)
			b.Locks = append(b.Locks, model.LockEvent{Time: at, Lock: lock, Kind: model.LockTry}, model.LockEvent{Time: at + 100 + i%7*30, Lock: lock, Kind: model.LockAcquired},
				model.LockEvent{Time: at + 900, Lock: lock, Kind: model.LockReleased})
		}
		s.Append(&b)
	}
	return s
}

// BenchmarkChart makes the whole draw list anew each time, of a million uses.
func BenchmarkChart(b *testing.B) {
	s := manyLocks(1_000_000)
	begin, end, _ := s.Bounds()
	for _, share := range []int64{1, 64, 4096} {
		b.Run(fmt.Sprintf("1:%d", share), func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			var c Chart
			chartstest.BenchmarkPan(b, env, &c, begin, end, share)
		})
	}
}

// BenchmarkLive draws all of a million uses while one more comes between any two pictures.
func BenchmarkLive(b *testing.B) {
	s := manyLocks(1_000_000)
	begin, end, _ := s.Bounds()
	env := chartstest.NewEnv(s, 1)
	var c Chart
	r := draw.Rect{X1: 1920, Y1: 900}
	in := &panel.Input{X: -1, Y: -1}
	env.View.Tick(1, false)
	b.ReportAllocs()
	for b.Loop() {
		at := end + 10
		s.Append(&model.Batch{Track: 0, Locks: []model.LockEvent{
			{Time: at, Lock: 1, Kind: model.LockTry}, {Time: at + 100, Lock: 1, Kind: model.LockAcquired},
			{Time: at + 900, Lock: 1, Kind: model.LockReleased},
		}})
		end = at + 900
		env.View.Steer().Set(float64(begin), float64(end), false, 0)
		c.Update(env, r, in)
	}
	b.ReportMetric(float64(c.List().Quads()), "quads")
}
