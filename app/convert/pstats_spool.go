package convert

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"framescope/internal/aside"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// spool keeps the frames of threads, one thread after another, until the file can say how long each is: in
// a temporary file, or in memory where there are none. It is a sessionfile.Frames.
type spool struct {
	file    *aside.File
	memory  bytes.Buffer
	out     *bufio.Writer
	at      int64 // position behind the written data
	threads []stretch
	buf     []byte
	each    func(frames int64) error // receives the count of frames read back
}

// stretch is where the frames of a thread are, and how long they are in a session file.
type stretch struct{ from, to, bytes int64 }

func newSpool() *spool {
	s := &spool{}
	if file, err := aside.Create(); err == nil {
		s.file, s.out = file, bufio.NewWriterSize(file, 1<<16)
	} else {
		s.out = bufio.NewWriterSize(&s.memory, 1<<12)
	}
	return s
}

// begin begins a thread.
func (s *spool) begin() { s.threads = append(s.threads, stretch{from: s.at, to: s.at}) }

// add adds a frame of the thread.
func (s *spool) add(f *pstats.Frame) error {
	s.buf = pstats.AppendFrame(append(s.buf[:0], 0, 0, 0, 0), sessionfile.FrameVersion, f)
	binary.LittleEndian.PutUint32(s.buf, uint32(len(s.buf)-4))
	t := &s.threads[len(s.threads)-1]
	s.at += int64(len(s.buf))
	t.to, t.bytes = s.at, t.bytes+sessionfile.FrameSize(f)
	_, err := s.out.Write(s.buf)
	return err
}

// remove frees its resources.
func (s *spool) remove() {
	if s.file != nil {
		s.file.Remove()
	}
}

// FrameBytes implements sessionfile.Frames.
func (s *spool) FrameBytes(thread int) int64 { return s.threads[thread].bytes }

// EachFrame implements sessionfile.Frames.
func (s *spool) EachFrame(thread int, fn func(*pstats.Frame) error) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	t := s.threads[thread]
	var from io.ReaderAt = s.file
	if s.file == nil {
		from = bytes.NewReader(s.memory.Bytes())
	}
	in := bufio.NewReaderSize(io.NewSectionReader(from, t.from, t.to-t.from), 1<<16)
	var f pstats.Frame
	var size [4]byte
	for {
		if _, err := io.ReadFull(in, size[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		n := int(binary.LittleEndian.Uint32(size[:]))
		if cap(s.buf) < n {
			s.buf = make([]byte, n)
		}
		if _, err := io.ReadFull(in, s.buf[:n]); err != nil {
			return err
		}
		if err := pstats.DecodeFrame(s.buf[:n], sessionfile.FrameVersion, &f); err != nil {
			return err
		}
		if err := fn(&f); err != nil {
			return err
		}
		if err := s.each(1); err != nil {
			return err
		}
	}
}
