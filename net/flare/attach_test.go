//go:build linux || darwin

package flare

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func TestWhatIsWrong(t *testing.T) {
	err := LoadAgent(t.Context(), 1<<22-1, "/lib.so", "")
	testkit.That(t, errors.Is(err, ErrNoProcess), "no process: %v", err)
	// This very program handles SIGQUIT by dying, so it must not get one.
	err = LoadAgent(t.Context(), os.Getpid(), "/lib.so", "")
	testkit.That(t, errors.Is(err, ErrNotJVM), "not a Java VM: %v", err)
	if os.Getuid() != 0 {
		err := LoadAgent(t.Context(), 1, "/lib.so", "")
		testkit.That(t, errors.Is(err, ErrOtherUser), "another user's: %v", err)
	}
	err = LoadAgent(t.Context(), 1, "/li\x00b.so", "")
	testkit.That(t, err != nil, "a zero byte in the name")
}

func TestAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		"0\nreturn code: 0\n": "", "0\n0\n": "", "0\n": "", "0\nreturn code: 100\n": "status 100",
		"0\n-1\n": "status -1", "-1\nx.so was not loaded\n": "not loaded", "101\n": "status 101",
		"garbage": "garbage", "\xff\xfe": "refused",
	} {
		err := loaded([]byte(answer))
		testkit.That(t, (err == nil) == (want == "") && (err == nil || strings.Contains(err.Error(), want)),
			"%q: %v", answer, err)
	}
}

func TestTalk(t *testing.T) {
	ours, theirs := net.Pipe()
	got := make(chan string, 1)
	go func() {
		buf := make([]byte, 100)
		n, _ := theirs.Read(buf)
		got <- string(buf[:n])
		theirs.Write([]byte("0\nreturn code: 0\n"))
		theirs.Close()
	}()
	answer, err := talk(t.Context(), ours, "load", "/a.so", "true", "trace=on")
	testkit.That(t, err == nil && loaded(answer) == nil, "%v %v", err, string(answer))
	testkit.Equal(t, <-got, "1\x00load\x00/a.so\x00true\x00trace=on\x00", "sent")
	// A listener that never answers ends with the context.
	ours, theirs = net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		buf := make([]byte, 100)
		theirs.Read(buf)
		cancel()
	}()
	if _, err := talk(ctx, ours, "load"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestMainOf(t *testing.T) {
	for line, want := range map[string]string{
		"java -Xmx1g -cp a.jar:b.jar com.acme.Main x": "com.acme.Main",
		"java -Dx=y -jar /opt/app.jar --port 1":       "app.jar",
		"java -m mod/pkg.Main":                        "pkg.Main",
		"java":                                        "",
	} {
		testkit.Equal(t, mainOf(strings.Fields(line)), want, "%s", line)
	}
}

// fakeJVM is a target whose folders belong to the test, and which runs as the user that runs the
// test.
func fakeJVM(t *testing.T) target {
	t.Helper()
	dir := testkit.Must(os.MkdirTemp("", "attach"))(t) // the path of a socket must be short
	t.Cleanup(func() { os.RemoveAll(dir) })
	x := target{inner: 42, temp: filepath.Join(dir, "tmp"), cwd: filepath.Join(dir, "cwd"), uid: os.Geteuid(), gid: os.Getegid()}
	for _, d := range []string{x.temp, x.cwd} {
		testkit.OK(t, os.Mkdir(d, 0o700))
	}
	return x
}

// listen opens a socket at a path, as a JVM does, and counts who connects.
func listen(t *testing.T, path string) (connected func() int) {
	t.Helper()
	l := testkit.Must(net.Listen("unix", path))(t)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	t.Cleanup(func() { l.Close() })
	testkit.OK(t, errors.Join(os.Chmod(path, 0o600), os.Lchown(path, os.Geteuid(), os.Getegid())))
	n := make(chan int, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
			n <- 1
		}
	}()
	return func() int { return len(n) }
}

func TestSocketOfTheJVM(t *testing.T) {
	x := fakeJVM(t)
	_, err := x.connect(t.Context(), os.Getpid())
	testkit.That(t, errors.Is(err, fs.ErrNotExist), "not a socket: %v", err)
	listen(t, x.socket())
	conn := testkit.Must(x.connect(t.Context(), os.Getpid()))(t)
	conn.Close()
}

