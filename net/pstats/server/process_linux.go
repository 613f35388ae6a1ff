package server

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is another process of this machine.
type process struct{ pid, fd int }

// processOf returns the process that has the other end of a connection, from peer to own, on this machine; nil: that is
// not known, or it is this one.
func processOf(peer, own netip.AddrPort) *process {
	if !peer.Addr().Unmap().IsLoopback() {
		return nil
	}
	socket := "socket:[" + socketAt(peer, own) + "]"
	ends, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, end := range ends {
		if to, err := os.Readlink(end); err != nil || to != socket {
			continue
		}
		pid, _ := strconv.Atoi(strings.Split(end, "/")[2])
		if pid == os.Getpid() {
			continue
		}
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			return &process{pid, fd}
		}
	}
	return nil
}

// socketAt returns the number of the TCP socket between two ports in the system's lists, empty: none.
func socketAt(near, far netip.AddrPort) (inode string) {
	const nearColumn, farColumn, inodeColumn = 1, 2, 9
	ends := [...]string{fmt.Sprintf(":%04X", near.Port()), fmt.Sprintf(":%04X", far.Port())}
	for _, list := range [...]string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		data, _ := os.ReadFile(list)
		for line := range bytes.Lines(data) {
			fields := bytes.Fields(line)
			if len(fields) > inodeColumn && bytes.HasSuffix(fields[nearColumn], []byte(ends[0])) &&
				bytes.HasSuffix(fields[farColumn], []byte(ends[1])) {
				inode = string(fields[inodeColumn])
			}
		}
	}
	return inode
}

// death returns how a process died that has just closed its connection: "killed by signal 11
// (segmentation fault), process 4711"; empty: it did not, it ended by itself, or the system does not tell.
func (p *process) death() string {
	const tries, wait = 20, 5 * time.Millisecond
	if p == nil {
		return ""
	}
	for range tries {
		switch status := syscall.WaitStatus(p.code()); {
		case status.Signaled():
			return fmt.Sprintf("killed by signal %d (%v), process %d", status.Signal(), status.Signal(), p.pid)
		case status.ExitStatus() > 0:
			return fmt.Sprintf("ended with status %d, process %d", status.ExitStatus(), p.pid)
		}
		time.Sleep(wait)
	}
	return ""
}

// code returns the status with which the process ended, 0 also while it runs: of one that its parent has not asked
// for yet it stands in its line of figures, of others Linux knows it from 6.15 on.
func (p *process) code() int {
	const codeColumn = 49 // after the name
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	if unix.IoctlPidfdInfo(p.fd, &info) == nil && info.Exit_code != 0 {
		return int(info.Exit_code)
	}
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/stat")
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= codeColumn {
		return 0
	}
	code, _ := strconv.Atoi(string(fields[codeColumn]))
	return code
}

func (p *process) close() {
	if p != nil {
		unix.Close(p.fd)
	}
}
