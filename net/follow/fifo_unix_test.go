//go:build unix

package follow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"framescope/internal/testkit"
)

func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	testkit.OK(t, MakeFIFO(path))
	return path
}

// openWriter opens a FIFO for writing; that waits for a reader.
func openWriter(t *testing.T, path string) *os.File {
	t.Helper()
	f := testkit.Must(os.OpenFile(path, os.O_WRONLY, 0))(t)
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFIFO(t *testing.T) {
	t.Parallel()
	path, l := fifo(t), newLog()
	stop := start(t, path, l, Options{})
	l.ends(t, "<waiting for data>") // without a writer, it did not block
	l.idle(t)

	a := openWriter(t, path)
	a.WriteString("first ")
	l.ends(t, "<following>first ")
	l.idle(t)
	b := openWriter(t, path) // a second writer beside the first: it goes on
	a.WriteString("a")
	l.ends(t, "a")
	a.Close()
	b.WriteString("b")
	l.ends(t, "first ab")
	b.Close()
	l.ends(t, "ab[the FIFO's writer closed it]<waiting for data>")

	l.idle(t)
	c := openWriter(t, path)
	long := strings.Repeat("second ", 300_000)
	c.WriteString(long)
	c.Close()
	l.ends(t, "data><following>"+long+"[the FIFO's writer closed it]<waiting for data>")
	// One that comes at once after another finds a reader.
	for range 50 {
		d := openWriter(t, path)
		testkit.Must(d.WriteString("x"))(t)
		d.Close()
	}
	l.until(t, "fifty writers", func(text string, _ int) bool { return strings.Count(text, "x") == 50 })
	err := stop()
	testkit.That(t, errors.Is(err, context.Canceled), "stopped with %v", err)
}

func TestFIFOWhoseProgramHasEnded(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{false, true} {
		path, l, done := fifo(t), newLog(), make(chan struct{})
		ended := make(chan error, 1)
		go func() { ended <- Follow(t.Context(), path, l, l.options(Options{Done: done})) }()
		l.ends(t, "<waiting for data>")
		w := openWriter(t, path)
		long := strings.Repeat("text ", 100_000)
		w.WriteString(long)
		if !open { // another that has inherited it keeps it open
			w.Close()
		}
		close(done)
		testkit.OK(t, <-ended)
		got := strings.Replace(l.String(), "[the FIFO's writer closed it]<waiting for data>", "", 1)
		want := "<waiting for data><following>" + long + "<ended>"
		testkit.That(t, got == want, "got %d bytes, want %d", len(got), len(want))
	}
}

func TestFIFOThatIsReplaced(t *testing.T) {
	t.Parallel()
	path, l := fifo(t), newLog()
	start(t, path, l, Options{})
	l.ends(t, "<waiting for data>")
	testkit.OK(t, os.Remove(path))
	write(t, path, "a file now")
	l.ends(t, "<following>a file now")
}

func TestSocketCannotBeFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	fd := testkit.Must(unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0))(t)
	defer unix.Close(fd)
	testkit.OK(t, unix.Bind(fd, &unix.SockaddrUnix{Name: path}))
	testkit.Fails(t, Follow(t.Context(), path, newLog(), Options{}), "is a socket")
}

// A descriptor that another program shares must not be made non-blocking, so the reader waits for
// data in another way, which can be called off.
func TestStreamIsCalledOff(t *testing.T) {
	r, w, err := os.Pipe()
	testkit.OK(t, err)
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	l, ended := newLog(), make(chan error, 1)
	go func() { ended <- Stream(ctx, r, l, l.options(Options{})) }()
	w.WriteString("some")
	l.ends(t, "<following>some")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("called off with %v", err)
	}
}
