package gsttrace

import "testing"

// What is said of a field ends without its unit, which values have beside them.
func TestWhatIsSaidHasNoUnit(t *testing.T) {
	for about, want := range map[string]string{
		"time it took for the buffer to go from src to sink ns": "time it took for the buffer to go from src to sink",
		"time since start, in ms":                               "time since start",
		"cpu usage in ‰":                                        "cpu usage",
		"ns":                                                    "ns",
		"the ts when the latency was logged":                    "the ts when the latency was logged",
		"ns it took to get there":                               "ns it took to get there",
		"":                                                      "",
	} {
		if got := AboutOf(&Field{Description: about}); got != want {
			t.Errorf("%q becomes %q, not %q", about, got, want)
		}
	}
}
