package panel

import (
	"math"

	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// Refresher decides when the numbers of a table are made anew: when their inputs changed, but not
// too often while live.
type Refresher struct {
	Key  RangeKey
	atNs int64
	Done bool
}

// Due reports whether the numbers must be made anew, and notes that they are.
func (r *Refresher) Due(env *Env, key RangeKey) bool {
	if r.Done && key == r.Key {
		return false
	}
	same := r.Key
	if same.Revision = key.Revision; key.Live {
		same.First, same.Last, same.T0, same.T1 = key.First, key.Last, key.T0, key.T1
	}
	if r.Done && (key.Live || grows(env)) && same == key && Stands(env, r.atNs) {
		return false
	}
	r.Key, r.atNs, r.Done = key, env.NowNs, true
	return true
}

// RangeKey is the inputs of the numbers of a table.
type RangeKey struct {
	Session     *store.Session
	Revision    uint64
	Track       model.TrackID
	First, Last int
	Live        bool
	Extra       uint64
	T0, T1      int64 // of calls, where there are no frames
	Calls       bool
}

// FrameRange returns the indices of the frames that a table's numbers are about, those of the view's
// thread (FramesOf). ok is false when there are none: of a thread that has some, where the selected
// range lies between two of them.
func FrameRange(env *Env) (track *store.Track, first, last int, ok bool) {
	track = env.View.Shown()
	if track == nil || track.NumFrames() == 0 {
		return nil, 0, -1, false
	}
	first, last = FramesOf(env.View, env.View.Track())
	return track, first, last, first <= last
}

// FramesOf returns the indices of the frames of a thread that numbers are about: while live the
// LiveFrames newest, else those that are selected (View.FramesOf), without a selection all. last < first where
// there are none.
func FramesOf(v *view.View, id model.TrackID) (first, last int) {
	t := v.Session().Track(id)
	if t == nil {
		return 0, -1
	}
	n := t.NumFrames()
	if v.Live() {
		if of := v.Shown(); of != nil && id != v.Track() {
			all := of.NumFrames()
			if first, last, ok := v.Session().FramesWith(id, v.Track(), max(0, all-LiveFrames), all-1); ok || first <= last {
				return first, last
			}
		}
		return max(0, n-LiveFrames), n - 1
	}
	if first, last, ok := v.FramesOf(id); ok {
		return first, last
	}
	return 0, n - 1
}

// LiveValuesNs is how often numbers change while live: faster cannot be read.
const LiveValuesNs = 250_000_000

// LiveFrames is the number of newest frames for figures of live data: the same in every panel, so
// that panels side by side agree. Each panel names it.
const LiveFrames = 60

// AppendMeanOf appends the name of a mean of frames: "mean of 60 frames".
func AppendMeanOf(dst []byte, frames int64) []byte {
	return append(format.AppendCount(append(dst, "mean of "...), frames), " frames"...)
}

// rateNs is how far back a frame rate looks.
const rateNs = 3_000_000_000

// FrameRate adds the newest frame rate of a thread, and its range: "59.8 Hz in the last 3 s"; false if
// there is none.
func (l *TipLines) FrameRate(before string, t *store.Track) bool {
	hz := t.FrameRate(rateNs)
	if hz <= 0 || math.IsInf(hz, 0) {
		return false
	}
	l.Text(before).Hertz(hz).Text(" in the last ")
	l.With(format.AppendRoundDuration(l.Buf, rateNs))
	return true
}

// grows reports whether the view shows new data as they come: from a program, or from a file that is being read.
func grows(env *Env) bool {
	_, ended := env.View.Session().Ended()
	return env.View.Live() || !ended && env.View.Session().Info().File
}

// Stands reports whether live figures made at a time must not change yet, so that they stay readable.
// All figures of the window are made anew in the same tick, so that they show the same state.
func Stands(env *Env, atNs int64) bool {
	return env.Paced && env.NowNs/LiveValuesNs == atNs/LiveValuesNs
}

// Paced limits values that change with every frame of live data to four updates a second, so that
// they can be read: all in the same ticks, so that values in different places of the window belong
// to the same moment. Without live data it shows them at once. The zero value is ready.
type Paced[T comparable] struct {
	shown T
	atNs  int64
}

// Of returns the value to show, given the current one.
func (p *Paced[T]) Of(env *Env, now T) T {
	if now == p.shown {
		return now
	}
	if p.atNs != 0 && grows(env) && Stands(env, p.atNs) {
		return p.shown
	}
	p.shown, p.atNs = now, env.NowNs
	return now
}

// OneFrame is the name of the one frame of some figures.
func OneFrame(v *view.View) string {
	if t := v.Shown(); t != nil && t.NumFrames() == 1 && t.Evicted() == 0 {
		return "the only frame"
	}
	return "this frame"
}

// Causes returns why frames of the view's session are slow, with its hitches found and explained a
// little further: as far as a small part of a tick reaches, in pictures all of them.
func Causes(env *Env) *view.Causes {
	env.View.PrepareCauses(!env.Paced, env.Calm)
	return env.View.Causes()
}

// WalkCause limits key navigation to hitches with the cause of the selected frame or buffer, or
// removes that limit; false: the selection is no hitch.
func WalkCause(env *Env) bool {
	v, t := env.View, env.View.Lead()
	if v.Cause() != (view.Cause{}) {
		v.ChooseCause(view.Cause{})
		return true
	}
	if all := v.Causes(); v.HasSpan() && all.OfWays(v.Track()) {
		g := Causes(env).LateThing(v.Span())
		if g != nil {
			v.ChooseCause(view.By(g))
		}
		return g != nil
	}
	if t == nil || v.LeadA() < 0 || v.LeadA() >= t.NumFrames() {
		return false
	}
	g := Causes(env).Group(t.Frame(v.LeadA()).Number)
	if g != nil {
		v.ChooseCause(view.By(g))
	}
	return g != nil
}
