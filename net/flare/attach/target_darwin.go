package attach

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func tempDir() string { return os.TempDir() }

// targetOf makes sure that a process is a Java VM: those leave their performance data under their number.
func targetOf(pid int) (target, error) {
	m, err := filepath.Glob(filepath.Join(tempDir(), "hsperfdata_*", strconv.Itoa(pid)))
	if err != nil || len(m) == 0 {
		return target{}, ErrNotJVM
	}
	return target{inner: pid, temp: tempDir()}, nil
}

// commandLine returns the words by which a process was started.
func commandLine(pid int) []string {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}
