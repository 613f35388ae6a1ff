package memory

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
)

// machine returns how much memory the program could take, in bytes; 0 when it is not known.
func machine() int64 { return machineOf(os.DirFS("/")) }

// machineOf reads the memory of the machine, or the limit of its group of processes (a container) if
// that is less.
func machineOf(root fs.FS) (total int64) {
	text, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) >= 2 && string(f[0]) == "MemTotal:" {
			kib, _ := strconv.ParseInt(string(f[1]), 10, 64)
			total = kib << 10
		}
	}
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
			if most, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && most > 0 && (total == 0 || most < total) {
				total = most
			}
			if group == "/" {
				break
			}
		}
	}
	return total
}
