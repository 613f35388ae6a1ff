package gsttrace

import (
	"strings"
	"testing"
)

// Of every link over which buffers went it is known what kind of data they were.
func TestCapsOfLinks(t *testing.T) {
	for capture, want := range map[string]map[string]string{
		"medium-av": {
			"capsfilter1": "video/x-raw, format=(string)ABGR64_LE, width=(int)80, height=(int)60, ",
			"queue2":      "audio/x-raw, rate=(int)44100, format=(string)F64LE, channels=(int)1, layout=(string)interleaved",
		},
		"stats-mux": {"vp8enc0": "video/x-vp8, "},
	} {
		s := load(t, capture)
		if len(s.Topology().Links()) == 0 {
			t.Fatal("no links")
		}
		for _, l := range s.Topology().Links() {
			pad, _ := s.Topology().Object(l.From)
			element, _ := s.Topology().Object(pad.Parent)
			if l.Media == "" {
				t.Errorf("%s: nothing is known of what comes from %s", capture, element.Name)
			}
			if prefix := want[element.Name]; !strings.HasPrefix(l.Media, prefix) {
				t.Errorf("%s: %s sends %q, want %q", capture, element.Name, l.Media, prefix)
			}
		}
	}
}
