package firefox

import (
	"strings"
	"testing"
)

// TestCommas tells of entries of lists that are not there, with the byte: of samples, and of tables that all
// threads share, which only the first reading reads.
func TestCommas(t *testing.T) {
	thread := profile(threadOf(`"stack":[0,1,1],"time":[0,1,2]`, ""))
	for _, c := range [][3]string{{thread, `"stack":[0,1,1]`, `"stack":[0,,1]`}, {thread, `{"name":"lib"},`, `{"name":"lib"},,`},
		{shared(), `"func":[`, `"func":[,`}} {
		k, err := opened(t, strings.Replace(c[0], c[1], c[2], 1), "")
		if err != nil || k.Lost("the text is no JSON: commas, or the values between them, are missing; the first is at byte ") != 1 {
			t.Errorf("%s: %v, %v", c[2], err, k.Losses)
		}
	}
}
