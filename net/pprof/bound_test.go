package pprof

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// TestProfilesThatTakeTooMuch: what reading takes is known before anything is made of it, and is not much
// less than what it takes in truth.
func TestProfilesThatTakeTooMuch(t *testing.T) {
	types := []byte{0x0a, 4, 0x08, 1, 0x10, 2, 0x32, 0, 0x32, 1, 'a', 0x32, 1, 'b'}
	for name, field := range map[string][]byte{
		"samples": {0x12, 3, 0x12, 1, 5}, "locations": {0x22, 2, 0x08, 1}, "texts": {0x32, 0},
	} {
		const n = 200_000
		data := append(bytes.Clone(types), bytes.Repeat(field, n)...)
		reckoned := parsedSize(data)
		if _, err := parse(data, reckoned-1); err == nil || !strings.Contains(err.Error(), "of memory to read") {
			t.Errorf("%s: %v", name, err)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p, _ := parse(data, reckoned) // whether it is valid does not matter
		runtime.ReadMemStats(&after)
		if took := int64(after.TotalAlloc - before.TotalAlloc); took > 3*reckoned {
			t.Errorf("%s: reading takes %d bytes, %d were reckoned", name, took, reckoned)
		}
		runtime.KeepAlive(p)
	}
}
