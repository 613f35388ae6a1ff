package trace

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

const (
	leastTicks  = 2       // instants that make frames
	emptyCredit = 1 << 18 // empty frames that a recording may cause, and
	emptyEach   = 16      // so many for each event

	leastSuggested   = 10 // so many spans of a thread may be frames,
	deepestSuggested = 3  // in this row or a higher one

	mostNumber = 1 << 61 // of a frame, as the store has it
)

// Border is a frame: its number, its begin and its end in ns. An open frame, the last, continued after its end.
type Border struct {
	Number, Begin, End int64
	Open               bool
}

// frames are those of a process.
type frames struct {
	borders  []Border
	main     *output
	skips    bool // their numbers leave some out
	declared *Track
	name     string // of the spans that they are
}

// Frames declares all frames of a process at once, in order of time: a process has one list of frames, and the last
// call counts. They are shown on its main thread, or where it has none on the track that they come from. Instants and
// spans are no frames then. The recording lasts until the end of the last frame at least, unless that is open.
func (p *Process) Frames(from *Track, list []Border) {
	p.borders, p.declared = list, from
	p.b.late = true
	if n := len(list); n > 0 && !list[n-1].Open {
		from.See(list[n-1].End)
	}
}

// findFrames makes the frames of each process: those that were declared, or else of instants or of spans that are
// called so, whichever are more; only of spans that the user chose. It returns the track to look at first, nil where
// there are no frames.
func (b *Builder) findFrames() (main *output) {
	if b.options.Frames == feed.NoFrames {
		return nil
	}
	name, chosen := b.options.Frames.Named()
	is := rule{names: b.options.FrameNames, least: b.options.LeastFrames, deepest: b.options.DeepestFrame}
	if chosen {
		is = rule{names: []string{name}, chosen: true}
	}
	most, ticksOf := 0, b.ticks()
	for _, p := range b.processes {
		if p.declared != nil {
			p.main = b.hostOf(p)
			for i := range p.borders {
				p.borders[i].End = min(p.borders[i].End, p.last)
			}
			b.number(p)
		} else {
			spans, host, name := b.frameSpans(p, is)
			if ticks := ticksOf[p]; len(ticks) >= leastTicks && len(ticks) >= len(spans) {
				b.framesOfTicks(p, ticks)
			} else if host != nil {
				p.borders, p.main, p.name = spans, host.out, name
			}
		}
		if len(p.borders) > most {
			most, main, b.frameName = len(p.borders), p.main, p.name
		}
	}
	switch {
	case main == nil && chosen:
		b.sink.Define(NoFrames(cmp.Or(b.options.FramesOf, "span of a thread"), name))
	case main == nil && b.options.Tiled:
		if main = b.tiledFrames(); main == nil {
			b.suggest()
		}
	case main == nil:
		b.suggest()
	}
	return main
}

// hostOf returns the track that declared frames are of.
func (b *Builder) hostOf(p *Process) *output {
	for _, t := range p.list {
		if t.out != nil && t.isMain() {
			return t.out
		}
	}
	return p.declared.out
}

// tick is an instant that may begin a frame.
type tick struct {
	time   int64
	number int64 // -1: none
	out    *output
}

// Ticks reports whether an instant of a name may begin a frame: one of the name that the user chose, or else one that
// is called a frame, with its digits.
func (b *Builder) Ticks(name []byte) (digits []byte, ok bool) {
	if b.options.Frames != "" {
		chosen, _ := b.options.Frames.Named()
		return nil, chosen != "" && string(name) == chosen
	}
	return Frame(name)
}

// ticks returns the instants that may begin frames, of each process in order of time.
func (b *Builder) ticks() map[*Process][]tick {
	of := map[*Process][]tick{}
	for _, o := range b.outputs {
		for i := range o.notes {
			if n := &o.notes[i]; n.frame > 0 {
				of[o.process] = append(of[o.process], tick{n.time, int64(n.frame) - 2, o})
			}
		}
	}
	for _, list := range of {
		SortRuns(list, func(x, y tick) int { return cmp.Compare(x.time, y.time) })
	}
	return of
}

// framesOfTicks makes frames of instants; they are no messages then. Gaps in their numbers are no
// missing frames.
func (b *Builder) framesOfTicks(p *Process, ticks []tick) {
	of := map[*output]int{}
	for i, t := range ticks {
		f := Border{Number: t.number, Begin: t.time, End: p.last, Open: true}
		if i+1 < len(ticks) {
			f.End, f.Open = ticks[i+1].time, false
		}
		p.borders = append(p.borders, f)
		if of[t.out]++; p.main == nil || of[t.out] > of[p.main] {
			p.main = t.out
		}
	}
	b.number(p)
	for o := range of {
		o.notes = slices.DeleteFunc(o.notes, func(n note) bool { return n.frame > 0 })
	}
}

