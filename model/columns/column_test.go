package columns

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// What is cut back to a position that has left is empty there, goes on from there, and can be cut
// back again.
func TestColumnIsCutBackBehindItsFront(t *testing.T) {
	const chunk = 1 << ColumnShift
	for _, left := range []int64{2*chunk + 1, 3 * chunk, 4 * chunk} { // some of a chunk, a whole one, all
		var acc Account
		acc.Init(Heap(), new(Sum))
		c := Int64s{Column{Acc: &acc}}
		for i := range int64(4 * chunk) {
			c.Push(i)
		}
		c.DropBefore(left)
		for _, n := range []int64{2*chunk - 1, chunk + 3, chunk, 1} {
			c.Truncate(n)
			testkit.MustThat(t, c.End() == n && c.Start() == n,
				"%d left, cut back to %d: from %d to %d", left, n, c.Start(), c.End())
		}
		for i := range int64(2 * chunk) {
			c.Push(-i)
			testkit.MustEqual(t, c.At(1+i), -i, "%d left: value %d", left, 1+i)
		}
		c.Clear()
		testkit.Equal(t, acc.Sum(), 0, "bytes on the account of what is empty")
	}
}

// A column of near values is a list of values, whatever they are.
func TestNearColumnIsAList(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var acc Account
		acc.Init(Heap(), new(Sum))
		var c Near
		c.Init(&acc)
		var plain []int64
		start, v := int64(0), int64(0)
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				n := rapid.Int64Range(start+1, max(start+1, c.End())).Draw(rt, "truncate")
				if n < c.End() {
					c.Truncate(n)
					plain = plain[:n]
				}
			case 1:
				if c.End() > 0 {
					start = rapid.Int64Range(start, c.End()-1).Draw(rt, "drop")
					c.DropBefore(start)
				}
			default:
				jump := rapid.SampledFrom([]int64{0, 1, 100, 1 << 26, 1<<32 - 1, 1 << 33, -5, math.MaxInt64 / 2, math.MinInt64 / 2}).Draw(rt, "jump")
				for range rapid.IntRange(1, 3000).Draw(rt, "push") {
					v += jump
					c.Push(v)
					plain = append(plain, v)
				}
			}
			for _, i := range []int64{start, (start + c.End()) / 2, c.End() - 1} {
				if i >= start && i < c.End() && c.At(i) != plain[i] {
					rt.Fatalf("value %d of [%d, %d) is %d, want %d", i, start, c.End(), c.At(i), plain[i])
				}
			}
		}
		for i := start; i < c.End(); i++ {
			if c.At(i) != plain[i] {
				rt.Fatalf("value %d of [%d, %d) is %d, want %d", i, start, c.End(), c.At(i), plain[i])
			}
		}
		want := c.End()*5 + int64(cap(c.wide))*16 + 60_000
		testkit.MustThat(rt, acc.Sum() <= want, "%d bytes for %d values", acc.Sum(), c.End())
	})
}

// From wherever one begins to look, the answer is the same, and it is near by a few steps.
func TestSearchNear(t *testing.T) {
	for answer := int64(3); answer <= 200; answer++ {
		for near := int64(-5); near < 210; near++ {
			steps := 0
			ok := func(i int64) bool {
				testkit.MustThat(t, i >= 3 && i < 200, "asked for %d", i)
				steps++
				return i >= answer
			}
			testkit.MustEqual(t, SearchNear(3, 200, near, ok), answer, "from %d", near)
			far := max(answer-near, near-answer)
			testkit.That(t, far > 1 || steps <= 4, "%d steps from %d to %d", steps, near, answer)
		}
	}
}

// Slots answer for any id, forget only what is asked for, and give back what they took.
func TestSlots(t *testing.T) {
	var acc Account
	var total Sum
	acc.Init(Heap(), &total)
	var s []*string
	for _, id := range []int32{-1, 0, 1 << 30} {
		if Slot(s, id) != nil {
			t.Errorf("slot %d of none: %v", id, Slot(s, id))
		}
		EmptySlot(s, id, nil)
	}
	a, b := "a", "b"
	s = SetSlot(&acc, s, int32(2), &a)
	testkit.That(t, Slot(s, int32(2)) == &a && Slot(s, int32(0)) == nil && Slot(s, int32(3)) == nil && len(s) == 3,
		"slots %v", s)
	want := int64(cap(s)) * SizeOf[*string]()
	testkit.That(t, acc.Sum() == want, "account %d of %d B", acc.Sum(), want)
	EmptySlot(s, int32(2), &b)
	testkit.Equal(t, Slot(s, int32(2)), &a, "another one was removed")
	EmptySlot(s, int32(2), &a)
	testkit.That(t, Slot(s, int32(2)) == nil, "it was not removed")
	LetGo(&acc, s)
	testkit.Equal(t, acc.Sum(), 0, "account … B of slots that were let go")
}

// Blocks of several sizes come and go at random: none overlaps another, none changes, and what is
// not used goes back.
func TestBlocksAreTheirOwn(t *testing.T) {
	for _, p := range []*Pool{{}, Heap()} {
		rng := rand.New(rand.NewPCG(1, 2))
		sizes := []int{1024, 4096, 6144, 25088, 40960, 100_000}
		type held struct {
			block []byte
			mark  byte
		}
		var list []held
		var used int64
		for n := range 20_000 {
			if grow := n < 6000 || rng.IntN(2) == 0; grow && len(list) < 3000 && n < 15_000 {
				b := p.Get(sizes[rng.IntN(len(sizes))])
				mark := byte(rng.Uint32())
				b[0], b[len(b)/2], b[len(b)-1] = mark, mark, mark
				list = append(list, held{b, mark})
				used += int64(len(b))
			} else if len(list) > 0 {
				k := rng.IntN(len(list))
				h := list[k]
				testkit.MustThat(t, h.block[0] == h.mark && h.block[len(h.block)/2] == h.mark &&
					h.block[len(h.block)-1] == h.mark, "a block was written by another")
				p.Put(h.block)
				used -= int64(len(h.block))
				list[k] = list[len(list)-1]
				list = list[:len(list)-1]
			}
			testkit.MustThat(t, p.used == used && p.Idle() >= 0, "%d bytes used, want %d, %d idle", p.used, used, p.Idle())
		}
		for _, h := range list {
			p.Put(h.block)
		}
		testkit.That(t, p.used == 0 && p.Idle() <= max(keptEmpty*maxSlab, keptHeap),
			"%d bytes used, %d idle", p.used, p.Idle())
		p.Trim(0)
		testkit.That(t, p.Idle() == 0 && len(p.slabs) == 0, "%d idle in %d slabs", p.Idle(), len(p.slabs))
		p.Close()
	}
}

func TestFewMappings(t *testing.T) {
	var p Pool
	defer p.Close()
	for range 20_000 {
		p.Get(25_088) // never touched: half a gigabyte of address space, no memory
	}
	testkit.That(t, !supported || len(p.slabs) <= 600 && p.Idle() <= 8<<20,
		"%d slabs, %d bytes idle", len(p.slabs), p.Idle())
}

func TestABlockOfAnotherPool(t *testing.T) {
	if !supported {
		t.Skip("no pages of the system here")
	}
	var p Pool
	defer p.Close()
	p.Get(100)
	defer func() {
		testkit.That(t, recover() != nil, "a strange block was taken")
	}()
	p.Put(make([]byte, 100))
}
