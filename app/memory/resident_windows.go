package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// processMemoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type processMemoryCounters struct {
	size                  uint32
	pageFaults            uint32
	peakWorkingSet        uintptr
	workingSet            uintptr
	quotaPeakPagedPool    uintptr
	quotaPagedPool        uintptr
	quotaPeakNonPagedPool uintptr
	quotaNonPagedPool     uintptr
	pagefileUsage         uintptr
	peakPagefileUsage     uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// resident returns the working set of this process, in bytes; 0 when it is not known.
func resident() int64 {
	if getProcessMemoryInfo.Find() != nil {
		return 0
	}
	var c processMemoryCounters
	c.size = uint32(unsafe.Sizeof(c))
	self := uintptr(windows.CurrentProcess())
	ok, _, _ := getProcessMemoryInfo.Call(self, uintptr(unsafe.Pointer(&c)), uintptr(c.size))
	if ok == 0 {
		return 0
	}
	return int64(c.workingSet)
}
