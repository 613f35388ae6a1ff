package tracy

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// stacks are the samples of threads. One waits until the program has said what its addresses are; so do those of its
// thread behind it.
type stacks struct {
	now       []byte // addresses of the stack that the next event refers to, the innermost first
	addresses map[uint64]*address
	lines     []*sampled
	coming    *address // that gets the functions to come
	left      int      // of them
	image     string   // the library or program that they are in
}

// address is a place of the program's code.
type address struct {
	known bool
	own   int                 // the first of them that are Tracy's
	calls []model.CollectorID // the functions there, the innermost first: it was compiled into the next one
}

// sampled are the samples of a thread, or the allocations of a pool.
type sampled struct {
	line   *trace.StackThread // nil: there is no room for it
	def    model.TrackDef
	weighs bool           // they are allocations
	list   []stackSample  // that wait
	path   []model.PathID // scratch
}

type stackSample struct {
	at, bytes int64
	addresses []*address
}

const (
	stackBytes = 120
	unnamed    = "[unknown]" // what Tracy calls functions without a symbol, with their address behind it
)

// sample takes a sample of a thread.
func (s *stacks) sample(d *decoder, t *thread, at int64) {
	if t.samples == nil {
		if t.full {
			return
		}
		title := func() string { return t.def.Name + " samples" }
		t.samples = s.newSampled(d, t.key+"s", model.TrackDef{Name: title(), Index: t.def.Index})
		t.named = append(t.named, func() { t.samples.rename(d, title()) })
	}
	s.keep(d, t.samples, stackSample{at: at})
}

// allocation takes the stack of an allocation of a pool.
func (s *stacks) allocation(d *decoder, pool uint64, m *memory, stack stackSample) {
	if m.samples == nil {
		m.samples = s.newSampled(d, fmt.Sprintf("m%d", pool), model.TrackDef{Name: m.title(), Index: math.MaxInt32})
		if m.samples.line != nil {
			m.samples.line.Weighs(trace.Allocated)
			m.samples.weighs = true
		}
	}
	s.keep(d, m.samples, stack)
}

// newSampled begins a track of samples.
func (s *stacks) newSampled(d *decoder, key string, def model.TrackDef) *sampled {
	x := &sampled{def: def}
	if !d.hasRoom() {
		return x
	}
	s.lines = append(s.lines, x)
	id, ok := d.names.table.Track(key, def)
	if !ok {
		d.bad.Bad(trace.ManyThreads, d.at)
		return x
	}
	x.def.ID, x.line = id, d.lines.Thread(id, "samples")
	return x
}

// rename gives the track another name.
func (x *sampled) rename(d *decoder, name string) {
	if x.def.Name = name; x.line != nil {
		d.sink.Define(x.def)
	}
}

// keep takes a sample with the addresses that came before it, and writes those with known functions.
func (s *stacks) keep(d *decoder, x *sampled, stack stackSample) {
	addresses := s.now
	s.now = s.now[:0]
	if x.line == nil {
		return
	}
	for b := addresses; len(b) >= 8; b = b[8:] {
		if a := s.address(d, binary.LittleEndian.Uint64(b)); a != nil {
			stack.addresses = append(stack.addresses, a)
		}
	}
	if !d.room.TakeData(stack.room()) { // no sample can wait any more
		x.take(d, true)
		x.write(d, &stack)
		return
	}
	x.list = append(x.list, stack)
	x.take(d, false)
}

// address returns the entry of an address, nil where there is no room for it.
func (s *stacks) address(d *decoder, ptr uint64) *address {
	a := s.addresses[ptr]
	if a == nil {
		if !d.room.Take(stackBytes) {
			d.bad.Bad(trace.NoMemoryForNames, d.at)
			return nil
		}
		a = &address{}
		a.calls = []model.CollectorID{d.names.table.Keyed(keyOf(ptr), func() model.CollectorDef {
			return model.CollectorDef{Name: fmt.Sprintf("%#x", ptr)}
		})}
		model.Put(&s.addresses, ptr, a)
		d.names.question(d.askFrame, ptr)
	}
	return a
}

// answer takes how many functions are at an address, or one of them.
func (s *stacks) answer(d *decoder, r *record) {
	if r.is == callstackFrameSize {
		d.names.asked = max(d.names.asked-1, 0)
		s.coming, s.left = s.addresses[r.uint("ptr")], int(r.uint("count"))
		s.image = trace.Shown(path.Base(string(d.first)))
		if s.coming != nil && !s.coming.known {
			s.coming.calls, s.coming.own = s.coming.calls[:0], 0
		} else {
			s.coming = nil
		}
		return
	}
	if s.coming == nil {
		return
	}
	name := trace.Shown(string(d.first))
	if isOwn := name == "Callstack" || strings.HasPrefix(name, "tracy::"); isOwn && s.coming.own == len(s.coming.calls) {
		s.coming.own++
	}
	if name == "" || strings.HasPrefix(name, unnamed) {
		name = "in " + cmp.Or(s.image, "unknown code")
	}
	s.coming.calls = append(s.coming.calls, d.names.table.Keyed([]byte("c"+name), func() model.CollectorDef {
		return model.CollectorDef{Name: name, Place: trace.Place(string(d.second), int64(r.uint("line")))}
	}))
	if s.left--; s.left > 0 {
		return
	}
	s.coming.known, s.coming = true, nil
	for _, x := range s.lines {
		x.take(d, false)
	}
}

// take takes the samples whose addresses are known, or all of them.
func (x *sampled) take(d *decoder, all bool) {
	n := 0
	for ; n < len(x.list) && (all || x.list[n].known()); n++ {
		x.write(d, &x.list[n])
		d.room.GiveData(x.list[n].room())
	}
	x.list = append(x.list[:0], x.list[n:]...)
}

// write gives the session a sample, with the functions of its addresses so far.
func (x *sampled) write(d *decoder, stack *stackSample) {
	x.path = x.path[:0]
	parent := model.PathRoot
	addresses := stack.addresses
	own := 0 // functions of the client, which counts allocations
	if x.weighs && len(addresses) > 0 {
		for len(addresses) > 1 && addresses[0].own == len(addresses[0].calls) {
			addresses = addresses[1:]
		}
		own = addresses[0].own
	}
	for i, a := range slices.Backward(addresses) {
		calls := a.calls
		if i == 0 {
			calls = calls[own:]
		}
		for _, c := range slices.Backward(calls) {
			parent = d.names.table.Path(parent, c)
			x.path = append(x.path, parent)
		}
	}
	x.line.Sample(stack.at, x.path)
	if x.weighs {
		x.line.Weigh(float64(stack.bytes))
		x.line.Stop(stack.at)
	}
}

// room is what a sample takes while it waits.
func (s *stackSample) room() int64 { return int64(64 + 8*cap(s.addresses)) }

func (s *stackSample) known() bool {
	return !slices.ContainsFunc(s.addresses, func(a *address) bool { return !a.known })
}

// close takes all samples: no address is answered any more.
func (s *stacks) close(d *decoder) {
	for _, x := range s.lines {
		x.take(d, true)
	}
}
