package follow

import (
	"os"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func TestStream(t *testing.T) {
	r, w, err := os.Pipe()
	testkit.OK(t, err)
	defer r.Close()
	l, ended := newLog(), make(chan error, 1)
	go func() { ended <- Stream(t.Context(), r, l, l.options(Options{})) }()
	w.WriteString("one ")
	l.ends(t, "<waiting for data><following>one ")
	l.idle(t)
	long := strings.Repeat("two ", 100_000)
	w.WriteString(long)
	w.Close()
	testkit.OK(t, <-ended)
	l.ends(t, "one "+long+"<ended>")
}

// Standard input may be a file, too.
func TestStreamOfAFile(t *testing.T) {
	path := t.TempDir() + "/file"
	write(t, path, "all of it")
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	l := newLog()
	testkit.OK(t, Stream(t.Context(), f, l, l.options(Options{})))
	l.ends(t, "<following>all of it<ended>")
}
