package histogram

import "math/bits"

// Counter counts values by bin. It returns the bins in use in ascending order without sorting them:
// a bit is set for each bin in use, and one for each word of bits. The zero value is ready.
type Counter struct {
	n     []int32               // of each bin
	words []uint64              // a bit for each bin with n > 0
	tops  [NumBins >> 12]uint64 // a bit for each word that is not 0
}

// Add counts n > 0 values in a bin.
func (c *Counter) Add(bin, n int32) {
	if c.n == nil {
		c.n, c.words = make([]int32, NumBins), make([]uint64, NumBins>>6)
	}
	if c.n[bin] == 0 {
		c.words[bin>>6] |= 1 << (bin & 63)
		c.tops[bin>>12] |= 1 << (bin >> 6 & 63)
	}
	c.n[bin] += n
}

// Take appends the bins in use, ascending, and clears the counts.
func (c *Counter) Take(out []Bin) []Bin {
	for t, top := range c.tops {
		if top == 0 {
			continue
		}
		for ; top != 0; top &= top - 1 {
			w := t<<6 + bits.TrailingZeros64(top)
			for word := c.words[w]; word != 0; word &= word - 1 {
				bin := w<<6 + bits.TrailingZeros64(word)
				out = append(out, Bin{Bin: int32(bin), N: c.n[bin]})
				c.n[bin] = 0
			}
			c.words[w] = 0
		}
		c.tops[t] = 0
	}
	return out
}
