package trace

import (
	"testing"

	"framescope/model"
)

// TestGaps tells of none, one and several.
func TestGaps(t *testing.T) {
	var g TallyGaps
	var told []model.Loss
	tell := func(c model.Change) { told = append(told, c.(model.Loss)) }
	g.Tell(tell)
	g.Gap(4, 1, "byte 6: 'x' is wrong")
	g.Tell(tell)
	g.Gap(40, 9, "byte 40: another")
	g.Tell(tell)
	if len(told) != 2 || told[0].Detail != "byte 6: 'x' is wrong; what can't be read is left out, 1 byte in all" ||
		told[1].Detail != "byte 6: 'x' is wrong; what can't be read is left out, 10 bytes in all" || told[1].N != 2 || g.At != 4 {
		t.Errorf("%+v", told)
	}
}
