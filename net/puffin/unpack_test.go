package puffin

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// What claims to be nothing, or little, is refused or unpacked, whatever its bytes are.
func TestShortLZ4(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	refused := 0
	for n := range 20_000 {
		b := binary.LittleEndian.AppendUint32(nil, rng.Uint32N(5))
		for range 1 + n%24 {
			b = append(b, byte(rng.Uint32()))
		}
		var u unpacker // each with no room yet
		if _, err := u.unpack(packedLZ4, b); err != nil {
			refused++
		}
	}
	if refused < 10_000 {
		t.Errorf("only %d were refused", refused)
	}
}
