package follow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// log is a writer that keeps all that it is told as one text: what is written as it is, and the
// rest in brackets.
type log struct {
	mu     sync.Mutex
	text   strings.Builder
	idles  int
	news   chan struct{} // closed and replaced when something was added
	refuse error
}

func newLog() *log { return &log{news: make(chan struct{})} }

func (l *log) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(text)
	if text == "" {
		l.idles++
	}
	close(l.news)
	l.news = make(chan struct{})
}

func (l *log) Write(p []byte) (int, error) {
	if l.refuse != nil {
		return 0, l.refuse
	}
	l.add(string(p))
	return len(p), nil
}
func (l *log) Idle()                   { l.add("") }
func (l *log) Restart(reason string)   { l.add("[" + reason + "]") }
func (l *log) state(s State, _ string) { l.add(fmt.Sprintf("<%v>", s)) }
func (l *log) String() string          { l.mu.Lock(); defer l.mu.Unlock(); return l.text.String() }

// options are those of a test, in which a follower looks often.
func (l *log) options(o Options) Options {
	o.State, o.idle = l.state, idleEvery/10
	return o
}

// patience is how long a test waits for what must come, before it fails.
const patience = 20 * time.Second

// until waits until the text fulfils a condition.
func (l *log) until(t *testing.T, what string, ok func(text string, idles int) bool) {
	t.Helper()
	deadline := time.After(patience)
	for {
		l.mu.Lock()
		text, idles, news := l.text.String(), l.idles, l.news
		l.mu.Unlock()
		if ok(text, idles) {
			return
		}
		select {
		case <-news:
		case <-deadline:
			t.Fatalf("waited in vain for %s; there is %q", what, text)
		}
	}
}

// ends waits until the text ends with what is wanted.
func (l *log) ends(t *testing.T, want string) {
	t.Helper()
	l.until(t, fmt.Sprintf("%q", want), func(text string, _ int) bool { return strings.HasSuffix(text, want) })
}

// idle waits until it has been idle two times more.
func (l *log) idle(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	before := l.idles
	l.mu.Unlock()
	l.until(t, "idleness", func(_ string, idles int) bool { return idles >= before+2 })
}

// start follows a path until the test's end.
func start(t *testing.T, path string, l *log, o Options) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Follow(ctx, path, l, l.options(o)) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() {
			cancel()
			err = <-ended
		})
		return err
	}
	t.Cleanup(func() { stop() })
	return stop
}

func write(t *testing.T, path, text string) {
	t.Helper()
	testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	testkit.Must(f.WriteString(text))(t)
	testkit.OK(t, f.Close())
}

// inFile runs a test with a file that grows.
func inFile(t *testing.T, test func(t *testing.T, path string, l *log, o Options)) {
	t.Parallel()
	test(t, filepath.Join(t.TempDir(), "the.log"), newLog(), Options{})
}

func TestFileThatGrows(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "one\ntw")
		stop := start(t, path, l, o)
		l.ends(t, "<following>one\ntw")
		l.idle(t)
		appendTo(t, path, "o\n")
		l.ends(t, "one\ntwo\n")
		long := strings.Repeat("0123456789abcdef", 20_000)
		appendTo(t, path, long)
		l.ends(t, "two\n"+long)
		err := stop()
		testkit.That(t, errors.Is(err, context.Canceled), "stopped with %v", err)
		l.ends(t, long+"<ended>")
	})
}

func TestFileThatIsNotThereYet(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		path = filepath.Join(filepath.Dir(path), "sub", "late.log")
		start(t, path, l, o)
		l.ends(t, "<waiting for data>")
		testkit.OK(t, os.Mkdir(filepath.Dir(path), 0o700))
		l.idle(t)
		write(t, path, "here")
		l.ends(t, "<following>here")
	})
}

func TestFileThatIsCut(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "a long first run\n")
		start(t, path, l, o)
		l.ends(t, "first run\n")
		testkit.OK(t, os.Truncate(path, 0))
		l.ends(t, "[the file was cut from 17 to 0 bytes]")
		appendTo(t, path, "second")
		l.ends(t, "0 bytes]second")
	})
}

// A file that is written anew between two looks may be longer than what was read; its first bytes
// tell, or those before where the reading stopped.
func TestFileThatIsWrittenAnew(t *testing.T) {
	for name, again := range map[string]string{
		"another beginning": "Second run, and longer\n",
		"equal beginning":   "first run\nsecond of the two, longer\n",
		"as long":           "first run\nTWO\n",
	} {
		t.Run(name, func(t *testing.T) {
			inFile(t, func(t *testing.T, path string, l *log, o Options) {
				write(t, path, "first run\none\n")
				start(t, path, l, o)
				l.ends(t, "one\n")
				l.idle(t)
				// In one go, as far as anybody can see: the content and the time of its modification change,
				// the file stays.
				f := testkit.Must(os.OpenFile(path, os.O_WRONLY, 0))(t)
				testkit.Must(f.WriteAt([]byte(again), 0))(t)
				testkit.OK(t, f.Close())
				l.ends(t, "one\n[the file was written anew]"+again)
			})
		})
	}
}

