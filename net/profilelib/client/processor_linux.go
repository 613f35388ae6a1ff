//go:build linux && (amd64 || arm64)

package client

import (
	"runtime"
	"syscall"
	"unsafe"
)

// CurrentProcessor returns the number of the logical processor that the caller runs on, for
// Options.Processor. It is a system call of some 50 ns on Linux; on other systems it always returns
// 0. A goroutine that is to stay on one thread must be locked to it (runtime.LockOSThread).
func CurrentProcessor() uint32 {
	number := uintptr(309) // getcpu
	if runtime.GOARCH == "arm64" {
		number = 168
	}
	var cpu uint32
	if _, _, errno := syscall.RawSyscall(number, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return 0
	}
	return cpu
}
