package memory

import (
	"os"
	"unsafe"

	"github.com/ebitengine/purego"
)

// taskInfo is the beginning of struct proc_taskinfo of <sys/proc_info.h>; the rest is more
// counters.
type taskInfo struct {
	virtual, resident uint64
	rest              [80]byte
}

// pidTaskInfo is PROC_PIDTASKINFO.
const pidTaskInfo = 4

// resident returns the resident memory of this process, in bytes; 0 when it is not known.
func resident() int64 {
	lib, err := purego.Dlopen("/usr/lib/libSystem.B.dylib", purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	if err != nil {
		return 0
	}
	call, err := purego.Dlsym(lib, "proc_pidinfo")
	if err != nil {
		return 0
	}
	var info taskInfo
	size := unsafe.Sizeof(info)
	n, _, _ := purego.SyscallN(call, uintptr(os.Getpid()), pidTaskInfo, 0, uintptr(unsafe.Pointer(&info)), size)
	if n != size {
		return 0
	}
	return int64(info.resident)
}