func TestFileThatIsReplaced(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "old ")
		start(t, path, l, o)
		l.ends(t, "old ")
		// Whoever writes keeps the old file open, as log rotation has it.
		old := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
		defer old.Close()
		testkit.OK(t, os.Rename(path, path+".1"))
		l.ends(t, "<waiting for data>")
		testkit.Must(old.WriteString("and the rest of it"))(t)
		next := filepath.Join(filepath.Dir(path), "next")
		write(t, next, "new")
		testkit.OK(t, os.Rename(next, path))
		l.ends(t, "new")
		got := l.String()
		for _, state := range []State{Waiting, Following} {
			got = strings.ReplaceAll(got, "<"+state.String()+">", "")
		}
		want := "old and the rest of it[another file took its place]new"
		testkit.That(t, got == want, "got %q, want %q", got, want)
	})
}

func TestFileThatIsRemoved(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "first")
		start(t, path, l, o)
		l.ends(t, "first")
		testkit.OK(t, os.Remove(path))
		l.ends(t, "<waiting for data>")
		write(t, path, "second")
		l.ends(t, "[another file took its place]<following>second")
	})
}

func TestDoneReadsWhatIsThere(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "begun ")
		done := make(chan struct{})
		o.Done = done
		ended := make(chan error, 1)
		go func() { ended <- Follow(t.Context(), path, l, l.options(o)) }()
		l.ends(t, "begun ")
		long := strings.Repeat("and ended ", 50_000)
		appendTo(t, path, long)
		close(done)
		testkit.OK(t, <-ended)
		l.ends(t, long+"<ended>")
	})
}

func TestDoneWithoutAFile(t *testing.T) {
	done := make(chan struct{})
	close(done)
	l := newLog()
	testkit.OK(t, Follow(t.Context(), filepath.Join(t.TempDir(), "never"), l, l.options(Options{Done: done})))
	l.ends(t, "<waiting for data><ended>")
}

func TestWhatCannotBeFollowed(t *testing.T) {
	dir := t.TempDir()
	gz := filepath.Join(dir, "log.gz")
	write(t, gz, "\x1f\x8b\x08\x00 and more")
	if err := Follow(t.Context(), gz, newLog(), Options{}); !errors.Is(err, ErrCompressed) || !strings.Contains(err.Error(), "log.gz") {
		t.Errorf("a compressed file: %v", err)
	}
	testkit.Fails(t, Follow(t.Context(), dir, newLog(), Options{}), "is a folder")
	l := newLog()
	l.refuse = errors.New("no room")
	plain := filepath.Join(dir, "plain")
	write(t, plain, "text")
	err := Follow(t.Context(), plain, l, Options{})
	testkit.That(t, errors.Is(err, l.refuse), "a writer that refuses: %v", err)
}

// A compressed file is one from its second byte on.
func TestFirstByteAlone(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "\x1f")
		stop := start(t, path, l, o)
		l.idle(t)
		testkit.Equal(t, l.String(), "<following>", "got")
		appendTo(t, path, "A")
		l.ends(t, "\x1fA")
		stop()
	})
}

// A folder that takes the place of the file is waited out: the next file of that name is followed.
func TestFolderInTheWay(t *testing.T) {
	inFile(t, func(t *testing.T, path string, l *log, o Options) {
		write(t, path, "one")
		stop := start(t, path, l, o)
		l.ends(t, "one")
		testkit.OK(t, os.Remove(path))
		testkit.OK(t, os.Mkdir(path, 0o700))
		l.ends(t, "<waiting for data>")
		l.idle(t)
		testkit.OK(t, os.Remove(path))
		l.idle(t)
		write(t, path, "two")
		l.ends(t, "two")
		text := l.String()
		testkit.That(t, strings.Count(text, "[") == 1, "%q", text)
		err := stop()
		testkit.That(t, errors.Is(err, context.Canceled), "%v", err)
	})
}

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

// watch watches a folder until the test's end and writes the names of what is found to a log, each
// with a space after it.
func watch(t *testing.T, dir string, l *log, o WatchOptions) (stop func(), ended chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- Watch(ctx, dir, o, func(path string) { l.add(filepath.Base(path) + " ") }) }()
	t.Cleanup(cancel)
	return cancel, ended
}

func TestWatch(t *testing.T) {
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
	stop, ended := watch(t, dir, l, WatchOptions{Newest: 2, rest: 10 * time.Millisecond, HeadBytes: 256, Accept: func(head []byte, path string) bool {
		testkit.That(t, len(head) <= 256, "asked about %d bytes", len(head))
		asked++
		return bytes.Contains(head, []byte("trace"))
	}})
	l.ends(t, "old.log newest.log ")

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
	stop()
	err := <-ended
	testkit.That(t, errors.Is(err, context.Canceled), "stopped with %v", err)
	testkit.That(t, asked <= 30, "asked %d times", asked)
}

func TestWatchEndsWithItsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	err := Watch(t.Context(), dir, WatchOptions{}, nil)
	testkit.That(t, errors.Is(err, os.ErrNotExist), "not there: %v", err)
	testkit.OK(t, os.Mkdir(dir, 0o700))
	l := newLog()
	_, ended := watch(t, dir, l, WatchOptions{rest: 10 * time.Millisecond, Newest: 1})
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o600))
	l.ends(t, "a ")
	testkit.OK(t, os.RemoveAll(dir))
	err = <-ended
	testkit.That(t, errors.Is(err, os.ErrNotExist), "removed: %v", err)
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	err = Watch(t.Context(), file, WatchOptions{}, nil)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "not a folder"), "a file: %v", err)
}
