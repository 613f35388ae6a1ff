//go:build unix

package launch

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// forwardSignals passes signals to another program until stop is called. It only notes those that a
// terminal sends to all programs in its foreground, as the other gets them as well: twice would mean
// something else. asked reports whether one of them requests the other's end.
func forwardSignals(to *os.Process) (asked func() bool, stop func()) {
	var ending atomic.Bool
	got, done := make(chan os.Signal, 8), make(chan struct{})
	signal.Notify(got, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
	shared := terminalSignals()
	go func() {
		for {
			select {
			case s := <-got:
				if s != syscall.SIGUSR1 && s != syscall.SIGUSR2 {
					ending.Store(true)
				}
				if shared && (s == syscall.SIGINT || s == syscall.SIGQUIT) {
					continue
				}
				to.Signal(s)
			case <-done:
				return
			}
		}
	}()
	return ending.Load, func() {
		signal.Stop(got)
		close(done)
	}
}

// terminalSignals reports whether this program runs in the foreground of a terminal, with keys that
// send signals to the program and its children.
func terminalSignals() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// statusOf is the exit status of a program that has ended, as in a shell.
func statusOf(s *os.ProcessState) int {
	if s == nil {
		return 1
	}
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
