package journal

import (
	"io/fs"

	"framescope/net/journal/disk"
)

// hooked is a file system in which a test comes before what is opened, and in place of what is written.
type hooked struct {
	disk.FS
	open  func(name string)
	write func(f disk.File, p []byte, at int64) (int, error)
}

type hookedFile struct {
	disk.File
	write func(f disk.File, p []byte, at int64) (int, error)
}

func (h hooked) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	if h.open != nil {
		h.open(name)
	}
	f, err := h.FS.OpenFile(name, flag, perm)
	if err == nil && h.write != nil {
		f = hookedFile{f, h.write}
	}
	return f, err
}

func (f hookedFile) WriteAt(p []byte, at int64) (int, error) { return f.write(f.File, p, at) }

// gated is a file system whose writes wait for a gate.
func gated(fsys disk.FS, gate chan struct{}) disk.FS {
	return hooked{FS: fsys, write: func(f disk.File, p []byte, at int64) (int, error) {
		<-gate
		return f.WriteAt(p, at)
	}}
}
