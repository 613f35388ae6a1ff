package journal

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// A stream of bytes comes out as it went in; when its oldest part has left, its head still comes
// first.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		limit int64
		all   bool
		lines int // that come at once
	}{{1 << 30, true, 1}, {1 << 20, false, 1}, {1 << 30, true, 2000}, {1 << 20, false, 2000}} {
		root := OpenRoot(filepath.Join(t.TempDir(), "s"), RootOptions{Limit: c.limit})
		w := root.Create(Meta{Source: "profilelib"}, Options{})
		b := ByteTape{Tape: w}
		var sent, some []byte
		for n := range 40_000 {
			some = fmt.Appendf(some, "line %08d of a stream that is long enough\n", n)
			if (n+1)%c.lines > 0 {
				continue
			}
			sent = append(sent, some...)
			if !b.Write(some) {
				t.Fatal("refused")
			}
			if some = some[:0]; n%500 == 0 || c.lines > 500 {
				w.Flush()
			}
		}
		w.Close("")
		<-w.Done()
		r := testkit.Must(Open(w.Path()))(t)
		var got []byte
		holes := []string{}
		err := EachPiece(r, func(p []byte) error { got = append(got, p...); return nil },
			func(reason string, _ Hole) error { holes = append(holes, reason); return nil })
		r.Close()
		root.Close()
		switch {
		case err != nil:
			t.Error(err)
		case c.all && (!bytes.Equal(got, sent) || len(holes) > 0):
			t.Errorf("%d of %d bytes came back, holes %q", len(got), len(sent), holes)
		case !c.all && (!bytes.HasPrefix(got, sent[:HeadBytes]) || !bytes.HasSuffix(sent, got[HeadBytes:]) || len(got) < 300_000):
			t.Errorf("%d of %d bytes came back, not the first and the last ones", len(got), len(sent))
		case !c.all && (len(holes) == 0 || !strings.Contains(holes[0], "room")):
			t.Errorf("holes %q", holes)
		}
	}
}
