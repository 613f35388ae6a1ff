package flare

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func tempDir() string { return os.TempDir() }

// targetOf makes sure that a process is a Java VM: those leave their performance data under their
// number.
func targetOf(pid int) (target, error) {
	m, err := filepath.Glob(filepath.Join(tempDir(), "hsperfdata_*", strconv.Itoa(pid)))
	if err != nil || len(m) == 0 {
		return target{}, ErrNotJVM
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return target{}, fmt.Errorf("the user of the process is unknown: %w", err)
	}
	who := info.Eproc.Ucred
	return target{inner: pid, temp: tempDir(), uid: int(who.Uid), gid: int(who.Groups[0])}, nil
}

// checkPeer makes sure that a connection leads to a process of the target's user, by the kernel's credentials of
// the listener.
func (t target) checkPeer(conn net.Conn, _ int) error {
	peer, err := peerOf(conn, func(fd int) (*unix.Xucred, error) {
		return unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if err != nil {
		return err
	}
	if int(peer.Uid) != t.uid {
		return fmt.Errorf("%w: user %d listens there, not user %d", ErrInsecure, peer.Uid, t.uid)
	}
	return nil
}

// commandLine returns the words by which a process was started.
func commandLine(pid int) []string {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}
