// Along finds the typical length of frames, or of other things in a row, from those around each, and the
// hitches among them.

package frames

import (
	"math/bits"
	"slices"

	"framescope/model/columns"
	"framescope/model/internal/histogram"
)

// The typical length of a frame comes from the frames around it, and a hitch is much longer. Two
// figures decide, so that neither noise, drift nor a change of the program's work makes a hitch:
//
//   - the middle: the median of the Near frames on each side. A median follows a drift and
//     keeps a step where it is, and a burst of fewer than Near hitches does not move it;
//   - the spread: how far frames lie over the middle of their own neighbours, as shares of it, by the
//     value that one in spreadOne exceeds, among some hundred frames on each side. Shares, so that
//     phases of different lengths compare; a high value and not the distance of quartiles, so that
//     noise with long tails counts as noise.
//
// The spread and the hitches are kept for blocks of frames, with the range of frames that they come
// from: a block is computed again only if that range changed, which concerns the newest blocks. Cost:
// O(1) a frame.
const (
	// Near is the number of frames on each side for the middle.
	Near      = 15
	shift     = 6          // binary logarithm of the frames of a block
	Block     = 1 << shift // frames that are looked at together
	far       = 4          // blocks on each side for the spread
	spreadOne = 5          // one in so many is over the spread
	least     = 8          // frames needed for a typical length
	shareUnit = 1e6        // of shares
	maxShare  = 1e9        // a frame of a thousand times its middle is as good as any longer one
	// What makes a hitch: docs/why.md says these two.
	hitchSpread = 5   // spreads that a hitch is over the middle at least, or
	slight      = 3e5 // the share over the middle below which it stands out from the longest around, too:
	slightNear  = 2.7 // so many times over the middle as one in nearOne of the nearest
	slightFar   = 2.3 // and as one in farOne of all that the spread is found from
	nearOne     = 16
	farOne      = 32
	newsShare   = 0.9 // the share of its excess that is new at least
	newsSeen    = 2   // so many of the frames around may have what is new
	newsParts   = 10  // what has less than a part in so many of the excess is left out
)

// Around is the typical length of the frames around one.
type Around struct {
	N        int // frames used for the middle, 0: too few to know
	MedianNs int64
	// SpreadNs is how far the fifth of the frames that are longest lie over the middle at least.
	SpreadNs int64
}

// HitchNs returns the length from which one is a hitch, unless it stands out too little from the longest around,
// or something new made it long: beyond the noise, and that from which one is late where they hardly vary.
func (a Around) HitchNs(f interface{ LeastNs(medianNs int64) int64 }) int64 {
	return max(a.NoiseNs(), f.LeastNs(a.MedianNs))
}

// NoiseNs returns the length up to which noise makes frames: five spreads over the middle.
func (a Around) NoiseNs() int64 { return a.MedianNs + hitchSpread*a.SpreadNs }

// found is the result for a block.
type found struct {
	from, to int64  // positions of the frames that it was found from
	spread   int64  // share
	hitches  uint64 // bit by frame
}

// Along finds typical lengths along a row of things, and the hitches among them, and keeps the results for
// its blocks. The zero value is ready. It reads only new things again.
type Along struct {
	blocks  []found
	first   int64 // number of the first of them
	acc     *columns.Account
	work    *aroundWork // that of others, or nil before the first answer
	visited int64
}

// Lengths are the input: the lengths of frames, or of other things in a row, by position.
type Lengths interface {
	Length(p int64) int64     // ns
	Kept() (first, end int64) // the positions are [first, end)
	// LeastNs returns the length from which one is late where they hardly vary, by their middle.
	LeastNs(medianNs int64) int64
	// News returns how much time of one went to what next to none around has, by parts that count beside an excess.
	News(p, excessNs int64) (ns int64)
}

// middles is the work of finding middles of frames one after another: the frames around in order of
// length.
type middles struct {
	sorted   [2*Near + 1]int64
	n        int
	from, to int64 // positions of the frames in it
}

