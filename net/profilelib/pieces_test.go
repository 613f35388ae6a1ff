package profilelib

import (
	"math/rand/v2"
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
