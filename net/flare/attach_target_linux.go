package flare

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func tempDir() string { return "/tmp" }

// targetOf finds where a process keeps its things, as seen from here: a process in a container has
// its own numbers and folders.
func targetOf(pid int) (target, error) {
	proc := "/proc/" + strconv.Itoa(pid)
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		return target{}, fmt.Errorf("%w: %w", ErrNoProcess, err)
	}
	t := target{inner: pid, temp: tempOf(proc), cwd: proc + "/cwd", uid: -1, gid: -1}
	handles := false
	for line := range strings.Lines(string(status)) {
		key, value, _ := strings.Cut(line, ":")
		fields := strings.Fields(value)
		switch {
		case key == "NSpid" && len(fields) > 0:
			if n, err := strconv.Atoi(fields[len(fields)-1]); err == nil {
				t.inner = n
			}
		case key == "Uid" && len(fields) > 1: // real, effective, saved, of the file system
			t.uid, err = strconv.Atoi(fields[1])
		case key == "Gid" && len(fields) > 1:
			t.gid, err = strconv.Atoi(fields[1])
		case key == "SigCgt" && len(fields) > 0:
			mask, err := strconv.ParseUint(fields[0], 16, 64)
			handles = err == nil && mask&(1<<(3-1)) != 0 // SIGQUIT
		}
	}
	if err != nil || t.uid < 0 || t.gid < 0 {
		return t, fmt.Errorf("the user of the process is unknown: %w", cmp.Or(err, io.ErrUnexpectedEOF))
	}
	if t.temp == "" {
		return t, fmt.Errorf("%w: its temporary folder is missing or a link", ErrInsecure)
	}
	if !handles || !hasJVM(proc, t) {
		return t, ErrNotJVM
	}
	return t, nil
}

// tempOf returns the temporary folder of a process. In a container of its own that must be a folder
// and no link, which would lead to another place here than there.
func tempOf(proc string) string {
	there, err := os.Stat(proc + "/root")
	here, err2 := os.Stat("/")
	if err == nil && err2 == nil && os.SameFile(there, here) {
		return tempDir()
	}
	temp := proc + "/root" + tempDir()
	if st, err := os.Lstat(temp); err != nil || !st.IsDir() {
		return ""
	}
	return temp
}

// checkPeer makes sure that a connection leads to the process, by the kernel's credentials of the listener.
func (t target) checkPeer(conn net.Conn, pid int) error {
	peer, err := peerOf(conn, func(fd int) (*unix.Ucred, error) {
		return unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err != nil {
		return err
	}
	// The number of a process that this one cannot see is 0.
	if int(peer.Uid) != t.uid || peer.Pid != 0 && int(peer.Pid) != pid {
		return fmt.Errorf(
			"%w: process %d of user %d listens there, not process %d of user %d", ErrInsecure, peer.Pid, peer.Uid, pid,
			t.uid,
		)
	}
	return nil
}

// hasJVM reports whether a process has the Java VM's library, or left performance data as only Java
// VMs do. Other programs that handle SIGQUIT, those in Go for one, die of it.
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