// at returns the middle of the frame at a position, and its number of frames.
func (m *middles) at(f Lengths, p int64) (median int64, n int) {
	first, behind := f.Kept()
	from, to := max(p-Near, first), min(p+Near+1, behind)
	if from < m.from || from >= m.to || to < m.to {
		m.n, m.from, m.to = 0, from, from
	}
	for ; m.to < to; m.to++ {
		if m.to-m.from > 2*Near {
			m.remove(f.Length(m.from))
			m.from++
		}
		m.insert(f.Length(m.to))
	}
	for ; m.from < from; m.from++ {
		m.remove(f.Length(m.from))
	}
	return m.sorted[(m.n-1)/2], m.n
}

func (m *middles) insert(ns int64) {
	k, _ := slices.BinarySearch(m.sorted[:m.n], ns)
	copy(m.sorted[k+1:m.n+1], m.sorted[k:m.n])
	m.sorted[k] = ns
	m.n++
}

func (m *middles) remove(ns int64) {
	k, _ := slices.BinarySearch(m.sorted[:m.n], ns)
	copy(m.sorted[k:], m.sorted[k+1:m.n])
	m.n--
}

// shareOver returns how far a length is over a middle, 0 where it is not.
func shareOver(ns, median int64) int64 {
	if ns <= median {
		return 0
	}
	return int64(min(float64(ns-median)*shareUnit/float64(max(median, 1)), maxShare))
}

// aroundWork is the memory that a block is found in.
type aroundWork struct {
	middles middles
	shares  [reach]int64 // of the frames in [begin, end), and their middles
	medians [reach]int64
	some    [reach]int64

	begin, end int64
	goesOn     bool // the memory holds the block before, of the same track, and nothing changed since
}

// reach is the number of frames used for a block's spread.
const reach = (2*far + 1) * Block

// block returns the result for the block of a number. goesOn means that the one before it was the last.
func (k *Along) block(f Lengths, block int64, goesOn bool) (b *found) {
	if k.work == nil {
		k.work = new(aroundWork)
	}
	w := k.work
	w.goesOn = goesOn && w.goesOn
	first, end := f.Kept()
	from := max((block-far)<<shift-Near, first)
	to := min((block+far+1)<<shift+Near, end)
	oldest := first >> shift
	if k.first < oldest {
		n := len(k.blocks)
		k.blocks = columns.CutFront(k.acc, k.blocks, int(min(oldest-k.first, int64(n))))
		if k.first += int64(n - len(k.blocks)); len(k.blocks) == 0 {
			k.first = oldest
		}
	}
	for int64(len(k.blocks)) <= block-k.first {
		k.blocks = columns.Push(k.acc, k.blocks, found{})
	}
	b = &k.blocks[block-k.first]
	changed := b.from != from || b.to != to
	if changed {
		b.from, b.to = from, to
		k.visited += w.find(f, block, b)
	}
	w.goesOn = changed
	return b
}

// find computes the typical lengths of the frames of a block, and the hitches. It returns how many
// frames it read: only new ones if it continues from the block before.
func (w *aroundWork) find(f Lengths, block int64, b *found) (visited int64) {
	first, behind := f.Kept()
	begin := max((block-far)<<shift, first)
	end := min((block+far+1)<<shift, behind)
	own, ownEnd := max(block<<shift, first)-begin, min((block+1)<<shift, behind)-begin
	if visited = end - max(w.shift(begin), begin); visited > 0 {
		for p := end - visited; p < end; p++ {
			median, _ := w.middles.at(f, p)
			w.medians[p-begin], w.shares[p-begin] = median, shareOver(f.Length(p), median)
		}
		w.end = end
	}
	n := end - begin
	b.spread = exceeded(w.some[:copy(w.some[:], w.shares[:n])])
	// A stretch that is noisier than its surroundings has its own noise.
	near, nearEnd := max(own-Block, 0), min(ownEnd+Block, n)
	b.spread = max(b.spread, exceeded(w.some[:copy(w.some[:], w.shares[near:nearEnd])]))
	b.hitches = 0
	for i := own; i < ownEnd; i++ {
		if p := begin + i; isHitch(f, p, with(f, p, w.medians[i], b.spread)) && (w.shares[i] >= slight || w.standsOut(i, n)) {
			b.hitches |= 1 << (p & (Block - 1))
		}
	}
	return visited
}

