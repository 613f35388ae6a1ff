package memory

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"

	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"
)

// Whole returns the default limit for a recording that is read whole, in bytes: half of the machine's
// memory.
func Whole() int64 {
	total := machine()
	if total <= 0 {
		total = 2 * Default // the system does not report it
	}
	return min(total, math.MaxInt) / 2
}

// resident returns the resident memory of this process, in bytes; 0 when it is not known.
func resident() int64 {
	self := process.Process{Pid: int32(os.Getpid())}
	info, err := self.MemoryInfo()
	if err != nil {
		return 0
	}
	return int64(info.RSS)
}

// machine returns how much memory the program could take, in bytes; 0 when it is not known.
func machine() int64 {
	total := int64(0)
	if m, err := mem.VirtualMemory(); err == nil {
		total = int64(m.Total)
	}
	return limited(os.DirFS("/"), total)
}

// limited returns the limit of the group of processes (a container) if that is less than a total.
func limited(root fs.FS, total int64) int64 {
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range bytes.Lines(groups) {
		parts := bytes.SplitN(bytes.TrimSpace(line), []byte(":"), 3) // number, controllers, path
		if len(parts) < 3 {
			continue
		}
		dir, file := "sys/fs/cgroup", "memory.max"
		if string(parts[1]) == "memory" { // of version 1
			dir, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if len(parts[1]) > 0 {
			continue
		}
		for group := path.Join("/", string(parts[2])); ; group = path.Dir(group) {
			text, _ := fs.ReadFile(root, path.Join(dir, group, file))
			if most, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && most > 0 && (total == 0 ||
				most < total) {
				total = most
			}
			if group == "/" {
				break
			}
		}
	}
	return total
}
