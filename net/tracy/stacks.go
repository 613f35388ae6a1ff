package tracy

import (
	"cmp"
	"encoding/binary"
	"fmt"
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
	lines     map[*thread]*sampled
	waiting   int      // samples that wait, and their addresses
	coming    *address // that gets the functions to come
	left      int      // of them
	image     string   // the library or program that they are in
}

// address is a place of the program's code.
type address struct {
	known bool
	calls []model.CollectorID // the functions there, the innermost first: it was compiled into the next one
}

// sampled are the samples of a thread.
type sampled struct {
	line *trace.StackThread
	list []stackSample  // that wait
	path []model.PathID // scratch
}

type stackSample struct {
	at        int64
	addresses []*address
}

const (
	stackBytes = 120
	unnamed    = "[unknown]" // what Tracy calls functions without a symbol, with their address behind it
)

// sample takes a sample of a thread.
func (s *stacks) sample(d *decoder, t *thread, at int64) {
	x := s.lines[t]
	if x == nil {
		if t.full || !d.hasRoom() {
			return
		}
		if s.lines == nil {
			s.lines, s.addresses = map[*thread]*sampled{}, map[uint64]*address{}
		}
		x = &sampled{}
		def := model.TrackDef{Name: t.def.Name + " samples", Index: t.def.Index}
		if id, ok := d.names.table.Track(t.key+"s", def); ok {
			x.line = d.lines.Thread(id, "samples")
			def.ID = id
			t.named = append(t.named, func() {
				def.Name = t.def.Name + " samples"
				d.sink.Define(def)
			})
		} else {
			d.bad.Bad(trace.ManyThreads, d.at)
		}
		s.lines[t] = x
	}
	if x.line == nil {
		return
	}
	stack := stackSample{at: at}
	for b := s.now; len(b) >= 8; b = b[8:] {
		if a := s.address(d, binary.LittleEndian.Uint64(b)); a != nil {
			stack.addresses = append(stack.addresses, a)
		}
	}
	s.now = s.now[:0]
	if !d.room.TakeData(stack.bytes()) { // no sample can wait any more
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
		s.addresses[ptr] = a
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
			s.coming.calls = s.coming.calls[:0]
		} else {
			s.coming = nil
		}
		return
	}
	if s.coming == nil {
		return
	}
	name := trace.Shown(string(d.first))
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
		d.room.GiveData(x.list[n].bytes())
	}
	x.list = append(x.list[:0], x.list[n:]...)
}

// write gives the session a sample, with the functions of its addresses so far.
func (x *sampled) write(d *decoder, stack *stackSample) {
	x.path = x.path[:0]
	parent := model.PathRoot
	for _, a := range slices.Backward(stack.addresses) {
		for _, c := range slices.Backward(a.calls) {
			parent = d.names.table.Path(parent, c)
			x.path = append(x.path, parent)
		}
	}
	x.line.Sample(stack.at, x.path)
}

// bytes is what a sample takes while it waits.
func (s *stackSample) bytes() int64 { return int64(64 + 8*cap(s.addresses)) }

func (s *stackSample) known() bool {
	for _, a := range s.addresses {
		if !a.known {
			return false
		}
	}
	return true
}

// close takes all samples: no address is answered any more.
func (s *stacks) close(d *decoder) {
	for _, x := range s.lines {
		x.take(d, true)
	}
}