// standsOut reports whether the frame at a place of n known ones is far over the middle by those that are longest
// around. It decides of those that are not far over it by themselves, as tails of noise, and noise that comes and
// goes, reach there.
func (w *aroundWork) standsOut(i, n int64) bool {
	tail := func(from, to, one int64) float64 {
		k := w.some[:copy(w.some[:], w.shares[from:to])]
		return float64(histogram.Select(k, len(k)-1-len(k)/int(one)))
	}
	share := float64(w.shares[i])
	return share >= slightNear*tail(max(i-Block/2, 0), min(i+Block/2, n), nearOne) && share >= slightFar*tail(0, n, farOne)
}

// shift makes begin the first frame of those that are known, and returns the one behind the last of
// them: begin where none is.
func (w *aroundWork) shift(begin int64) (end int64) {
	if !w.goesOn || begin < w.begin || begin > w.end {
		w.middles.n, w.middles.from, w.middles.to = 0, 0, 0
		w.begin, w.end = begin, begin
	}
	if k := begin - w.begin; k > 0 {
		copy(w.shares[:], w.shares[k:w.end-w.begin])
		copy(w.medians[:], w.medians[k:w.end-w.begin])
		w.begin = begin
	}
	return w.end
}

// isHitch reports whether the frame at a position is a hitch. In noise it is one, too, if something new made it long.
func isHitch(f Lengths, p int64, a Around) bool {
	ns := f.Length(p)
	if a.N == 0 || ns <= a.MedianNs || ns < f.LeastNs(a.MedianNs) {
		return false
	}
	excess := ns - a.MedianNs
	return ns >= a.NoiseNs() || float64(f.News(p, excess)) >= newsShare*float64(excess)
}

// Around returns the typical length around the thing at a position. Cost: that of a block of things on
// the first look at it.
func (k *Along) Around(f Lengths, p int64) Around {
	b := k.block(f, p>>shift, false)
	var m middles
	median, _ := m.at(f, p)
	return with(f, p, median, b.spread)
}

// Hitch reports whether the thing at a position took much longer than is typical around it.
func (k *Along) Hitch(f Lengths, p int64) bool {
	return k.block(f, p>>shift, false).hitches>>(p&(Block-1))&1 != 0
}

// Hitches appends the positions of those of [from, end) that took much longer, in order. Cost: that of a
// look at each block.
func (k *Along) Hitches(f Lengths, from, end int64, out []int64) []int64 {
	first, behind := f.Kept()
	from, end = max(from, first), min(end, behind)
	begun := from >> shift
	for block := begun; from < end && block<<shift < end; block++ {
		k.visited++
		for set := k.block(f, block, block > begun).hitches; set != 0; set &= set - 1 {
			if p := block<<shift + int64(bits.TrailingZeros64(set)); p >= from && p < end {
				out = append(out, p)
			}
		}
	}
	return out
}

// Held returns the bytes of the kept results.
func (k *Along) Held() int64 { return int64(cap(k.blocks)) * columns.SizeOf[found]() }

// Visited returns how many things were looked at so far.
func (k *Along) Visited() int64 { return k.visited }

// exceeded returns the value that one in spreadOne of some exceeds. The values change places.
func exceeded(shares []int64) int64 {
	return histogram.Select(shares, (len(shares)-1)*(spreadOne-1)/spreadOne)
}

// with returns the typical length around a position, given the middle and the spread there.
func with(f Lengths, p, median, spread int64) Around {
	first, end := f.Kept()
	n := min(p+Near+1, end) - max(p-Near, first)
	if n < least {
		return Around{}
	}
	return Around{N: int(n), MedianNs: median, SpreadNs: int64(float64(spread) * float64(median) / shareUnit)}
}

// Truncate drops the results from things at position n or later ones, which have changed.
func (k *Along) Truncate(n int64) {
	for i := range k.blocks {
		if k.blocks[i].to > n {
			k.blocks[i] = found{}
		}
	}
}

// clear frees everything.
func (k *Along) clear() {
	columns.LetGo(k.acc, k.blocks)
	k.blocks, k.first = nil, 0
}
