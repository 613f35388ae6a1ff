//go:build linux || darwin

package attach

import (
	"context"
	"errors"
	"fmt"
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
	socket := filepath.Join(t.temp, ".java_pid"+strconv.Itoa(t.inner))
	if _, err := os.Stat(socket); err != nil {
		if err := t.wake(ctx, pid, socket); err != nil {
			return nil, err
		}
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoListener, err)
	}
	defer conn.Close()
	return talk(ctx, conn, words...)
}

// target is where a process and this one meet: its own number, temporary folder and working folder, in its own name spaces.
type target struct {
	inner int
	temp  string
	cwd   string
}

// wake makes a JVM open its attach listener: it looks for a file when it gets SIGQUIT. A process that does not handle that signal would die of it, so targetOf makes sure that it does.
func (t target) wake(ctx context.Context, pid int, socket string) error {
	name := ".attach_pid" + strconv.Itoa(t.inner)
	trigger := ""
	var failed error
	for _, dir := range []string{t.cwd, t.temp} {
		if dir == "" {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			f.Close()
			trigger = f.Name()
			break
		}
		failed = err
	}
	if trigger == "" {
		return fmt.Errorf("can't make the file that the Java VM looks for: %w", failed)
	}
	defer os.Remove(trigger)
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return fmt.Errorf("can't signal the process: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, listenerTimeout)
	defer cancel()
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 300*time.Millisecond) {
		if _, err := os.Stat(socket); err == nil {
			return nil
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

// List returns the Java VMs of this machine that leave their performance data in the temporary folder, ascending by process number. The second result tells of those that could not be looked at.
func List() ([]VM, error) {
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
var withValue = []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path", "--add-modules", "--add-exports", "--add-opens", "--add-reads", "--limit-modules", "--patch-module"}

// mainOf finds what a java command line runs.
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
