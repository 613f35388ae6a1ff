package why

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Hitch is a frame that is much longer than those around it, and its root cause.
type Hitch struct {
	Number     int64 // of the frame
	BeginNs    int64
	DurationNs int64
	ExcessNs   int64
	Root       Link // last link of its chain; Collector is NoCollector where nothing is known
	// settled is false as long as frames may come that it is compared with.
	settled bool
	newest  int64 // number of the newest frame when it was explained
}

// Group is the hitches of a track that have one root cause.
type Group struct {
	Track     model.TrackID
	Collector model.CollectorID
	How       How // of the worst
	Hitches   []Hitch
	Worst     Hitch
	// PeriodNs is the middle of the times from one to the next, 0 where there are fewer than three; they
	// are Regular where half of these times are within a quarter of it.
	PeriodNs int64
	Regular  bool
	// Trend is by how much the excess of the newer half is over that of the older half, as a share of
	// that: 0.5 is half as much again. It is 0 where there are fewer than four.
	Trend float64
}

// mostHitches bounds the hitches of a track whose causes are kept: the newest.
const mostHitches = 4096

// book is what is known of the hitches of a track.
type book struct {
	rev     uint64
	done    bool
	hitches []Hitch
	next    []Hitch
	found   []int
}

// Prepare explains some hitches of a track that are not explained yet, or of which the frames around
// changed, and tells whether there are more. It is for those who show all of them: a piece a tick.
func (e *Engine) Prepare(track model.TrackID, hitches int) (more bool) {
	t := e.s.Track(track)
	if t == nil {
		return false
	}
	b := e.books[track]
	if b == nil {
		b = &book{}
		if e.books == nil {
			e.books = map[model.TrackID]*book{}
		}
		e.books[track] = b
	}
	if b.done && b.rev == e.s.Revision() {
		return false
	}
	b.rev, b.done = e.s.Revision(), false
	const blocks = 32
	n := t.NumFrames()
	if n == 0 {
		return false
	}
	if e.s.Frames().PrepareHitches(track, blocks) {
		return true
	}
	b.found = e.s.Frames().Hitches(track, 0, n-1, b.found[:0])
	if over := len(b.found) - mostHitches; over > 0 {
		b.found = b.found[over:]
	}
	b.next = b.next[:0]
	for k, i := range b.found {
		f := t.Frame(i)
		at, known := slices.BinarySearchFunc(b.hitches, f.Number, func(h Hitch, number int64) int { return cmp.Compare(h.Number, number) })
		newest := t.Frame(n - 1).Number
		if known && b.hitches[at].BeginNs == f.Begin && (b.hitches[at].settled || b.hitches[at].newest == newest) {
			b.next = append(b.next, b.hitches[at])
			continue
		}
		if hitches--; hitches < 0 {
			b.keep(t.Frame(b.found[k]).Number)
			return true
		}
		e.Frame(track, i, &e.answer)
		h := Hitch{
			Number: f.Number, BeginNs: f.Begin, DurationNs: f.End - f.Begin, ExcessNs: e.answer.ExcessNs(),
			Root: Link{Track: track, Collector: model.NoCollector, How: Unknown}, settled: i+sideRefs+farAround < n, newest: newest,
		}
		if root, ok := e.answer.Root(); ok {
			h.Root = root
		}
		b.next = append(b.next, h)
	}
	b.hitches, b.next = b.next, b.hitches
	b.done = true
	return false
}

// farAround is how many frames behind one may change what is typical around it.
const farAround = 5 * 64

// keep takes what was found so far, and keeps what was known before of the frames from a number on.
func (b *book) keep(from int64) {
	for i := range b.hitches {
		if b.hitches[i].Number >= from {
			b.next = append(b.next, b.hitches[i])
		}
	}
	b.hitches, b.next = b.next, b.hitches
}

// Hitches returns the hitches of a track that are explained so far, in order: see Prepare. The slice
// is the engine's own.
func (e *Engine) Hitches(track model.TrackID) []Hitch {
	if b := e.books[track]; b != nil {
		return b.hitches
	}
	return nil
}

// Groups appends the hitches of a track that are explained so far, by their root causes: first those
// who took most over the typical in all.
func (e *Engine) Groups(track model.TrackID, out []Group) []Group {
	from := len(out)
	for _, h := range e.Hitches(track) {
		k := slices.IndexFunc(out[from:], func(g Group) bool { return g.Track == h.Root.Track && g.Collector == h.Root.Collector })
		if k < 0 {
			out = append(out, Group{Track: h.Root.Track, Collector: h.Root.Collector})
			k = len(out) - 1 - from
		}
		g := &out[from+k]
		g.Hitches = append(g.Hitches, h)
		if h.DurationNs > g.Worst.DurationNs {
			g.Worst, g.How = h, h.Root.How
		}
	}
	for k := range out[from:] {
		out[from+k].finish()
	}
	slices.SortStableFunc(out[from:], func(a, b Group) int { return cmp.Compare(b.excess(), a.excess()) })
	return out
}

func (g *Group) excess() (ns int64) {
	for i := range g.Hitches {
		ns += g.Hitches[i].ExcessNs
	}
	return ns
}

// finish finds out the period and the trend.
func (g *Group) finish() {
	n := len(g.Hitches)
	if n >= 3 {
		gaps := make([]int64, n-1)
		for i := range gaps {
			gaps[i] = g.Hitches[i+1].BeginNs - g.Hitches[i].BeginNs
		}
		slices.Sort(gaps)
		g.PeriodNs = gaps[(n-2)/2]
		g.Regular = 4*(g.PeriodNs-gaps[(n-2)/4]) <= g.PeriodNs && 4*(gaps[(n-2)*3/4]-g.PeriodNs) <= g.PeriodNs
	}
	if n >= 4 {
		older, newer := middleExcess(g.Hitches[:n/2]), middleExcess(g.Hitches[n-n/2:])
		g.Trend = float64(newer-older) / float64(max(older, 1))
	}
}

func middleExcess(hitches []Hitch) int64 {
	all := make([]int64, len(hitches))
	for i := range all {
		all[i] = hitches[i].ExcessNs
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}
