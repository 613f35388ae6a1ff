package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of sysinfoapi.h.
type memoryStatus struct {
	size, load                   uint32
	total, free                  uint64
	totalPage, freePage          uint64
	totalVirtual, freeVirtual, _ uint64
}

var globalMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// machine returns how much memory the machine has, in bytes; 0 when it is not known.
func machine() int64 {
	if globalMemoryStatus.Find() != nil {
		return 0
	}
	var s memoryStatus
	s.size = uint32(unsafe.Sizeof(s))
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return int64(s.total)
}
