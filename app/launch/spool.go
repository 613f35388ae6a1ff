package launch

import (
	"context"
	"fmt"
	"os"

	"framescope/net/feed"
)

// maxSpool bounds the copies on disk of what can't be read again, in bytes each.
const maxSpool = 16 << 30

// newNamelessSpool returns one that is gone when this program is, however it ends, where the system can do that.
func newNamelessSpool() (*spool, error) {
	s, err := newSpool()
	if err == nil {
		os.Remove(s.file.Name())
	}
	return s, err
}

// spool is a temporary file with the bytes of a recording.
type spool struct {
	file *os.File
	size int64
}

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "framescope-live-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: f}, nil
}

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	if s.size+int64(len(p)) > maxSpool {
		return 0, fmt.Errorf("more than %d GiB came: only so much is kept on disk", maxSpool>>30)
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

// remove deletes the file.
func (s *spool) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// readWhole reads the recording in the file into a sink, naming it in errors.
func (s *spool) readWhole(ctx context.Context, reg feed.Registry, name string, sink feed.Sink) error {
	if err := reg.Open(ctx, s.file.Name(), sink); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
