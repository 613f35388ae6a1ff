//go:build linux || darwin

package flare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// command attaches to a JVM, if need be by asking it to open its listener, and sends one command.
func command(ctx context.Context, pid int, words ...string) ([]byte, error) {
	if pid <= 0 {
		return nil, ErrNoProcess
	}
	switch err := syscall.Kill(pid, 0); {
	case errors.Is(err, syscall.ESRCH):
		return nil, ErrNoProcess
	case errors.Is(err, syscall.EPERM):
		return nil, ErrOtherUser
	case err != nil:
		return nil, err
	}
	t, err := targetOf(pid)
	if err != nil {
		return nil, err
	}
	conn, err := t.connect(ctx, pid)
	if errors.Is(err, fs.ErrNotExist) {
		if err = t.wake(ctx, pid); err == nil {
			conn, err = t.connect(ctx, pid)
		}
	}
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return talk(ctx, conn, words...)
}

// target is where a process and this one meet: its own number, temporary folder and working folder,
// in its own name spaces, and whom it runs as.
type target struct {
	inner    int
	temp     string
	cwd      string
	uid, gid int // effective
}

// socket is the path of the JVM's attach listener.
func (t target) socket() string { return filepath.Join(t.temp, ".java_pid"+strconv.Itoa(t.inner)) }

// checkSocket makes sure, as the JDK does, that what lies in a folder that everybody may write to
// is the socket of the JVM and of nobody else: its owner and group are those that the JVM runs as,
// and others may neither read nor write. An error of a socket that is not there is fs.ErrNotExist.
func (t target) checkSocket() error {
	path := t.socket()
	st, err := os.Lstat(path)
	if err != nil {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	switch {
	case st.Mode().Type() != fs.ModeSocket || !ok:
		return fmt.Errorf("%w: %s is not a socket", ErrInsecure, path)
	case int(sys.Uid) != t.uid || int(sys.Gid) != t.gid:
		return fmt.Errorf("%w: %s belongs to user %d and group %d, and the Java VM runs as user %d and group %d",
			ErrInsecure, path, sys.Uid, sys.Gid, t.uid, t.gid)
	case st.Mode().Perm()&0o066 != 0:
		return fmt.Errorf("%w: users other than its owner may use %s (%v)", ErrInsecure, path, st.Mode().Perm())
	}
	return nil
}

// connect makes the connection to the JVM's attach listener.
func (t target) connect(ctx context.Context, pid int) (net.Conn, error) {
	if err := t.checkSocket(); err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", t.socket())
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %w", ErrNoListener, err)
	}
	// Between the look and the connection another socket may have taken its place.
	if err := t.checkPeer(conn, pid); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// peerOf asks the kernel who listens at the other end of a local connection.
func peerOf[T any](conn net.Conn, ask func(fd int) (*T, error)) (peer *T, err error) {
	local, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, fmt.Errorf("%w: no local connection", ErrInsecure)
	}
	raw, err := local.SyscallConn()
	if err != nil {
		return nil, err
	}
	failed := raw.Control(func(fd uintptr) { peer, err = ask(int(fd)) })
	return peer, errors.Join(err, failed)
}

// wake makes a JVM open its attach listener: it looks for a file when it gets SIGQUIT. A process
// that does not handle that signal would die of it, so targetOf makes sure that it does.
func (t target) wake(ctx context.Context, pid int) error {
	remove, err := t.trigger()
	if err != nil {
		return fmt.Errorf("cannot make the file that the Java VM looks for: %w", err)
	}
	defer remove()
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return fmt.Errorf("cannot signal the process: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, listenerTimeout)
	defer cancel()
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 300*time.Millisecond) {
		// The JVM makes its socket under another name and gives it owner and mode before it renames it: a socket
		// that exists now does not change.
		if err := t.checkSocket(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return ErrNoProcess
		}
		select {
		case <-ctx.Done():
			return ErrNoListener
		case <-time.After(pause):
		}
	}
}

// trigger makes the file that the JVM looks for, where the JDK makes it: in the JVM's working folder, or else in
// its temporary one. It opens no file of other users and follows no links: these folders may be writable by
// everybody. remove deletes the file.
func (t target) trigger() (remove func(), err error) {
	name := ".attach_pid" + strconv.Itoa(t.inner)
	var failed error
	for _, dir := range []string{t.cwd, t.temp} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
		if err == nil {
			made, err := f.Stat()
			f.Close()
			if err != nil {
				os.Remove(path)
				return nil, err
			}
			return func() { removeSame(path, made) }, nil
		}
		// of another client that attaches just now, or was killed while attaching
		if errors.Is(err, fs.ErrExist) && t.owns(path) {
			return func() {}, nil
		}
		failed = err
	}
	return nil, failed
}

// owns reports whether a path leads to a plain file that the JVM takes for its own.
func (t target) owns(path string) bool {
	st, err := os.Lstat(path)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == t.uid
}

// removeSame deletes a file if it is still the one that was made.
func removeSame(path string, made fs.FileInfo) {
	if st, err := os.Lstat(path); err == nil && os.SameFile(st, made) {
		os.Remove(path)
	}
}

// ListVMs returns the Java VMs of this machine that leave their performance data in the temporary folder,
// ascending by process number. It skips folders of other users that it cannot read.
func ListVMs() ([]VM, error) {
	dirs, err := filepath.Glob(filepath.Join(tempDir(), "hsperfdata_*"))
	if err != nil {
		return nil, err
	}
	var out []VM
	for _, dir := range dirs {
		list, err := os.ReadDir(dir)
		if err != nil {
			continue // of another user
		}
		for _, e := range list {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				continue
			}
			out = append(out, VM{PID: pid, Name: mainOf(commandLine(pid))})
		}
	}
	slices.SortFunc(out, func(a, b VM) int { return a.PID - b.PID })
	return slices.Compact(out), nil
}

// withValue are options of the java command that take the next word.
var withValue = []string{
	"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path", "--add-modules",
	"--add-exports", "--add-opens", "--add-reads", "--limit-modules", "--patch-module",
}

// mainOf returns the main class or file of a java command line.
func mainOf(words []string) string {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "-jar" || w == "-m" || w == "--module":
			if i+1 < len(words) {
				return filepath.Base(words[i+1])
			}
		case slices.Contains(withValue, w):
			i++
		case !strings.HasPrefix(w, "-"):
			return w
		}
	}
	return ""
}