// Whatever somebody else can put in the place of a JVM's socket is not spoken to.
func TestPlantedSockets(t *testing.T) {
	for name, c := range map[string]struct {
		plant func(t *testing.T, x *target)
		want  string
	}{
		"a link to the socket of another": {func(t *testing.T, x *target) {
			listen(t, filepath.Join(x.cwd, "other"))
			testkit.OK(t, os.Symlink(filepath.Join(x.cwd, "other"), x.socket()))
		}, "is not a socket"},
		"a link to nothing": {func(t *testing.T, x *target) {
			testkit.OK(t, os.Symlink(filepath.Join(x.cwd, "nothing"), x.socket()))
		}, "is not a socket"},
		"a file": {func(t *testing.T, x *target) {
			testkit.OK(t, os.WriteFile(x.socket(), nil, 0o600))
		}, "is not a socket"},
		"a socket that others may write to": {func(t *testing.T, x *target) {
			listen(t, x.socket())
			testkit.OK(t, os.Chmod(x.socket(), 0o622))
		}, "users other than its owner may use"},
		"a socket of another user": {func(t *testing.T, x *target) {
			needsRoot(t)
			listen(t, x.socket())
			testkit.OK(t, os.Lchown(x.socket(), 65534, x.gid))
		}, "belongs to user 65534"},
		"a socket of another group": {func(t *testing.T, x *target) {
			needsRoot(t)
			listen(t, x.socket())
			testkit.OK(t, os.Lchown(x.socket(), x.uid, 65534))
		}, "and group 65534"},
		"a socket of root for a JVM that is not": {func(t *testing.T, x *target) {
			needsRoot(t)
			listen(t, x.socket())
			x.uid, x.gid = 65534, 65534
		}, "the Java VM runs as user 65534"},
		"a socket that was handed over to the JVM's user": {func(t *testing.T, x *target) {
			needsRoot(t)
			listen(t, x.socket())
			x.uid, x.gid = 65534, 65534
			testkit.OK(t, os.Lchown(x.socket(), 65534, 65534))
		}, "listens there"},
	} {
		t.Run(name, func(t *testing.T) {
			x := fakeJVM(t)
			c.plant(t, &x)
			conn, err := x.connect(t.Context(), os.Getpid())
			if err == nil {
				conn.Close()
			}
			testkit.That(t, errors.Is(err, ErrInsecure) && strings.Contains(err.Error(), c.want),
				"error %v, want one with %q", err, c.want)
		})
	}
}

func needsRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
}

// The file that the JVM looks for is made anew, where no link leads elsewhere, and goes away again.
func TestTrigger(t *testing.T) {
	x := fakeJVM(t)
	inCwd, inTemp := filepath.Join(x.cwd, ".attach_pid42"), filepath.Join(x.temp, ".attach_pid42")
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }

	remove, err := x.trigger()
	testkit.MustThat(t, err == nil && there(inCwd) && !there(inTemp),
		"in the working folder: %v, %v", there(inCwd), err)
	st, _ := os.Stat(inCwd)
	testkit.That(t, st.Mode().Perm() == 0o600, "mode %v", st.Mode())
	remove()
	testkit.That(t, !there(inCwd), "it stays")

	// A link that was planted is not followed: the other folder is taken, and where both have one,
	// nothing is made.
	victim := filepath.Join(x.temp, "victim")
	for _, to := range []string{victim, "/etc/hostname"} {
		testkit.OK(t, os.Symlink(to, inCwd))
		remove, err := x.trigger()
		testkit.That(t, err == nil && there(inTemp) && !there(victim), "link to %s: %v", to, err)
		remove()
		testkit.That(t, !there(inTemp) && there(inCwd), "the file stays, or the link of another is gone")
		os.Symlink(to, inTemp)
		if _, err := x.trigger(); err == nil || there(victim) {
			t.Errorf("two links to %s: %v", to, err)
		}
		os.Remove(inTemp)
		os.Remove(inCwd)
	}

	// One of somebody who attaches at the same time serves as well, and is theirs.
	testkit.OK(t, os.WriteFile(inCwd, []byte("theirs"), 0o600))
	remove, err = x.trigger()
	testkit.That(t, err == nil && !there(inTemp), "a second one is made: %v", err)
	remove()
	if data, err := os.ReadFile(inCwd); err != nil || string(data) != "theirs" {
		t.Errorf("the other's file: %q %v", data, err)
	}

	// Of another user it means nothing to the JVM.
	needsRoot(t)
	testkit.OK(t, os.Lchown(inCwd, 65534, -1))
	remove, err = x.trigger()
	testkit.That(t, err == nil && there(inTemp), "no file of its own: %v", err)
	remove()
	testkit.That(t, !there(inTemp) && there(inCwd), "the file stays, or that of another is gone")
	// What took the place of ours meanwhile is not ours to delete.
	os.Remove(inCwd)
	remove, err = x.trigger()
	testkit.OK(t, err)
	testkit.OK(t, os.Rename(inCwd, inCwd+".moved"))
	testkit.OK(t, os.WriteFile(inCwd, nil, 0o600))
	remove()
	testkit.That(t, there(inCwd), "another's file is gone")
}
