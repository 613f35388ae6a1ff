package profilelib

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
)

// library acts as the profiling library does on one thread: on a virtual clock, and on virtual
// processors that change while the program works. It splits blocks by the library's rule.
type library struct {
	written
	r       *rand.Rand
	now     int64
	cpu     uint32
	moves   float64 // chance that the thread moves while it works
	delayed float64 // chance that it loses the processor within a split, for up to a millisecond
	open    []*libraryBlock
	done    []*libraryBlock // roots, and messages outside of them, since the last flush
	calls   map[string]int64
	next    uint32
	split   int
}

// libraryBlock is a block, or a message, which has no end of its own.
type libraryBlock struct {
	r        Record
	children []*libraryBlock
}

func newLibrary(seed uint64) *library {
	return &library{r: rand.New(rand.NewPCG(seed, 1)), now: 1e6, calls: map[string]int64{}, next: 129}
}

// work lets time pass, within which the thread may move.
func (l *library) work(ns int64) {
	l.now += ns/2 + l.r.Int64N(ns/2+1)
	if l.r.Float64() < l.moves {
		l.cpu = (l.cpu + 1 + uint32(l.r.IntN(3))) % 4
	}
	l.now += ns / 2
}

func (l *library) begin(name string) {
	l.calls[name]++
	l.beginRecord(name)
}

func (l *library) beginRecord(name string) {
	b := &libraryBlock{r: Record{ID: l.next, Processor: l.cpu, Thread: 7, Name: []byte(name)}}
	l.next++
	l.now += 40
	b.r.Start = l.now
	if n := len(l.open); n > 0 {
		b.r.Parent = l.open[n-1].r.ID
		l.open[n-1].children = append(l.open[n-1].children, b)
	}
	l.open = append(l.open, b)
}

func (l *library) end() {
	n := len(l.open) - 1
	b := l.open[n]
	l.now += 40
	b.r.End = l.now
	l.open = l.open[:n]
	if n == 0 {
		l.done = append(l.done, b)
		return
	}
	l.update()
}

// update is what the library does at the end of a call, and when it is asked to: it splits the
// innermost block if the thread has moved.
func (l *library) update() {
	if n := len(l.open); n > 0 && l.open[n-1].r.Processor != l.cpu {
		name := string(l.open[n-1].r.Name)
		l.end()
		l.split++
		if l.now += 100 + l.r.Int64N(900); l.r.Float64() < l.delayed {
			l.now += l.r.Int64N(1e6)
		}
		l.beginRecord(name)
	}
}

func (l *library) message(kind Kind, number int64) {
	l.now += 40
	b := &libraryBlock{r: Record{ID: uint32(kind), Processor: l.cpu, Thread: 7, Start: l.now, End: number}}
	if kind != Frame {
		b.r.End = int64(l.next)
		l.next++
		b.r.Name = []byte("a message")
	}
	if n := len(l.open); n > 0 {
		l.open[n-1].children = append(l.open[n-1].children, b)
		return
	}
	l.done = append(l.done, b)
}

// flush writes what is done as the library does: the newest first, with its links.
func (l *library) flush() {
	slots := uint32(0)
	var write func(b *libraryBlock, slot, sibling uint32)
	write = func(b *libraryBlock, slot, sibling uint32) {
		n := len(b.children)
		first := slots + 1
		slots += uint32(n)
		if b.r.Sibling = sibling; n > 0 {
			b.r.Child = first
		}
		l.add(b.r)
		for k := range n {
			next := uint32(0)
			if k+1 < n {
				next = first + uint32(k) + 1
			}
			write(b.children[n-1-k], first+uint32(k), next)
		}
	}
	for k := len(l.done) - 1; k >= 0; k-- {
		slots++
		write(l.done[k], slots, 0)
	}
	l.done = l.done[:0]
}

// frame is one of a game: leaves that follow each other at once, one that looks where it runs, and
// pauses.
func (l *library) frame(n int64) {
	leaf := func(name string, ns int64) { l.begin(name); l.work(ns); l.end() }
	l.begin("Frame")
	l.begin("Update")
	l.begin("Physics")
	for range 3 {
		leaf("Substep", 60e3)
	}
	l.end()
	l.begin("AI")
	for range 4 {
		l.work(20e3)
		l.update()
	}
	l.end()
	l.end()
	l.begin("Render")
	leaf("Cull", 50e3)
	l.message(Log, 0)
	leaf("Submit", 80e3)
	l.end()
	l.end()
	l.message(Frame, n)
	for range l.r.IntN(3) {
		l.begin("Job")
		leaf("Skin", 30e3)
		leaf("Blend", 40e3)
		l.end()
		l.work(300e3)
	}
	if n%6 == 5 {
		l.flush()
	}
}

