package timeline

import (
	"fmt"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/messages"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// manyLocks is a session of four threads that use eight locks n times in all.
func manyLocks(n int) *model.Session {
	s := model.NewSession()
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

// BenchmarkLockChart makes the whole draw list anew each time, of a million uses.
func BenchmarkLockChart(b *testing.B) {
	s := manyLocks(1_000_000)
	begin, end, _ := s.Bounds()
	for _, share := range []int64{1, 64, 4096} {
		b.Run(fmt.Sprintf("1:%d", share), func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			var c LockChart
			benchmarkPan(b, env, &c, begin, end, share)
		})
	}
}

// BenchmarkMessages makes the timeline's flags and the table of a million messages anew each time.
func BenchmarkMessages(b *testing.B) {
	s := chartstest.MessageSession(1_000_000)
	begin, end, _ := s.Bounds()
	for name, f := range map[string]view.MessageFilter{"all": {}, "filtered": {Text: "99", Least: model.SeverityLog, HasLeast: true}} {
		b.Run(name, func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			env.View.SetMessageFilter(f)
			var tl Timeline
			benchmarkPan(b, env, &tl, begin, end, 1)
		})
		b.Run(name+" table", func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			env.View.SetMessageFilter(f)
			m := messages.New()
			benchmarkPan(b, env, m, begin, end, 1)
		})
	}
}

func benchmarkPan(b *testing.B, env *panel.Env, c panel.Panel, begin, end, share int64) {
	r := draw.Rect{X1: 1920, Y1: 900}
	w := float64(end-begin) / float64(share)
	env.View.Tick(1, false)
	at := float64(begin+end) / 2
	in := &panel.Input{X: -1, Y: -1}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		d := float64(i%64) * w / 1920 // one pixel a tick: the list is made anew each time
		env.View.Steer().Set(at-w/2+d, at+w/2+d, false, 0)
		env.View.PlacePlayhead(int64(at + d))
		c.Update(env, r, in)
	}
	b.ReportMetric(float64(c.List().Quads()), "quads")
}
