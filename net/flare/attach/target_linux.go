package attach

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func tempDir() string { return "/tmp" }

// targetOf finds where a process keeps its things, as seen from here: a process in a container has its own numbers and folders.
func targetOf(pid int) (target, error) {
	proc := "/proc/" + strconv.Itoa(pid)
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		return target{}, fmt.Errorf("%w: %w", ErrNoProcess, err)
	}
	t := target{inner: pid, temp: proc + "/root/tmp", cwd: proc + "/cwd"}
	handles := false
	for line := range strings.Lines(string(status)) {
		key, value, _ := strings.Cut(line, ":")
		fields := strings.Fields(value)
		switch {
		case key == "NSpid" && len(fields) > 0:
			if n, err := strconv.Atoi(fields[len(fields)-1]); err == nil {
				t.inner = n
			}
		case key == "SigCgt" && len(fields) > 0:
			mask, err := strconv.ParseUint(fields[0], 16, 64)
			handles = err == nil && mask&(1<<(3-1)) != 0 // SIGQUIT
		}
	}
	if !handles || !hasJVM(proc, t) {
		return t, ErrNotJVM
	}
	return t, nil
}

// hasJVM tells whether a process has the Java VM's library, or left performance data as only Java VMs do. Other programs that handle SIGQUIT, those in Go for one, die of it.
func hasJVM(proc string, t target) bool {
	if m, err := filepath.Glob(filepath.Join(t.temp, "hsperfdata_*", strconv.Itoa(t.inner))); err == nil && len(m) > 0 {
		return true
	}
	f, err := os.Open(proc + "/maps")
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, 64<<20))
	for lines.Scan() {
		if bytes.HasSuffix(lines.Bytes(), []byte("/libjvm.so")) {
			return true
		}
	}
	return false
}

// commandLine returns the words by which a process was started.
func commandLine(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}