// TestCallsOfAThreadThatMoves: whatever the system takes from a thread within a split, calls are
// counted as the program made them.
func TestCallsOfAThreadThatMoves(t *testing.T) {
	made, wrong, splits := int64(0), int64(0), 0
	for seed := range uint64(6) {
		l := newLibrary(seed)
		l.moves, l.delayed = 0.02, 0.03
		for n := range int64(400) {
			l.frame(n)
		}
		l.flush()
		k := decode(t, l.data)
		check(t, k)
		_, sums := blocks(k.s)
		for name, want := range l.calls {
			if d := sums[name].Count - want; d != 0 {
				t.Logf("%q: %d calls, want %d", name, sums[name].Count, want)
				wrong += max(d, -d)
			}
			made += want
		}
		splits += l.split
	}
	t.Logf("%d calls, %d splits, %d wrong", made, splits, wrong)
	testkit.That(t, splits >= 500 && wrong*2000 <= made, "%d of %d calls are counted wrong", wrong, made)
}

// FuzzDecoder writes anything, in pieces and with idle moments that the first bytes choose.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"no-sysinfo", "exhausted"} {
		data := readFile(f, capture(f, name))
		f.Add(uint8(0), uint8(200), data[:min(len(data), 150*64)])
		f.Add(uint8(7), uint8(77), data[:min(len(data), 60*64)])
		f.Add(uint8(1), uint8(63), slices.Concat(data[:20*64], data[10*64:60*64], data[:30*64+7], make([]byte, 64*3), data[:20*64]))
	}
	f.Fuzz(func(t *testing.T, how, step uint8, data []byte) {
		o := Options{File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&4 != 0 {
			o.Rate = 1e7
		}
		if how&8 == 0 {
			l := allLayouts()[int(how>>4)%10]
			o.Layout = &l
		}
		k := newSink()
		d := NewDecoder(k, o)
		n := 0
		_ = feedParts(d, data, func() int { return int(step) + 1 }, func() bool { n++; return n%int(how%5+1) == 0 })
		check(t, k)
	})
}

// recordsOf makes records out of bytes that are each plausible, but hardly their order.
func recordsOf(data []byte) []byte {
	take := func() int64 {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int64(b)
	}
	var out []byte
	var open []uint32 // ids that may be parents
	id, now := uint32(128), int64(1000)
	names := []string{"Frame", "Update", "profile_io", "", "Job"}
	for len(data) > 0 {
		op, x := take(), take()
		now += x * 10
		r := Record{Thread: uint32(op % 3), Processor: uint32(x % 2), Start: now, End: now}
		id++
		r.ID = id
		switch kind := op % 20; {
		case kind < 9:
			r.Name = []byte(names[x%5])
			if y := take(); y < 128 {
				r.Start -= y * 20
			} else {
				r.Start -= (y - 128) / 8
			}
			r.Start = max(r.Start, 0)
			if n := len(open); n > 0 && op >= 100 {
				r.Parent = open[(n-1)-int(x)%n]
			}
			if op >= 180 {
				r.Child = uint32(x % 2)
				r.Sibling = uint32(x / 2 % 2)
			}
			open = append(open, id)
			if len(open) > 4 {
				open = open[1:]
			}
		case kind < 12:
			r.ID, r.End = uint32(Frame), x-60
			id--
		case kind == 12:
			r.ID, r.Start, r.End, r.Parent = uint32(SysInfo), 1e7*(1+x%2*99), 0, 0
			r.Thread, r.Processor, r.Name = 0, 0, []byte("sysinfo")
			id--
		case kind == 13:
			r = Record{}
			id--
		case kind == 14:
			now -= min(now, take()*100)
			id -= uint32(min(int64(id-128), take()))
			continue
		case kind == 15:
			out = append(out, make([]byte, x)...)
			continue
		default:
			r.ID, r.End, r.Name = uint32(Log)+uint32(x%12), int64(id), []byte("lock")
			if r.ID == uint32(Frame) {
				r.Name = nil
			}
			if k := Kind(r.ID); k.More() || k == Signal && x > 128 {
				r.Parent = id - 1
				if r.Parent < FirstBlock {
					r.Parent = FirstBlock
				}
			}
		}
		out = Current.Encode(&r, out)
	}
	return out
}

// FuzzRecords writes plausible records in any order, so that everything behind their decoding is
// reached. Idle moments must change nothing in the end but numbers of frames whose counter fell
// back.
func FuzzRecords(f *testing.F) {
	f.Add(uint8(0), []byte("\x00\x10\x05\x64\x20\x05\x09\x10\x00\x10\x05\x0d\x00\x00\x10\x05\x09\x22"))
	f.Add(uint8(9), []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
	f.Fuzz(func(t *testing.T, how uint8, data []byte) {
		stream := recordsOf(data)
		l := Current
		o := Options{Layout: &l, File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&4 != 0 {
			o.Rate = 1e9
		}
		if how&16 != 0 {
			o.lagNs = 500
		}
		k := newSink()
		n := 0
		_ = feedParts(NewDecoder(k, o), stream, func() int { return 64 * (1 + int(how>>5)) }, func() bool { n++; return n%int(how/8%4+1) == 0 })
		check(t, k)
	})
}
