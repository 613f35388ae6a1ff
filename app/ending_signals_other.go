//go:build !unix

package app

import (
	"os"
	"syscall"
)

func signals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// SurviveHangups has nothing to do: here there are none.
func SurviveHangups() {}

// OnQuit has nothing to do: here there is no such signal.
func OnQuit(func()) {}
