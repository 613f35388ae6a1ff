package follow

import (
	"os"
	"strings"
	"testing"
)

func TestStream(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l, ended := newLog(), make(chan error, 1)
	go func() { ended <- Stream(t.Context(), r, l, l.options(Options{})) }()
	w.WriteString("one ")
	l.ends(t, "<waiting for data><following>one ")
	l.idle(t)
	long := strings.Repeat("two ", 100_000)
	w.WriteString(long)
	w.Close()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	l.ends(t, "one "+long+"<ended>")
}

// Standard input may be a file, too.
func TestStreamOfAFile(t *testing.T) {
	path := t.TempDir() + "/file"
	write(t, path, "all of it")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := newLog()
	if err := Stream(t.Context(), f, l, l.options(Options{})); err != nil {
		t.Fatal(err)
	}
	l.ends(t, "<following>all of it<ended>")
}
