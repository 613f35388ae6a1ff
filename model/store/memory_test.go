package store

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/messages"

	"framescope/model/spans"
)

// What a session says that it keeps is what was allocated for it, to a tenth, whatever it holds and
// whatever it was asked.
func TestAccountOfMemory(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, too")
	}
	long := func(i int) string { return fmt.Sprintf("%s %d", strings.Repeat("word ", i%12), i) }
	for _, c := range []struct {
		name string
		fill func(s *Session)
	}{
		{"spans", func(s *Session) {
			g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 8)
			g.spansPerFrame = 60
			fill(s, g, 0, 100_000)
		}},
		{"many tracks", func(s *Session) {
			g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 5)
			for id := range model.TrackID(150) {
				fill(s, g, id, 400)
			}
		}},
		{"empty tracks", func(s *Session) {
			for id := range model.TrackID(3000) {
				s.Apply(model.TrackDef{ID: id, Name: long(int(id))})
			}
		}},
		{"frames without spans", func(s *Session) {
			for n := range int64(30_000) {
				s.Append(&model.Batch{HasFrame: true, Number: n * 2, Begin: n * 1000, End: n*1000 + 700, Self: []model.CollectorTime{{Collector: 1, Ns: 500, Count: 1}}, Levels: []model.Level{{Collector: 2, Time: n * 1000, Value: float64(n)}}})
			}
			for _, levels := range []bool{false, true} {
				s.Frames().AllStats(0, levels, 0, 29_999, nil)
			}
		}},
		{"messages", func(s *Session) {
			for i := range 20_000 {
				s.Append(&model.Batch{Track: model.TrackID(i % 5), Messages: []model.Message{{Time: int64(i) * 1000, Text: long(i), Category: fmt.Sprint("c", i%50), Object: fmt.Sprint("object ", i%5000)}}})
			}
			s.Messages().Find(messages.Query{Text: "word", Limit: 10}, nil)
		}},
		{"arguments", func(s *Session) {
			s.Apply(model.PathDef{ID: 1, Collector: 1})
			for i := range int32(20_000) {
				b := &model.Batch{Track: model.TrackID(i % 5)}
				b.Spans = []model.Span{{Begin: int64(i) * 100, End: int64(i)*100 + 50, Path: 1, Lane: uint16(i % 3)}}
				for k, v := range []model.ArgValue{model.IntArg(int64(i)), model.TextArg(long(int(i) % 9000)), model.FloatArg(float64(i) / 7)} {
					b.Args = append(b.Args, model.Arg{Key: fmt.Sprint("key ", k+int(i)%30), Value: v})
				}
				s.Append(b)
			}
		}},
		{"locks", func(s *Session) {
			for i := range int64(20_000) {
				b := &model.Batch{Track: model.TrackID(i % 4)}
				for k, kind := range []model.LockKind{model.LockTry, model.LockAcquired, model.LockSignal, model.LockReleased, model.LockWait, model.LockWoken} {
					b.Locks = append(b.Locks, model.LockEvent{Time: i*100 + int64(k)*10, Lock: model.CollectorID(i % 20), Kind: kind})
				}
				s.Append(b)
			}
			s.Locks().Arrows(0, 1e12, nil)
		}},
		{"many locks", func(s *Session) {
			for i := range int64(8000) {
				s.Append(&model.Batch{Track: model.TrackID(i % 4), Locks: []model.LockEvent{{Time: i * 100, Lock: model.CollectorID(i), Kind: model.LockTry}, {Time: i*100 + 10, Lock: model.CollectorID(i), Kind: model.LockAcquired}, {Time: i*100 + 20, Lock: model.CollectorID(i), Kind: model.LockReleased}}})
			}
		}},
		{"samples", func(s *Session) {
			for id := range model.SeriesID(20) {
				s.Apply(model.SeriesDef{ID: id, Track: model.NoTrack, Object: model.NoObject, Name: long(int(id))})
			}
			for i := range int64(100_000) {
				s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: model.SeriesID(i % 20), Time: i * 10, Value: float64(i * 7919 % 1000)}}})
			}
			for id := range model.SeriesID(20) {
				s.Series().ByID(id).Stats(0, 1e12)
			}
		}},
		{"many series", func(s *Session) {
			for id := range model.SeriesID(4000) {
				s.Apply(model.SeriesDef{ID: id, Track: model.TrackID(id % 100), Object: model.ObjectID(id), Name: long(int(id)), Group: long(int(id) % 300)})
			}
		}},
		{"stacks", func(s *Session) {
			newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 2000, 9)
			s.Apply(model.SeriesDef{ID: 0, Track: 0, Object: model.NoObject, Role: model.RoleStack})
			s.Apply(model.SeriesDef{ID: 1, Track: 0, Object: model.NoObject, Role: model.RoleCPUTime})
			for i := range int64(60_000) {
				s.Append(&model.Batch{Samples: []model.Sample{{Series: 0, Time: i * 1000, Value: float64(i * 7919 % 2000)}, {Series: 1, Time: i * 1000, Value: float64(i * 500)}}})
			}
			s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{0}, 0, 1e12, &spans.Tree{})
		}},
		{"collectors and paths", func(s *Session) {
			for c := range model.CollectorID(5000) {
				s.Apply(model.CollectorDef{ID: c, Name: long(int(c)), Parent: c / 3})
			}
			for p := model.PathID(1); p < 25_000; p++ {
				s.Apply(model.PathDef{ID: p, Parent: p / 2, Collector: model.CollectorID(p % 5000)})
			}
			s.Collector(5)
		}},
		{"objects", func(s *Session) {
			for i := range 6000 {
				s.Apply(model.ObjectDef{ID: model.ObjectID(i), Parent: model.ObjectID(i/10 - 1), Name: long(i), Type: "Type"})
				s.Apply(model.LinkDef{ID: model.LinkID(i), From: model.ObjectID(i)})
				s.Apply(model.ResourceDef{ID: model.ResourceID(i), Trace: long(i)})
				for range 3 {
					s.Apply(model.RefEvent{Resource: model.ResourceID(i), Trace: long(i)})
				}
			}
		}},
		{"questions", func(s *Session) {
			g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 8)
			g.spansPerFrame = 60
			fill(s, g, 0, 60_000)
			lo, hi, _ := s.Bounds()
			for lane := range s.Track(0).Lanes() {
				s.Spans().Visible(0, lane, lo, hi, (hi-lo)/2000, nil)
			}
			s.Spans().Stats([]model.TrackID{0}, lo, hi, nil)
			s.Frames().AllStats(0, false, 0, 1<<30, nil)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			used := func() int64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc)
			}
			before := used()
			st := &Store{MemoryLimit: 1 << 30}
			s := st.NewSession()
			c.fill(s)
			st.clock.work = scratch{}
			took, told := used()-before, st.Memory().Total()
			t.Logf("%.2f MB, told %.2f", float64(took)/1e6, float64(told)/1e6)
			testkit.That(t, told >= took*9/10-20_000 && told <= took*11/10+20_000,
				"%d bytes were allocated, the account says %d: %+v", took, told, st.Memory())
			st.Remove(s)
			if left := st.bytes.Load(); left > 2*columns.SizeOf[Session]() {
				t.Errorf("%d bytes are left of an empty session: %+v", left, s.Memory())
			}
			runtime.KeepAlive(s)
		})
	}
}

