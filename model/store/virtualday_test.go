package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/messages"

	"framescope/model/spans"
)

// A game of four threads with 500 spans a frame at 60 Hz, in virtual time. What a frame holds
// follows from its thread and number, so what the store should still have at the end is known
// without keeping it.
const (
	dayThreads  = 4
	daySpans    = 125 // of a frame of a thread
	dayFrameNs  = 16_666_667
	dayPatterns = 64
	dayPaths    = 60
)

type day struct {
	patterns [dayThreads][dayPatterns]*model.Batch // at time 0
	batch    model.Batch
	defs     []model.Change
}

func newDay() *day {
	d := &day{}
	rng := rand.New(rand.NewPCG(7, 7))
	for c := range model.CollectorID(40) {
		d.defs = append(d.defs, model.CollectorDef{ID: c, Name: fmt.Sprint("collector ", c), Parent: c / 4})
	}
	for p := model.PathID(1); p <= dayPaths; p++ {
		d.defs = append(d.defs, model.PathDef{ID: p, Parent: p / 2, Collector: model.CollectorID(p % 40)})
	}
	for thread := range d.patterns {
		for k := range d.patterns[thread] {
			b := &model.Batch{Track: model.TrackID(thread), HasFrame: true, End: dayFrameNs - int64(rng.IntN(2_000_000))}
			for lane := range int64(5) {
				at := lane * 1000
				for range daySpans / 5 {
					ns := int64(1000 + rng.IntN(500_000))
					b.Spans = append(b.Spans, model.Span{Begin: at, End: at + ns, Path: model.PathID(1 + rng.IntN(dayPaths)), Lane: uint16(lane)})
					at += ns + int64(rng.IntN(20_000))
				}
			}
			slices.SortStableFunc(b.Spans, func(a, c model.Span) int { return int(a.Begin - c.Begin) })
			for c := range model.CollectorID(12) {
				b.Self = append(b.Self, model.CollectorTime{Collector: c * 3, Ns: int64(rng.IntN(1_000_000)), Count: 1})
			}
			b.Levels = []model.Level{{Collector: 2, Time: 0, Value: float64(rng.IntN(100))}, {Collector: 5, Time: 0, Value: float64(rng.IntN(100))}}
			if k%16 == 0 {
				b.Messages = []model.Message{{Time: 500, Severity: model.SeverityWarning, Text: fmt.Sprint("pattern ", k), Category: "game"}}
				b.Locks = []model.LockEvent{{Time: 10, Lock: 1, Kind: model.LockTry}, {Time: 500, Lock: 1, Kind: model.LockAcquired}, {Time: 900, Lock: 1, Kind: model.LockReleased}}
			}
			d.patterns[thread][k] = b
		}
	}
	return d
}

// frame returns frame n of a thread. It is valid until the next call.
func (d *day) frame(thread int, n int64) *model.Batch {
	p := d.patterns[thread][n*7%dayPatterns]
	b := &d.batch
	at := n * dayFrameNs
	*b = model.Batch{Track: p.Track, HasFrame: true, Number: n, Begin: at, End: at + p.End, Self: p.Self,
		Spans: append(b.Spans[:0], p.Spans...), Levels: append(b.Levels[:0], p.Levels...), Messages: append(b.Messages[:0], p.Messages...), Locks: append(b.Locks[:0], p.Locks...)}
	for i := range b.Spans {
		b.Spans[i].Begin += at
		b.Spans[i].End += at
	}
	for i := range b.Levels {
		b.Levels[i].Time += at
	}
	for i := range b.Messages {
		b.Messages[i].Time += at
	}
	for i := range b.Locks {
		b.Locks[i].Time += at
	}
	return b
}

