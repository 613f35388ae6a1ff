package histogram

import (
	"math"
	"math/bits"
)

// Ranks finds values by their rank. It counts the values in each of some thousand equal parts of the
// numbers from the least value to the greatest, and looks again only at those in the parts with a
// wanted one: so it reads each value two or three times, and twenty times at most, whatever they
// are. The zero value is ready.
type Ranks struct {
	Visited int64 // values read, for tests
	counts  [1 << rankBits]int32
	wanted  [1 << rankBits]uint8 // one more than which of the parts to look at again it is, 0 none
	found   []float64            // the values that are looked at again
}

const (
	rankBits = 12  // log2 of the parts
	fewRanks = 512 // so many values are not worth counting

	// MostRanks is the greatest number of ranks of one query.
	MostRanks = 8
)

// Of sets out[i] to the k[i]-th least of some values in [least, most], which stay as they are. None
// is NaN. There are at most MostRanks ranks, ascending, in [0, len(values)).
func (r *Ranks) Of(values []float64, least, most float64, k []int, out []float64) {
	base := len(r.found)
	switch {
	case len(k) == 0:
	case least == most:
		for i := range k {
			out[i] = least
		}
	case len(values) <= fewRanks:
		r.Visited += int64(len(values))
		r.found = append(r.found, values...)
		rest := r.found[base:]
		done := 0
		for i := range k {
			out[i] = Select(rest[done:], k[i]-done)
			done = k[i]
		}
	default:
		r.count(values, least, most, k, out)
	}
	r.found = r.found[:base]
}

// count is Of for many values.
func (r *Ranks) count(values []float64, least, most float64, k []int, out []float64) {
	r.Visited += 2 * int64(len(values))
	from := ordered(least)
	shift := max(bits.Len64(ordered(most)-from)-rankBits, 0) & 63
	if least < 0 {
		for _, v := range values {
			r.counts[(ordered(v)-from)>>shift&(1<<rankBits-1)]++
		}
	} else { // these are in the order of their bits
		from := math.Float64bits(least)
		for _, v := range values {
			r.counts[(math.Float64bits(v)-from)>>shift&(1<<rankBits-1)]++
		}
	}

	// The parts to look at again: their ranks [first, end), and where their values are put.
	var again [MostRanks]struct{ first, end, at, next int }
	var inside [MostRanks]int
	n, below := 0, 0
	for p, i := 0, 0; i < len(k); p++ {
		c := int(r.counts[p])
		if k[i] < below+c {
			y := &again[n]
			y.first, y.at, y.next = i, len(r.found), len(r.found)
			for ; i < len(k) && k[i] < below+c; i++ {
				inside[i] = k[i] - below
			}
			y.end = i
			n++
			r.wanted[p] = uint8(n)
			r.found = append(r.found, values[:c]...) // room
		}
		below += c
	}
	for _, v := range values {
		if p := r.wanted[(ordered(v)-from)>>shift&(1<<rankBits-1)]; p > 0 {
			y := &again[p-1]
			r.found[y.next] = v
			y.next++
		}
	}
	clear(r.counts[:])
	clear(r.wanted[:])
	for _, y := range again[:n] {
		some := r.found[y.at:y.next:y.next]
		least, most := some[0], some[0]
		for _, v := range some { // min and max would mind NaN, and take far longer
			if v < least {
				least = v
			}
			if v > most {
				most = v
			}
		}
		r.Visited += int64(len(some))
		r.Of(some, least, most, inside[y.first:y.end], out[y.first:y.end])
	}
}

// ordered returns a number that is greater for greater values.
func ordered(v float64) uint64 {
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}
