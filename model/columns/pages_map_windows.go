package columns

import (
	"syscall"
	"unsafe"
)

const supported = true

var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc = kernel32.NewProc("VirtualAlloc")
	virtualFree  = kernel32.NewProc("VirtualFree")
)

const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memRelease    = 0x8000
	pageReadWrite = 0x04
)

func mapPages(length int) []byte {
	at, _, err := virtualAlloc.Call(0, uintptr(length), memCommit|memReserve, pageReadWrite)
	if at == 0 {
		panic("pages: out of memory: " + err.Error())
	}
	// The system's address is no pointer of Go's: it is read as one, as the garbage collector does not move
	// or free it.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), length)
}

func unmapPages(mem []byte) {
	if ok, _, err := virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(mem))), 0, memRelease); ok == 0 {
		panic("pages: " + err.Error())
	}
}
