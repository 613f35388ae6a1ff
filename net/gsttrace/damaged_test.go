package gsttrace

import (
	"strings"
	"testing"

	"framescope/model"
)

// TestDamagedRecords leaves out records with a number that is none, or that doesn't fit, and lines whose
// time is damaged, and tells each with its place: none of them makes a second path.
func TestDamagedRecords(t *testing.T) {
	const head = "latency, src-element-id=(string)0x1, src-element=(string)a, src=(string)src, sink-element-id=(string)0x2, " +
		"sink-element=(string)b, sink=(string)sink, "
	good := record(5000, head+"time=(guint64)10, ts=(guint64)4000")
	for _, c := range []struct{ what, bad, why string }{
		{"a word", record(6000, head+"time=(guint64)null, ts=(guint64)4000"), "the value of time is no number of the type guint64"},
		{"too large", record(6000, head+"time=(guint64)99999999999999999999999999, ts=(guint64)4000"), "the value of time is no number"},
		{"negative", record(6000, head+"time=(guint64)-5, ts=(guint64)4000"), "the value of time is no number"},
		{"the last", record(6000, head+"time=(guint64)10, ts=(guint64)4x00"), "the value of ts is no number"},
		{"another type", record(6000, head+"time=(gstring)nothing, ts=(guint64)4000"), "no layout that is known fits"},
		{"a record of no stock", record(6000, "load, n=(gint64)99999999999999999999"), "the value of n is no number of the type gint64"},
		{"hours", "0:99999999999999999999:00.000006000" + record(6000, head+"time=(guint64)10, ts=(guint64)4000")[17:], "its time can't be read"},
		{"blanks", "0:00:0 000006000" + record(6000, head+"time=(guint64)10, ts=(guint64)4000")[17:], "its time can't be read"},
		{"a message", "0:00:0x.000006000" + strings.Replace(record(6000, "text"), "GST_TRACER :0::", "x a.c:1:f:", 1)[17:], "its time can't be read"},
	} {
		s := decode([]byte(good + c.bad + good))
		if n := samples(s, "latency", nil); n != 2 {
			t.Errorf("%s: %d good records of 2", c.what, n)
		}
		streams := 0
		for id := range s.NumTracks() {
			if s.Track(model.TrackID(id)).Def.Kind == model.TrackStream {
				streams++
			}
		}
		_, lines := s.Losses()
		told := strings.Join(lines, "\n")
		if streams != 1 || lossOf(s, model.LossMalformed) != 1 || !strings.Contains(told, c.why) || !strings.Contains(told, "byte ") ||
			!strings.Contains(told, "after line 1") {
			t.Errorf("%s: %d paths, %q", c.what, streams, told)
		}
	}
}
