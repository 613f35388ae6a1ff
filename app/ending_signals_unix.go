//go:build unix

package app

import (
	"os"
	"os/signal"
	"syscall"
)

// signals are the interrupt, the request to end, and the end of the terminal, unless that is ignored,
// as under nohup.
func signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// SurviveHangups makes the end of the terminal harmless by itself: a shell signals it, too, and the
// second signal must not cut off the orderly end that the first one began.
func SurviveHangups() {
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// OnQuit calls clean at a quit signal (Ctrl+\), which then ends the program as usual: with its stacks.
func OnQuit(clean func()) {
	if signal.Ignored(syscall.SIGQUIT) {
		return
	}
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		<-quit
		clean()
		signal.Reset(syscall.SIGQUIT)
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
	}()
}
