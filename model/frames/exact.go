package frames

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"framescope/model"
	"framescope/model/internal/histogram"
)

// Figure is the figure of a collector in a frame for statistics.
type Figure uint8

// The figures.
const (
	FigureNet   Figure = iota // the self times of the collector and of all named below it
	FigureSelf                // its self time
	FigureTotal               // the time inside it, callees included, as call trees have it
	FigureLevel               // its level
)

// figureOf is the figure of AllStats.
func figureOf(levels bool) Figure {
	if levels {
		return FigureLevel
	}
	return FigureNet
}

// mostTallied bounds the values that ExactStats holds at a time: 256 MiB of them.
const mostTallied = 1 << 25

const (
	roomStep = 1024 // values: more than these there is room for in such steps
)

// Ask is a query for exact statistics: of a figure over the frames with index [First, Last] of a
// track.
type Ask struct {
	Track       model.TrackID
	Figure      Figure
	First, Last int
}

// ExactStats is AllStats of a figure with percentiles that are exact however many frames there are:
// all values are gathered, for reports. Cost: O(frames · collectors); of FigureTotal O(spans in the
// frames) besides.
func (x *Table) ExactStats(track model.TrackID, fig Figure, first, last int, out []Stats) []Stats {
	return append(out, x.ExactStatsOf(Ask{track, fig, first, last})[0]...)
}

// ExactStatsOf is ExactStats of several queries, which the processors share. The answers are the
// same however many there are.
func (x *Table) ExactStatsOf(asks ...Ask) [][]Stats {
	out := make([][]Stats, len(asks))
	h := x.host.Collectors.Tree()
	workers := max(min(runtime.GOMAXPROCS(0), len(asks)), 1)
	var next, visited atomic.Int64
	work := func() {
		e := &exact{Rooms: Rooms{Most: mostTallied / workers}}
		all := &tallyAll{exact: e}
		for i := next.Add(1) - 1; i < int64(len(asks)); i = next.Add(1) - 1 {
			out[i] = x.exactStats(all, h, asks[i])
		}
		visited.Add(e.ranks.Visited)
		if e.tiles != nil {
			visited.Add(e.tiles.Visited())
		}
	}
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	x.visited = visited.Load()
	return out
}

// exactStats answers one query.
func (x *Table) exactStats(all *tallyAll, h *model.Hierarchy, q Ask) (out []Stats) {
	t := x.track(q.Track)
	from, to, ok := t.clampFrames(q.First, q.Last)
	if !ok {
		return nil
	}
	all.figure, all.exact.last = q.Figure, to
	for n := int32(len(h.All)); all.only.to < n; { // mostly once: see makeRoom
		all.only.from, all.only.to = all.only.to, n
		all.run(h, t, from, to)
		out = all.answer(&all.exact.ranks, t, from, to, out)
	}
	all.only.to = 0
	return out
}

// exact is the working memory of ExactStats.
type exact struct {
	ranks histogram.Ranks
	tiles Tiles           // nil before the first
	part  []model.Stretch // the frames of a tile
	last  int64           // position of the last frame
	Rooms
}

// makeRoom makes room for n values of frames from position p on in a tally, and for as many as come
// behind if it goes on like this, so that hardly a value is ever copied. Where all would be too many,
// the greater half of the collectors is left for another run.
func (a *tallyAll) makeRoom(y *Tally, p int64, n int) {
	e := a.exact
	told, all := max(p-a.from+1, TileFrames), e.last-a.from+1
	least := len(y.Values) + n
	want := int(min(int64(least)*all/told*9/8, all)) + TileFrames
	want = max(want, min(2*least, int(all)), least)
	if want > roomStep { // threads have about as many frames: slightly smaller rooms are useless
		want = (want/roomStep + 1) * roomStep
	}
	room := e.Find(want)
	if room == nil {
		e.Held += want
		room = make([]float64, 0, want)
	}
	room = append(room[:0], y.Values...)
	e.Take(y)
	y.Values = room
	if e.Held > e.Most {
		for _, room := range e.Free {
			e.Held -= cap(room)
		}
		e.Free = nil
	}
	if e.Held > e.Most && len(a.touched) > 1 {
		a.leaveHalf()
	}
}

// leaveHalf drops the greater half of the tallied collectors.
func (a *tallyAll) leaveHalf() {
	slices.Sort(a.touched)
	half := len(a.touched) / 2
	for _, c := range a.touched[half:] {
		a.exact.Held -= cap(a.tallies[c].Values)
	}
	clear(a.tallies[a.touched[half]:a.only.to])
	a.only.to, a.touched = a.touched[half], a.touched[:half]
}

// inside tallies the times of collectors with callees, in the frames [from, to].
func (a *tallyAll) inside(t *Thread, from, to int64) {
	e, add := a.exact, a.addInside
	if e.tiles == nil {
		e.tiles = t.table.host.Tiles()
	}
	for p, n := from, int64(TileFrames); p <= to; {
		e.part = e.part[:0]
		for q := p; q <= min(p+n-1, to); q++ {
			part := model.Stretch{Begin: t.frames.begin.At(q), End: t.frames.end.At(q)}
			if a.leaves(t, q) {
				part.End = part.Begin
			}
			e.part = append(e.part, part)
		}
		if !e.tiles.Each(t.id, p, e.part, add) {
			n = max(n/8, 1)
			continue
		}
		a.endTile(p)
		p += int64(len(e.part))
	}
}

// addInside adds the times of a collector in frames to the tile.
func (a *tallyAll) addInside(c model.CollectorID, mask uint64, ns []int64) {
	if slot := a.h.Slot(c); slot >= 0 {
		a.tiles.Row(slot).Add(mask, ns)
	}
}
