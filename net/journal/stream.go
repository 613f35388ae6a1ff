package journal

import (
	"io"
	"io/fs"

	"framescope/net/journal/disk"
)

// Stream reads the records of a session that is one file from its bytes as they come.
type Stream struct {
	Reader
	come come
}

// NewStream returns a stream without bytes. name is the file's, for damages.
func NewStream(name string) *Stream {
	return &Stream{Reader: Reader{path: name, opened: true, seg: segmentFile{number: 1}}}
}

// Write takes the next bytes, cut anywhere. It keeps none of p.
func (s *Stream) Write(p []byte) {
	s.come.passTo(s.off + int64(s.at))
	s.come.buf = append(s.come.buf, p...)
}

// Next returns the next record of those that have come, as that of Reader.
func (s *Stream) Next() (Record, error) {
	if s.f == nil {
		if n := s.come.Size(); n == 0 || n < int64(segmentHead) && !s.over {
			return Record{}, io.EOF
		}
		s.f = &s.come
		if _, err := s.openHead(); err != nil {
			return Record{}, err
		}
	}
	return s.Reader.Next()
}

// come is a file of the bytes that have come, without those that are not wanted any more.
type come struct {
	disk.File
	fs.FileInfo
	buf []byte
	off int64 // of buf[0]
}

func (c *come) passTo(off int64) {
	c.buf = c.buf[:copy(c.buf, c.buf[off-c.off:])]
	c.off = off
}

func (c *come) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, c.buf[off-c.off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Stat is of a file as long as all that came.
func (c *come) Stat() (fs.FileInfo, error) { return c, nil }

func (c *come) Size() int64 { return c.off + int64(len(c.buf)) }

func (c *come) Close() error { return nil }
