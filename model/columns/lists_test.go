package columns

import (
	"testing"

	"framescope/internal/testkit"
)

// From wherever one begins to look, the answer is the same, and it is near by a few steps.
func TestSearchNear(t *testing.T) {
	for answer := int64(3); answer <= 200; answer++ {
		for near := int64(-5); near < 210; near++ {
			steps := 0
			ok := func(i int64) bool {
				testkit.MustThat(t, i >= 3 && i < 200, "asked for %d", i)
				steps++
				return i >= answer
			}
			testkit.MustEqual(t, SearchNear(3, 200, near, ok), answer, "from %d", near)
			far := max(answer-near, near-answer)
			testkit.That(t, far > 1 || steps <= 4, "%d steps from %d to %d", steps, near, answer)
		}
	}
}
