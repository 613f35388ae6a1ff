package columns

import (
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
)

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
				if h.block[0] != h.mark || h.block[len(h.block)/2] != h.mark || h.block[len(h.block)-1] != h.mark {
					t.Fatal("a block was written by another")
				}
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