// The limit is kept by the pages of the system, and a store that is closed has none.
func TestPagesOfTheSystem(t *testing.T) {
	st := New(4 << 20)
	s := st.NewSession()
	g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 8)
	g.spansPerFrame = 60
	for range 20 {
		fill(s, g, 0, 25_000)
		st.EnforceLimit(time.Time{})
		got := st.Memory().Total()
		testkit.MustThat(t, got <= 4<<20, "%d bytes", got)
	}
	testkit.MustThat(t, s.Track(0).Evicted() != 0, "nothing left")
	st.Remove(s)
	testkit.That(t, st.bytes.Load() <= 2*columns.SizeOf[Session](), "%d bytes of a removed session", st.bytes.Load())
	st.Close()
	testkit.Equal(t, st.pool.Idle(), 0, "bytes idle in a closed store")
}

// What has ended leaves first, the oldest data of it before all, and in the end all of it.
func TestEndedSessionsLeaveFirst(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 30}
	var sessions []*Session
	for k := range 40 {
		s := st.NewSession()
		fill(s, newGame(rand.New(rand.NewPCG(3, uint64(k))), s, 12, 40, 6), 0, 500)
		s.Apply(model.End{})
		sessions = append(sessions, s)
	}
	running := st.NewSession()
	g := newGame(rand.New(rand.NewPCG(3, 99)), running, 12, 40, 6)
	fill(running, g, 0, 20_000)
	ended := st.NewSession()
	fill(ended, newGame(rand.New(rand.NewPCG(3, 100)), ended, 12, 40, 6), 0, 20_000)
	ended.Apply(model.End{})
	last := 0
	for range 1000 {
		st.MemoryLimit = st.Memory().Total() - 4096
		if st.MemoryLimit <= 0 || !st.EnforceLimit(time.Now()) && st.over {
			break
		}
		gone := 0
		for k, s := range sessions {
			if s.Track(0).NumFrames() == 0 {
				gone = k + 1
				testkit.MustThat(t, s.Track(0).Evicted() != 0, "frames that left are not told")
			} else {
				break
			}
		}
		for _, s := range sessions[min(gone+1, len(sessions)):] {
			testkit.MustEqual(t, s.Track(0).Evicted(), 0, "a younger session left before an older one")
		}
		testkit.MustThat(t, ended.Track(0).Evicted() <= 0 || gone >= len(sessions),
			"the youngest session left before older ones")
		if running.Track(0).Evicted() > 0 {
			testkit.MustThat(t, ended.Track(0).NumFrames() <= 0, "the running session loses data while an ended one has some")
			last = gone
			break
		}
	}
	testkit.That(t, last == len(sessions) && running.Track(0).NumFrames() != 0,
		"%d sessions left, %d frames of the running one are there", last, running.Track(0).NumFrames())
}
