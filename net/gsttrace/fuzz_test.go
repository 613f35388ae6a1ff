package gsttrace

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"framescope/model/store"
)

// FuzzDecoder decodes anything: it ends, stays within its limits, hands over valid text, and never
// makes the store mend lanes or paths.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"latency-pipeline-only", "leaks-refs", "factories", "log-tracer", "stats-bins-ghostpads", "color-leaks-debug", "all-audio-chain"} {
		text := captureText(f, name)
		f.Add(text[:min(len(text), 24<<10)], uint64(1))
		f.Add(text[max(len(text)-24<<10, 0):], uint64(2))
	}
	f.Add([]byte(class("x", "element="+scopeElement, "n="+value("guint64", ""))+record(5, "x, element=(string)a, n=(guint64)7")), uint64(3))
	f.Add([]byte(pushLine(1000, false, "a:src")+pushLine(2000, true, "b:src")), uint64(4))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		d := &direct{session: store.NewSession()}
		dec := NewDecoder(d, Options{Peer: "fuzz"})
		for at := 0; at < len(text); {
			n := min(1+r.IntN(8192), len(text)-at)
			dec.Write(text[at : at+n])
			at += n
			if r.IntN(2) == 0 {
				dec.Idle()
			}
		}
		dec.Close("end")
		s := d.session
		if _, ended := s.Ended(); !ended || d.endings != 1 {
			t.Fatal("no end, or more than one")
		}
		_, lines := s.Losses()
		for _, l := range lines {
			switch l {
			case "spans that overlapped in a lane were cut", "spans of undefined call paths", "spans that ended before they began", "samples of a series that was not defined", "batch of a track out of bounds",
				"reference event out of bounds", "call path out of bounds, with a wrong parent, or defined twice":
				t.Fatalf("the store had to mend: %s", l)
			}
		}
		for _, x := range allSeries(s) {
			if !utf8.ValidString(x.Def.Name+x.Def.Group+x.Def.Description) || x.Def.Group == "" {
				t.Fatalf("series %+v", x.Def)
			}
		}
	})
}
