//go:build unix

package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// MakeFIFO makes a FIFO that only the user can open.
func MakeFIFO(path string) error {
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return &fs.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	return nil
}

// openFIFO opens a FIFO for reading without waiting for a writer.
func openFIFO(path string) (fd int, err error) {
	for {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err == nil {
			widen(fd)
			return fd, nil
		}
		if !errors.Is(err, unix.EINTR) {
			return -1, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// fifo follows a FIFO, or a device that can be read. Writers come and go: each that closes it ends
// something.
func (f *follower) fifo() error {
	fd, err := openFIFO(f.path)
	if err != nil {
		return err
	}
	defer func() { unix.Close(fd) }()
	fifo := isFIFO(fd)
	if fifo {
		f.reportState(Waiting, "nobody writes to the FIFO yet")
	}
	wrote := false // something came since the last writer closed it
	for {
		n, end, err := f.readFD(fd)
		switch {
		case err != nil:
			return err
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		case n > 0:
			wrote = true
			if err := f.write(f.buf[:n]); err != nil {
				return err
			}
			continue
		case end && (!fifo || f.done()): // a device that gives nothing, such as /dev/null, gives nothing later either
			return nil
		case end && wrote:
			wrote = false
			f.w.Restart("the FIFO's writer closed it")
			f.reportState(Waiting, "the FIFO's writer closed it")
			// After its writer closed it, an open FIFO reports its end until the next writer comes; a
			// newly opened one waits for a writer. The old one stays open until the new one is, so
			// that a writer in between finds a reader.
			again, err := openFIFO(f.path)
			if errors.Is(err, fs.ErrNotExist) {
				return errKind
			} else if err != nil {
				return err
			}
			unix.Close(fd)
			fd = again
		case end:
			f.pause()
		}
		if !wrote && f.replaced(fd) {
			return errKind
		}
	}
}

// isFIFO reports whether fd is a FIFO and not a device.
func isFIFO(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO
}

// replaced reports whether the path now leads to another file than fd.
func (f *follower) replaced(fd int) bool {
	var open, there unix.Stat_t
	if unix.Fstat(fd, &open) != nil {
		return false
	}
	if err := unix.Stat(f.path, &there); err != nil {
		return errors.Is(err, unix.ENOENT)
	}
	return open.Dev != there.Dev || open.Ino != there.Ino
}

// readFD reads the next data. It waits up to 50 ms and calls Idle if none came. end reports that no
// writer has the FIFO open, or that nothing came and the writer has ended.
func (f *follower) readFD(fd int) (n int, end bool, err error) {
	last := f.done()
	patience := int(f.o.idle.Milliseconds())
	if last {
		patience = 0
	}
	fds := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err = unix.Poll(fds[:], patience)
	switch {
	case errors.Is(err, unix.EINTR):
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("%s: %w", f.path, err)
	case n == 0:
		f.w.Idle()
		return 0, last, nil
	}
	n, err = unix.Read(fd, f.buf)
	switch {
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
		return 0, false, nil
	case err != nil:
		return 0, false, &fs.PathError{Op: "read", Path: f.path, Err: err}
	}
	return n, n == 0, nil
}

// Readable reports whether the user may read a file or FIFO, without opening it.
func Readable(path string) error {
	if err := unix.Access(path, unix.R_OK); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
