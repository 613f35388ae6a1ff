package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// leastMemory is the least memory for a viewer.
const leastMemory = 16 << 20

// ParseBytes reads a size: 2GiB, 512MiB, 500MB, 1.5G. Letters without an i count in thousands only
// when a B follows.
func ParseBytes(text string) (int64, error) {
	fail := func() (int64, error) {
		return 0, fmt.Errorf("%q is not a size such as 512MiB or 2GiB", text)
	}
	number := strings.TrimRight(strings.TrimSpace(text), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit := strings.ToLower(strings.TrimSpace(strings.TrimSpace(text)[len(number):]))
	factor, ok := map[string]float64{
		"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1e3, "m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
		"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
	}[unit]
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(v > 0) || v*factor > math.MaxInt64/2 {
		return fail()
	}
	if v*factor < leastMemory {
		return 0, fmt.Errorf("%s is too small: give at least 16MiB", text)
	}
	return int64(v * factor), nil
}
