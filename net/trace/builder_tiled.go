package trace

import (
	"fmt"
	"math"
	"slices"

	"framescope/model"
)

// Tiled frames.
const (
	leastTiles   = 20  // so many spans of a name may be frames
	tilesCover   = 0.6 // of the time of their thread at least
	tilesDeepest = 3   // rows that are looked at
	steadyShare  = 0.5 // of them begin about as long after the one before as that after its own:
	steadyFactor = 2   // at most so many times as long, or as short
)

// tiling is how the spans of one name cover a thread.
type tiling struct {
	thread *Thread
	name   Symbol
	lane   uint16
	n      int
	ns     int64
	share  float64 // of the time of the thread
	usual  bool    // it is a usual name of frames
}

// tiledFrames makes frames of the outermost spans that come again and again and cover most of a thread, and returns
// its track. A usual name of frames goes before others, and of these the one that covers most time. nil: there are
// none.
func (b *Builder) tiledFrames() *output {
	var best tiling
	for _, p := range b.processes {
		for _, t := range p.list {
			if x := b.tilingOf(t); x.n > 0 && (best.n == 0 || x.usual && !best.usual || x.usual == best.usual &&
				x.ns > best.ns) {
				best = x
			}
		}
	}
	if best.n == 0 {
		return nil
	}
	p := best.thread.process
	for _, track := range best.thread.out.tracks {
		if list := b.named(track, best.name, rule{chosen: true}); len(list) > len(p.borders) {
			p.borders = list
		}
	}
	p.main, p.name = best.thread.out, b.Words(best.name)
	b.frameName = p.name
	b.tiledBy = fmt.Sprintf(
		"frames are the %d calls of “%s”, which cover %.0f %% of their thread: found by that, --frames NAME chooses others",
		len(p.borders), Shown(p.name), math.Floor(100*best.share))
	return p.main
}

// TiledBy says in words which spans were found to be frames, and how. It is empty if none were.
func (b *Builder) TiledBy() string { return b.tiledBy }

// tilingOf returns the spans that tile a thread: those of the outermost row in which one name covers most of it.
func (b *Builder) tilingOf(t *Thread) (best tiling) {
	if t.out == nil {
		return best
	}
	for _, track := range t.out.tracks {
		b.settle(track, ofThreads)
		for lane := range uint16(tilesDeepest) {
			if x := b.tilingOfRow(track, lane); x.n > 0 {
				x.thread = t
				return x
			}
		}
	}
	return best
}

// tilingOfRow returns the spans of one name that cover most of a row of a track, if they come in a steady rhythm.
func (b *Builder) tilingOfRow(t *Track, lane uint16) (best tiling) {
	var names []tiling
	of := map[Symbol]int{}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range t.spans {
		s := &t.spans[i]
		first, last = min(first, s.begin), max(last, s.end)
		if s.lane != lane || s.flags&model.SpanOpenEnd != 0 {
			continue
		}
		k, known := of[s.name]
		if !known {
			k = len(names)
			of[s.name] = k
			names = append(names, tiling{name: s.name, lane: lane})
		}
		names[k].n++
		names[k].ns += s.end - s.begin
	}
	for _, x := range names {
		x.share = float64(x.ns) / float64(max(last-first, 1))
		if x.n >= leastTiles && x.share >= tilesCover && x.ns > best.ns && t.steady(x.name, lane) {
			best = x
			best.usual = slices.Contains(b.options.Suggest, b.Words(x.name))
		}
	}
	return best
}

// steady reports whether the spans of a name in a row, and none in other rows, come about as long after each other.
func (t *Track) steady(name Symbol, lane uint16) bool {
	var apart []int64
	before := int64(math.MinInt64)
	for i := range t.spans {
		s := &t.spans[i]
		switch {
		case s.name != name:
			continue
		case s.lane != lane:
			return false
		case before > math.MinInt64:
			apart = append(apart, s.begin-before)
		}
		before = s.begin
	}
	near := 0
	for i, ns := range apart[1:] {
		if ns <= steadyFactor*apart[i] && steadyFactor*ns >= apart[i] {
			near++
		}
	}
	return float64(near) >= steadyShare*float64(len(apart)-1)
}
