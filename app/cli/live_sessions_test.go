package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"framescope/app/library"
	"framescope/net/journal"
)

// The commands say of a live session that it is live, whether asked to ask or not, and that "last"
// is one where none has ended; a lower limit for which a part of it has to leave is not set
// unasked.
func TestLiveSessions(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	lib := library.Open(library.Options{Dir: library.DefaultDir(), Limit: 1 << 30})
	defer lib.Close(10 * time.Second)
	rec := lib.Record(journal.Meta{Source: "profilelib", Program: "game"}, nil)
	defer rec.Close("")
	rec.Data(make([]byte, 17<<20))
	if err := rec.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"sessions delete game", 1, "game is live: it can be deleted when it has ended"},
		{"sessions delete --yes game", 1, "game is live: it can be deleted when it has ended"},
		{"sessions path last", 0, "no session has ended: last is "},
		{"sessions limit 16MiB", 2, "the oldest part of the live session, 1.00 MiB or more"},
		{"sessions limit 0", 0, library.KeptOn},
	} {
		var out, err bytes.Buffer
		if code := Execute(strings.Fields(c.args), &out, &err); code != c.code || !strings.Contains(err.String(), c.stderr) {
			t.Errorf("%s: %d, %q", c.args, code, err.String())
		}
	}
}
