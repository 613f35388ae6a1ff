package launch

import (
	"context"
	"fmt"

	"framescope/internal/aside"
	"framescope/net/feed"
)

// maxSpool bounds each copy on disk of data that cannot be read again, in bytes.
const maxSpool = 16 << 30

// Spool is a temporary file with the bytes of a recording that can be read only once. It refuses data
// that is no recording as early as possible, so that an endless stream of something else ends early.
type Spool struct {
	file *aside.File
	size int64
	name string
	reg  feed.Registry
	head []byte // while its kind is unknown
	next int    // length of head at the next check; 0: it is known
}

// NewSpool makes an empty one for the formats of the registry. The name is for errors and recordings.
func NewSpool(reg feed.Registry, name string) (*Spool, error) {
	f, err := aside.Create()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot make a temporary file: %w", name, err)
	}
	return &Spool{file: f, name: name, reg: reg, next: feed.HeadSize}, nil
}

// Write implements io.Writer.
func (s *Spool) Write(p []byte) (int, error) {
	if err := s.look(p); err != nil {
		return 0, err
	}
	if s.size+int64(len(p)) > maxSpool {
		return 0, fmt.Errorf("more than %d GiB arrived: the rest does not fit into the temporary file", maxSpool>>30)
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

// look refuses data that proves to be no recording with some more bytes.
func (s *Spool) look(p []byte) error {
	if s.next == 0 {
		return nil
	}
	s.head = append(s.head, p[:min(len(p), feed.FarSize-len(s.head))]...)
	for len(s.head) >= s.next {
		src, err := s.reg.RecogniseHead(s.head[:s.next], s.name)
		if err != nil {
			return err
		}
		if s.next *= 2; src != nil {
			s.head, s.next = nil, 0
			break
		}
	}
	return nil
}

// Path is where the file can be read by this program until it is removed.
func (s *Spool) Path() string { return s.file.Path() }

// Remove deletes the file.
func (s *Spool) Remove() { s.file.Remove() }

// readWhole reads the recording in the file into a sink, under its own name.
func (s *Spool) readWhole(ctx context.Context, sink feed.Sink) error {
	path := s.file.Path()
	return feed.NameError(s.reg.Open(ctx, path, feed.Named(sink, path, s.name)), path, s.name)
}
