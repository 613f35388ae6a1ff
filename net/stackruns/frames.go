package stackruns

import (
	"fmt"
	"math"
	"slices"

	"framescope/model"
)

// Limits of a frame: one in which more is sampled is none.
const (
	frameSpans   = 1 << 18
	frameSamples = 1 << 20
)

// Frame is a stretch of time that is a frame of its thread.
type Frame struct{ Begin, End int64 }

// framed is what is known of the frames of a thread.
type framed struct {
	list   []Frame // the one that goes on, if any does, and those to come
	number int64
	inside bool
	loose  int64 // runs that began in none
	given  int64 // frames that were given up
	any    bool
	of     func(model.PathID) model.CollectorID
	alone  alone
}

// Frames tells which frames a thread of samples has, in order and without overlap, before its first
// sample comes. Runs are in the frame in which they begin, their times in those in which they are. of
// is the collector of a call path.
func (t *Thread) Frames(list []Frame, of func(model.PathID) model.CollectorID) {
	t.framed.list, t.framed.of, t.framed.any = list, of, len(list) > 0
}

// pass goes on to a time: frames that begin or end up to then do so.
func (t *Thread) pass(at int64) {
	f := &t.framed
	for len(f.list) > 0 && !t.w.stopped {
		x := f.list[0]
		if !f.inside {
			if at < x.Begin {
				return
			}
			t.last = max(t.last, x.Begin)
			t.flush()
			f.inside = true
		}
		if at < x.End {
			return
		}
		t.last = max(t.last, x.End)
		t.publish(&x)
		f.list, f.inside, f.number = f.list[1:], false, f.number+1
	}
}

// leave passes all frames that are left.
func (t *Thread) leave() {
	t.end(0, t.last)
	t.pass(math.MaxInt64)
	f := &t.framed
	f.list, f.inside = nil, false
	lose := func(n int64, words string) {
		if n > 0 {
			t.w.sink.Define(model.Loss{Reason: model.LossUnframed, Track: model.NoTrack, N: n, Detail: words})
		}
	}
	lose(f.loose, "runs began in no frame: they are shown, and are in call trees by time, but not in figures of frames")
	lose(f.given, fmt.Sprintf("frames have more than %d runs or %d samples: they are no frames", frameSpans, frameSamples))
	f.loose, f.given = 0, 0
}

// waits tells that what is known can't be published, as it is a part of a frame that goes on. A frame
// that has too much of it is given up.
func (t *Thread) waits() bool {
	f := &t.framed
	if f.inside && (len(t.spans) >= frameSpans || len(t.samples)+len(t.notes) >= frameSamples) {
		f.list, f.inside = f.list[1:], false
		f.given++
	}
	return f.inside
}

// running is a run that goes on.
type running struct {
	collector model.CollectorID
	end       int64
}

// alone sums up the time of each collector in a frame, each moment that of the innermost run, and how
// many runs began.
type alone struct {
	open []running // the outermost first
	sums map[model.CollectorID]model.CollectorTime
	keys []model.CollectorID
}

// charge appends the times of the collectors of runs, which are in order of begin, callers first.
func (a *alone) charge(out []model.CollectorTime, spans []model.Span, f *Frame, of func(model.PathID) model.CollectorID) []model.CollectorTime {
	if a.sums == nil {
		a.sums = map[model.CollectorID]model.CollectorTime{}
	}
	clear(a.sums)
	a.open, a.keys = a.open[:0], a.keys[:0]
	at := f.Begin
	for i := range spans {
		s := &spans[i]
		at = a.upTo(at, min(s.Begin, f.End))
		c := of(s.Path)
		if s.Flags&model.SpanContinues == 0 {
			a.add(c, 0, 1)
		}
		a.open = append(a.open, running{c, s.End})
	}
	a.upTo(at, f.End)
	for c := range a.sums {
		a.keys = append(a.keys, c)
	}
	slices.Sort(a.keys)
	for _, c := range a.keys {
		out = append(out, a.sums[c])
	}
	return out
}

// upTo gives the time between two moments to the runs that go on then, and returns where it came to.
func (a *alone) upTo(from, to int64) int64 {
	for n := len(a.open) - 1; n >= 0; n-- {
		r := a.open[n]
		if to := min(r.end, to); to > from {
			a.add(r.collector, to-from, 0)
			from = to
		}
		if r.end > to {
			break
		}
		a.open = a.open[:n]
	}
	return max(from, to)
}

func (a *alone) add(c model.CollectorID, ns int64, starts int32) {
	t := a.sums[c]
	a.sums[c] = model.CollectorTime{Collector: c, Ns: t.Ns + ns, Count: t.Count + starts}
}
