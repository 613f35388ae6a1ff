package follow

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// watch watches a folder until the test's end and writes the names of what is found to a log, each
// with a space after it.
func watch(t *testing.T, dir string, l *log, o WatchOptions) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	o.State = l.state
	go func() { ended <- Watch(ctx, dir, o, func(path string) { l.add(filepath.Base(path) + " ") }) }()
	t.Cleanup(cancel)
	return func() error {
		cancel()
		return <-ended
	}
}

func TestWatch(t *testing.T) {
	for _, poll := range []bool{false, true} {
		t.Run(map[bool]string{false: "notified", true: "polling"}[poll], func(t *testing.T) {
			t.Parallel()
			dir, l := t.TempDir(), newLog()
			now := time.Now()
			for i, name := range []string{"oldest.log", "older.txt", "old.log", "newest.log"} {
				path := filepath.Join(dir, name)
				text := "trace of " + name
				if strings.HasSuffix(name, ".txt") {
					text = "other"
				}
				write(t, path, text)
				testkit.OK(t, os.Chtimes(path, now, now.Add(time.Duration(i-10)*time.Hour)))
			}
			asked := 0
			stop := watch(t, dir, l, WatchOptions{Newest: 2, Poll: poll, rest: 100 * time.Millisecond, HeadBytes: 256, Accept: func(head []byte, path string) bool {
				testkit.That(t, len(head) <= 256, "asked about %d bytes", len(head))
				asked++
				return bytes.Contains(head, []byte("trace"))
			}})
			l.ends(t, "old.log newest.log <following>")

			// A new one; one that is known only when it has grown; an old one that is written to; a folder
			// and an empty file, which are nothing.
			testkit.OK(t, os.Mkdir(filepath.Join(dir, "folder.log"), 0o700))
			write(t, filepath.Join(dir, "empty.log"), "")
			write(t, filepath.Join(dir, "new.log"), "trace")
			l.ends(t, "new.log ")
			write(t, filepath.Join(dir, "slow.log"), strings.Repeat("-", 100))
			write(t, filepath.Join(dir, "another.log"), "trace")
			l.ends(t, "another.log ")
			appendTo(t, filepath.Join(dir, "slow.log"), "trace")
			l.ends(t, "slow.log ")
			appendTo(t, filepath.Join(dir, "oldest.log"), " goes on")
			l.ends(t, "oldest.log ")

			// What was no trace in its whole head is not looked into again.
			write(t, filepath.Join(dir, "large.txt"), strings.Repeat("-", 256))
			write(t, filepath.Join(dir, "b.log"), strings.Repeat("trace", 20))
			l.ends(t, "b.log ")
			appendTo(t, filepath.Join(dir, "large.txt"), "trace")
			appendTo(t, filepath.Join(dir, "new.log"), "found only once")
			write(t, filepath.Join(dir, "c.log"), strings.Repeat("trace", 20))
			l.ends(t, "b.log c.log ")
			err := stop()
			testkit.That(t, errors.Is(err, context.Canceled), "stopped with %v", err)
			testkit.That(t, asked <= 30, "asked %d times", asked)
		})
	}
}

func TestWatchEndsWithItsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	err := Watch(t.Context(), dir, WatchOptions{}, nil)
	testkit.That(t, errors.Is(err, os.ErrNotExist), "not there: %v", err)
	testkit.OK(t, os.Mkdir(dir, 0o700))
	l := newLog()
	stop := watch(t, dir, l, WatchOptions{})
	l.ends(t, "<following>")
	testkit.OK(t, os.Remove(dir))
	l.ends(t, "<ended>")
	err = stop()
	testkit.That(t, errors.Is(err, os.ErrNotExist), "removed: %v", err)
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	err = Watch(t.Context(), file, WatchOptions{}, nil)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "not a folder"), "a file: %v", err)
}
