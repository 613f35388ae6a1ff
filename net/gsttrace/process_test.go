package gsttrace

import (
	"strings"
	"testing"

	"framescope/model"
)

// The number of a process stands behind names only where two processes have elements: one that writes
// a few lines and has none, as the scanner of plugins, changes no name of the other.
func TestNamesTellTheProcessOnlyAmongSeveral(t *testing.T) {
	state := func(ns int64, element string) string {
		return line(ns, "0x1000", "GST_STATES", "do_element_change_state_post", element,
			clock(ns-100)+", element=<"+element+">, change=NULL->READY, res=SUCCESS")
	}
	of := func(pid, text string) string { return strings.ReplaceAll(text, " 8895 ", " "+pid+" ") }
	bare := func(ns int64) string {
		return line(ns, "0x2000", "GST_TRACER", "gst_tracer_record_log", "x", "scanned")
	}
	for name, c := range map[string]struct {
		text    string
		several bool
	}{
		"one":                {state(2000, "a") + state(3000, "b"), false},
		"a helper after it":  {state(2000, "a") + of("77", bare(2500)) + state(3000, "b"), false},
		"a helper before it": {of("77", bare(1500)) + state(2000, "a") + state(3000, "b"), false},
		"two":                {state(2000, "a") + of("77", state(2500, "c")) + state(3000, "b"), true},
	} {
		s := decode([]byte(c.text))
		told := 0
		for id := range model.TrackID(s.NumTracks()) {
			d := s.Track(id).Def
			if has := strings.HasSuffix(d.Name, ")"); has && strings.HasSuffix(d.Process, " 8895") {
				told++
			}
		}
		for id := range s.Series().Len() {
			if n := s.Series().ByID(model.SeriesID(id)).Def.Name; strings.HasSuffix(n, "(8895)") {
				told++
			}
		}
		if (told > 0) != c.several {
			t.Errorf("%s: %d names tell the process", name, told)
		}
		if s.NumTracks() == 0 {
			t.Errorf("%s: there are no tracks", name)
		}
	}
}
