package sessionfile

import (
	"maps"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// Definitions gathers a client's description, collectors and threads: all that a session file needs
// besides the frames. It has the Handler methods for everything except frames.
type Definitions struct {
	hello      pstats.ClientHello
	known      bool
	collectors map[int]pstats.CollectorDef
	threads    map[int]string
	// the threads with levels of a collector, bit b of word w is thread 32·w + b; ancestors not included
	levels     map[int][]uint32
	places     threadMap
	lastLevels []uint16 // collectors of the last frame's levels, and its thread: usually the next one has the same
	lastThread int
}

// NewDefinitions returns the definitions of a client that has sent nothing yet.
func NewDefinitions() Definitions {
	return Definitions{
		hello: pstats.ClientHello{PID: -1}, collectors: map[int]pstats.CollectorDef{}, threads: map[int]string{},
		levels: map[int][]uint32{}, places: newThreadMap(),
	}
}

// Hello implements Handler.
func (d *Definitions) Hello(h pstats.ClientHello) { d.hello, d.known = h, true }

// Collectors implements Handler.
func (d *Definitions) Collectors(defs []pstats.CollectorDef) {
	for _, def := range defs {
		if def.Index >= 0 {
			d.collectors[int(def.Index)] = def
		}
	}
}

// Threads implements Handler.
func (d *Definitions) Threads(first int, names []string) {
	for i, name := range names {
		wireIndex := first + i
		if wireIndex < 0 || wireIndex > math.MaxUint16 {
			continue
		}
		index := d.places.name(wireIndex, name).index
		if old, ok := d.threads[index]; !ok || name != "" && name != old {
			d.threads[index] = name
		}
	}
}

// Expire implements Handler.
func (d *Definitions) Expire(thread int) { d.places.expire(thread) }

// Lost implements Handler.
func (d *Definitions) Lost(model.Loss) {}

// Close implements Handler.
func (d *Definitions) Close(string) {}

// Client returns the client's hello.
func (d *Definitions) Client() pstats.ClientHello { return d.hello }

// Collector returns a definition.
func (d *Definitions) Collector(index int) (pstats.CollectorDef, bool) {
	def, ok := d.collectors[index]
	return def, ok
}

// CollectorDefs returns the definitions in order of their index.
func (d *Definitions) CollectorDefs() []pstats.CollectorDef {
	out := make([]pstats.CollectorDef, 0, len(d.collectors))
	for _, i := range slices.Sorted(maps.Keys(d.collectors)) {
		out = append(out, d.collectors[i])
	}
	return out
}

// ThreadIndices returns the indices of all threads that were named or sent frames, ascending.
func (d *Definitions) ThreadIndices() []int { return slices.Sorted(maps.Keys(d.threads)) }

// ThreadName returns the name of a thread, which may be empty.
func (d *Definitions) ThreadName(thread int) string { return d.threads[thread] }

// Place returns the index in a file of the thread of a frame, which differs from that on the wire
// if the client used that index before for another thread. It notes the thread and the collectors
// of the frame's levels.
func (d *Definitions) Place(f *pstats.Frame) uint16 {
	p := d.Find(f)
	d.Note(int(p), f)
	return p
}

// Find is Place for a frame that may be left out: it notes nothing of its content.
func (d *Definitions) Find(f *pstats.Frame) uint16 {
	p, renamed := d.places.frame(f)
	if renamed {
		d.threads[p.index] = p.name
	}
	return uint16(p.index)
}

// Origin returns which thread of the client one of the file is.
func (d *Definitions) Origin(thread int) Thread { return d.places.used[thread] }

// Keep leaves out the threads of a file for which keep returns false.
func (d *Definitions) Keep(keep func(thread int) bool) {
	maps.DeleteFunc(d.threads, func(thread int, _ string) bool { return !keep(thread) })
}

// Note notes a thread, by its index in a file, and the collectors of its frame's levels.
func (d *Definitions) Note(thread int, f *pstats.Frame) {
	if _, ok := d.threads[thread]; !ok {
		d.threads[thread] = ""
	}
	if thread == d.lastThread && len(f.Levels) == len(d.lastLevels) {
		same := true
		for i := range f.Levels {
			if f.Levels[i].Collector != d.lastLevels[i] {
				same = false
				break
			}
		}
		if same {
			return
		}
	}
	d.lastThread, d.lastLevels = thread, d.lastLevels[:0]
	for _, l := range f.Levels {
		d.lastLevels = append(d.lastLevels, l.Collector)
		d.levels[int(l.Collector)] = setBit(d.levels[int(l.Collector)], thread)
	}
}

func setBit(words []uint32, bit int) []uint32 {
	for bit/32 >= len(words) {
		words = append(words, 0)
	}
	words[bit/32] |= 1 << (bit % 32)
	return words
}

// levelThreads returns the bits as a file has them: a collector's include those of all below it,
// collector 0 excepted.
func (d *Definitions) levelThreads() map[int][]uint32 {
	out := map[int][]uint32{}
	for c, words := range d.levels {
		for steps := 0; steps < pstats.MaxDepth; steps++ { // the parents may form a ring
			merged := out[c]
			for w, bits := range words {
				for b := range 32 {
					if bits&(1<<b) != 0 {
						merged = setBit(merged, 32*w+b)
					}
				}
			}
			out[c] = merged
			def, ok := d.collectors[c]
			if !ok || def.Parent <= 0 || int(def.Parent) == c {
				break
			}
			c = int(def.Parent)
		}
	}
	return out
}
