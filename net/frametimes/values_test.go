package frametimes

import (
	"strings"
	"testing"

	"framescope/model"
)

// A text among the numbers of a column is counted, with its line; a cell without a value is not.
func TestTextAmongNumbers(t *testing.T) {
	text := "frame_ms,gpu_ms\n" + strings.Repeat("16,5\n", 5) + "16,xx\n16,NA\n16,\n" + strings.Repeat("16,5\n", 5)
	s, err := made(t, text, Source{})
	if err != nil {
		t.Fatal(err)
	}
	if n, lines := s.Losses(); n[model.LossMalformed] != 1 || len(lines) != 1 || !strings.Contains(lines[0], "are left out: line 7") {
		t.Errorf("%d lost, %q", n[model.LossMalformed], lines)
	}
}
