package draw

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestWholePx(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-20_000, 20_000).Draw(t, "x")
		if got, want := WholePx(x), float32(math.Floor(x+0.5)); got != want {
			t.Fatalf("WholePx(%v) = %v, want %v", x, got, want)
		}
	})
}