// number keeps the numbers of frames in order of time, -1 for no number, if they ascend: gaps in them need not be
// lost frames. Otherwise it counts the frames from 0.
func (b *Builder) number(p *Process) {
	list := p.borders
	ascend, numbered := true, false
	for i, f := range list {
		numbered = numbered || f.Number >= 0
		ascend = ascend && f.Number >= 0 && f.Number <= mostNumber && (i == 0 || f.Number > list[i-1].Number)
	}
	if n := len(list); n > 0 && ascend {
		p.skips = list[n-1].Number-list[0].Number >= int64(n)
		return
	}
	b.uncounted = b.uncounted || numbered
	for i := range list {
		list[i].Number = int64(i)
	}
}

// rule says which spans of a thread are frames: of the names, at least so many in the row deepest or a higher one, 0
// for any. chosen means that the user named them: one is enough, and what lies in another is a part of it.
type rule struct {
	names          []string
	least, deepest int
	chosen         bool
}

// frameSpans returns the spans of a thread of a process that are its frames: of the thread and the name that have most
// of them.
func (b *Builder) frameSpans(p *Process, is rule) (best []Border, host *Thread, called string) {
	for _, name := range is.names {
		symbol, ok := b.Known(name)
		for _, t := range p.list {
			if !ok || t.out == nil || b.uses(t, symbol) <= len(best) {
				continue
			}
			for _, track := range t.out.tracks {
				b.settle(track, ofThreads)
				if list := b.named(track, symbol, is); len(list) > len(best) {
					best, host, called = list, t, name
				}
			}
		}
	}
	return best, host, called
}

// uses returns how many spans of a thread have a name.
func (b *Builder) uses(t *Thread, name Symbol) (n int) {
	for _, track := range t.out.tracks {
		track.marks.each(func(m *mark) {
			if m.name == name && m.event&isEnd == 0 {
				n++
			}
		})
		track.whole.each(func(s *span) {
			if s.name == name {
				n++
			}
		})
		for i := range track.spans {
			if track.spans[i].name == name {
				n++
			}
		}
	}
	return n
}

// named returns the spans of a name as frames: nil if they are few or inside each other.
func (b *Builder) named(t *Track, name Symbol, is rule) (list []Border) {
	for i := range t.spans {
		s := &t.spans[i]
		if s.name != name || is.deepest > 0 && int(s.lane) >= is.deepest {
			continue
		}
		within := len(list) > 0 && list[len(list)-1].End > s.begin
		switch {
		case within && is.deepest > 0:
			return nil
		case within || s.end <= s.begin && is.chosen:
			continue
		}
		f := Border{Number: int64(len(list)), Begin: s.begin, End: s.end, Open: s.flags&model.SpanOpenEnd != 0}
		if f.Open && !b.options.EndWithThread {
			f.End = t.process.last
		}
		list = append(list, f)
	}
	if len(list) < is.least {
		return nil
	}
	return list
}

// suggest proposes the spans of one name as frames if nothing marks frames: of the usual names the most frequent on
// one thread. Without such spans, it proposes the instants of the first usual name that a thread has often.
func (b *Builder) suggest() {
	best, most := "", 0
	for _, p := range b.processes {
		list, _, name := b.frameSpans(p, rule{names: b.options.Suggest, least: leastSuggested, deepest: deepestSuggested})
		if len(list) > most {
			best, most = name, len(list)
		}
	}
	instants := most == 0
	if instants {
		best, most = b.usualInstants()
	}
	if most > 0 {
		b.sink.Define(MayBeFrames(best, most, instants))
	}
}

// usualInstants returns the first usual name of which a thread has many instants, and how many it has, 0 for none.
func (b *Builder) usualInstants() (name string, n int) {
	of := map[string]int{} // the most of a thread
	for _, o := range b.outputs {
		counts := map[string]int{}
		for i := range o.notes {
			if name, _, _ := strings.Cut(b.Words(o.notes[i].text), " "); slices.Contains(b.options.Suggest, name) {
				counts[name]++
			}
		}
		for name, n := range counts {
			of[name] = max(of[name], n)
		}
	}
	for _, name := range b.options.Suggest {
		if of[name] >= leastSuggested {
			return name, of[name]
		}
	}
	return "", 0
}