// resident returns the resident memory of this process in bytes; ok is false where the system does
// not say.
func resident() (n int64, ok bool) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(data)[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// live lets frames come, as a viewer would take them in: the limit is kept once a tick, late frames
// come now and then, and once a second something is asked.
func (d *day) live(t *testing.T, limit int64, frames int64, slack int64) {
	debug.FreeOSMemory()
	st := New(limit)
	defer st.Close()
	s := st.NewSession()
	for _, def := range d.defs {
		s.Apply(def)
	}
	base, some := resident()
	var most int64
	var tree spans.Tree
	var bars []spans.Bar
	began := time.Now()
	for n := range frames {
		for thread := range dayThreads {
			s.Append(d.frame(thread, n))
			if n%600 == 599 { // three frames come again
				for k := n - 2; k <= n; k++ {
					b := d.frame(thread, k)
					b.Rewind = true
					s.Append(b)
				}
			}
		}
		st.EnforceLimit(time.Time{})
		if n%60 == 0 {
			now := n * dayFrameNs
			s.Spans().Tree([]model.TrackID{0, 1, 2, 3}, now-1e9, now, &tree)
			for lane := range 5 {
				bars = s.Spans().Visible(0, lane, now-10e9, now, 10e6, bars[:0])
			}
		}
		if n%1200 == 1199 {
			s.Spans().Stats([]model.TrackID{0}, model.MinTime, model.MaxTime, nil)
			s.Frames().AllStats(1, false, 0, 1<<30, nil)
			s.Messages().Find(messages.Query{Text: "pattern 1", Limit: 10}, nil)
			s.Locks().Stats(model.MinTime, model.MaxTime, nil)
			if rss, ok := resident(); ok {
				most = max(most, rss)
				if rss > base+limit*12/10+slack {
					t.Fatalf("frame %d: %d MB are resident, %d before, and the limit is %d; the account says %+v and %d idle", n, rss>>20, base>>20, limit>>20, st.Memory(), st.idle())
				}
			}
			got := st.Memory().Total()
			testkit.MustThat(t, got <= limit+limit/16, "frame %d: %d bytes", n, got)
		}
	}
	took := time.Since(began)
	t.Logf("%d frames of %d threads in %.1f s, %.1f million spans/s; %d MB resident at the start, %d at most (known: %v); kept %d frames of a thread, %d bytes",
		frames, dayThreads, took.Seconds(), float64(frames*dayThreads*daySpans)/1e6/took.Seconds(), base>>20, most>>20, some, s.Track(0).NumFrames(), st.Memory().Total())
	d.check(t, s, frames)
}

// check compares what is left with a session that never had anything else.
func (d *day) check(t *testing.T, s *Session, frames int64) {
	twin := NewSession()
	for _, def := range d.defs {
		twin.Apply(def)
	}
	w := &world{t: t}
	x := &worldSession{rng: rand.New(rand.NewPCG(1, 9)), s: s}
	for thread := range dayThreads {
		tr := s.Track(model.TrackID(thread))
		n := int64(tr.NumFrames())
		testkit.MustThat(t, n >= 100 && n != frames && tr.Evicted()+n == frames,
			"thread %d: %d frames, %d left memory, of %d", thread, n, tr.Evicted(), frames)
		testkit.MustEqual(t, tr.NumSpans(), n*daySpans, "thread %d: spans in %d frames", thread, n)
		for k := frames - n; k < frames; k++ {
			twin.Append(d.frame(thread, k))
		}
	}
	for thread := range dayThreads {
		w.compareTrack(x, &worldTrack{id: model.TrackID(thread), framed: true}, twin)
	}
	lo := s.Track(0).Frame(0).Begin
	for thread := range dayThreads {
		lo = max(lo, s.Track(model.TrackID(thread)).Frame(0).Begin)
	}
	w.same("lock uses", twin.Locks().Uses(1, lo, model.MaxTime, nil), s.Locks().Uses(1, lo, model.MaxTime, nil))
	w.same("lock table", twin.Locks().Stats(lo, model.MaxTime, nil), s.Locks().Stats(lo, model.MaxTime, nil))
}

// A third of a virtual minute with a limit that half of it fills; five minutes in the long form.
func TestVirtualMinute(t *testing.T) {
	frames := int64(testkit.Rounds(1200, 5*60*60))
	newDay().live(t, 4<<20, frames, 32<<20) // what other tests left behind comes and goes
}
