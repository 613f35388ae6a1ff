package sessionfile

import (
	"encoding/binary"
	"math"

	"framescope/net/pstats"
)

// chooseVariant looks ahead over the first frames and decides whether their counts have 32 or 16 bits
// (PROTOCOL.md section 12.5). The file does not say, but in the wrong reading times, collectors and
// frame numbers become noise after the first event.
func (r *reader) chooseVariant() {
	n := lookAhead
	if left := r.end - r.off; left < int64(n) {
		n = int(left)
	}
	ahead, _ := r.br.Peek(n)
	whole := int64(len(ahead)) >= r.end-r.off
	wideOdd, wideFrames := r.oddities(ahead, 4, whole)
	narrowOdd, narrowFrames := r.oddities(ahead, 2, whole)
	// Fewer odd values per frame wins; the current variant on a tie.
	r.info.NarrowCounts = narrowOdd*(wideFrames+1) < wideOdd*(narrowFrames+1)
}

// oddities counts impossible or implausible values in frames with counts of the given size. A broken
// frame ends the reading and weighs much.
func (r *reader) oddities(data []byte, countSize int, whole bool) (odd, frames int) {
	const broken = 1000
	last := int64(math.MinInt32)
	for at := 0; ; frames++ {
		if len(data)-at < 4 {
			return odd, frames
		}
		number := int64(int32(binary.LittleEndian.Uint32(data[at:])))
		if number == -1 {
			return odd, frames // the next thread begins here, or the end
		}
		if number <= last {
			odd += 10 // frames are in order
		}
		last = number
		at += 4
		lastSec := math.Inf(-1)
		for _, levels := range []bool{false, true} {
			if len(data)-at < countSize {
				return odd, frames
			}
			var n int64
			if countSize == 4 {
				n = int64(binary.LittleEndian.Uint32(data[at:]))
			} else {
				n = int64(binary.LittleEndian.Uint16(data[at:]))
			}
			at += countSize
			if 6*n > int64(len(data)-at) {
				if whole || 6*n > r.end-r.off-int64(at) {
					return odd + broken, frames
				}
				n = int64(len(data)-at) / 6 // its part within data
			}
			for range n {
				word := binary.LittleEndian.Uint16(data[at:])
				v := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at+2:])))
				at += 6
				if levels {
					if word >= 1<<15 || !r.defined[word] || v-v != 0 {
						odd++
					}
					continue
				}
				if !r.defined[word&0x7fff] {
					odd++
				}
				if !(v >= 0 && v <= pstats.MaxSeconds) || v != 0 && v < 1e-9 {
					odd++
				} else {
					if v < lastSec {
						odd++
					}
					lastSec = v
				}
			}
		}
	}
}
