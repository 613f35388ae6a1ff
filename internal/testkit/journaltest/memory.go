// Package journaltest holds a file system in memory, on which tests keep journals.
package journaltest

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"framescope/net/journal/disk"
)

// NewMemory returns a file system that is empty.
func NewMemory() disk.FS { return &memory{nodes: map[string]*node{}} }

type memory struct {
	mu    sync.Mutex
	nodes map[string]*node // by cleaned path
}

// node is a file or folder. The bytes of a file lie in blocks, so that growing copies nothing.
type node struct {
	mu      sync.Mutex
	folder  bool
	blocks  [][]byte
	size    int64
	written time.Time
	locks   int // shared ones, -1: one alone
}

const memoryBlock = 8 << 10

func (m *memory) find(op, name string) (*node, error) {
	if n := m.nodes[filepath.Clean(name)]; n != nil {
		return n, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

func (m *memory) OpenFile(name string, flag int, _ fs.FileMode) (disk.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find("open", name)
	switch {
	case err == nil && n.folder:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case err == nil && flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case err != nil && flag&os.O_CREATE == 0:
		return nil, err
	case err != nil:
		n = &node{written: time.Now()}
		m.nodes[filepath.Clean(name)] = n
	}
	f := &memoryFile{n, filepath.Base(name)}
	if flag&os.O_TRUNC != 0 {
		f.Truncate(0)
	}
	return f, nil
}

func (m *memory) Mkdir(name string, _ fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find("mkdir", name); err == nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrExist}
	}
	m.nodes[filepath.Clean(name)] = &node{folder: true, written: time.Now()}
	return nil
}

func (m *memory) MkdirAll(name string, perm fs.FileMode) error {
	for dir := filepath.Clean(name); ; dir = filepath.Dir(dir) {
		m.Mkdir(dir, perm)
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (m *memory) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find("readdir", name); err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	for path, n := range m.nodes {
		if filepath.Dir(path) == filepath.Clean(name) && path != filepath.Clean(name) {
			list = append(list, fs.FileInfoToDirEntry(n.info(filepath.Base(path))))
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func (m *memory) Stat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find("stat", name)
	if err != nil {
		return nil, err
	}
	return n.info(filepath.Base(name)), nil
}

func (m *memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find("rename", from); err != nil {
		return err
	}
	from, to = filepath.Clean(from), filepath.Clean(to)
	for path, n := range m.nodes {
		if path == from || strings.HasPrefix(path, from+string(filepath.Separator)) {
			delete(m.nodes, path)
			m.nodes[to+path[len(from):]] = n
		}
	}
	return nil
}

func (m *memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find("remove", name); err != nil {
		return err
	}
	delete(m.nodes, filepath.Clean(name))
	return nil
}

func (m *memory) RemoveAll(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Clean(name)
	for path := range m.nodes {
		if path == name || strings.HasPrefix(path, name+string(filepath.Separator)) {
			delete(m.nodes, path)
		}
	}
	return nil
}

func (m *memory) Lock(name string, shared, create bool) (func(), error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find("lock", name)
	if err != nil {
		if !create {
			return nil, err
		}
		n = &node{written: time.Now()}
		m.nodes[filepath.Clean(name)] = n
	}
	if n.locks < 0 || !shared && n.locks > 0 {
		return nil, disk.ErrLocked
	}
	if shared {
		n.locks++
	} else {
		n.locks = -1
	}
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		n.locks = max(0, n.locks-1)
	}), nil
}

// memoryFile is an open file. It stays readable when it was removed, as on Unix.
type memoryFile struct {
	*node
	name string
}

func (f *memoryFile) Close() error { return nil }
func (f *memoryFile) Sync() error  { return nil }

func (f *memoryFile) Reserve(int64, int64) error { return nil }

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info(f.name), nil }

func (f *memoryFile) ReadAt(p []byte, off int64) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n < len(p) && off < f.size {
		at := off % memoryBlock
		k := copy(p[n:], f.blocks[off/memoryBlock][at:min(memoryBlock, at+f.size-off)])
		n += k
		off += int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) WriteAt(p []byte, off int64) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grow(off + int64(len(p)))
	for n < len(p) {
		k := copy(f.blocks[off/memoryBlock][off%memoryBlock:], p[n:])
		n += k
		off += int64(k)
	}
	f.written = time.Now()
	return n, nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grow(size)
	if size < f.size {
		if at := size % memoryBlock; at > 0 {
			clear(f.blocks[size/memoryBlock][at:])
		}
		keep := (size + memoryBlock - 1) / memoryBlock
		clear(f.blocks[keep:])
		f.blocks = f.blocks[:keep]
	}
	f.size, f.written = size, time.Now()
	return nil
}

func (n *node) grow(size int64) {
	for int64(len(n.blocks))*memoryBlock < size {
		n.blocks = append(n.blocks, make([]byte, memoryBlock))
	}
	n.size = max(n.size, size)
}

func (n *node) info(name string) fs.FileInfo {
	n.mu.Lock()
	defer n.mu.Unlock()
	return nodeInfo{name, n.size, n.written, n.folder}
}

type nodeInfo struct {
	name    string
	size    int64
	written time.Time
	folder  bool
}

func (i nodeInfo) Name() string       { return i.name }
func (i nodeInfo) Size() int64        { return i.size }
func (i nodeInfo) ModTime() time.Time { return i.written }
func (i nodeInfo) IsDir() bool        { return i.folder }
func (i nodeInfo) Sys() any           { return nil }
func (i nodeInfo) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o700
	}
	return 0o600
}
