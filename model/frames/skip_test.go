package frames

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// Numbers that leave some out are missing frames, unless it is said that nothing is missing, whenever that is
// said.
func TestNumbersThatSkip(t *testing.T) {
	for _, when := range []string{"never", "before", "amid", "behind"} {
		table, _ := newTable()
		var x Track
		x.Init(table, 0)
		skip := func(at string) {
			if at == when {
				x.Skip(true)
			}
		}
		skip("before")
		for i := range int64(40) {
			x.Push(1000+2*i, 10*i, 10*i+10, 0)
			if i == 20 {
				skip("amid")
			}
		}
		skip("behind")
		missing := int64(39)
		if when != "never" {
			missing = 0
		}
		n := x.Missing()
		testkit.That(t, n == missing && x.MissingIn(0, 39) == missing, "%s: %d are missing", when, n)
		gaps := x.Gaps(0, 400, nil)
		_, after := x.GapAfter(3)
		if _, last := x.LastGap(0, 39, 1); int64(len(gaps)) != missing || after != (missing > 0) || last != after {
			t.Errorf("%s: %d gaps, one behind frame 3: %v, a last one: %v", when, len(gaps), after, last)
		}
		testkit.Equal(t, x.RateOf(0, 39), float64(40+missing)/400e-9, "%s: frames a second", when)
		if i, ok := x.ByNumber(1010); i != 5 || !ok || x.Frame(5).Missing != min(missing, 1) {
			t.Errorf("%s: frame 1010 is at %d: %+v", when, i, x.Frame(5))
		}
		if _, n := x.DropBefore(10, model.MinTime); n != min(missing, 10) || x.Missing() != max(missing-10, 0) {
			t.Errorf("%s: %d missing ones left with ten frames, %d stay", when, n, x.Missing())
		}
		if x.Skip(false); x.Missing() != 29 || len(x.Gaps(0, 400, nil)) != 29 {
			t.Errorf("%s: %d are missing in the end", when, x.Missing())
		}
	}
}
