package cli

import (
	"context"
	"runtime"
)

// copySize is larger than the processor's caches.
const copySize = 256 << 20

// copying measures how fast one core copies memory.
func copying() step {
	return benchOnce("memory, copied", "GB/s", "", func(context.Context) (func() (float64, error), error) {
		from, to := make([]byte, copySize), make([]byte, copySize)
		for i := range from {
			from[i] = byte(i)
		}
		return func() (float64, error) { return copySize / ns(perCall(func() { copy(to, from) })), nil }, nil
	})
}

// reading measures how fast one core reads memory.
func reading() step {
	return benchOnce("memory, read", "GB/s", "", func(context.Context) (func() (float64, error), error) {
		words := make([]uint64, copySize/8)
		for i := range words {
			words[i] = uint64(i)
		}
		return func() (float64, error) {
			var sum uint64
			took := perCall(func() {
				for i := 0; i+3 < len(words); i += 4 {
					sum += words[i] + words[i+1] + words[i+2] + words[i+3]
				}
			})
			runtime.KeepAlive(sum)
			return copySize / ns(took), nil
		}, nil
	})
}
