package cli

import (
	"io"
	"os"
	"sync"
)

// shared is a writer that several goroutines may use: what goes on beside a command tells its lines
// there, too.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

// childErr returns what a program that is started prints its errors to: the file itself, which it
// inherits. Whatever else it is stays shared with us.
func childErr(w io.Writer) io.Writer {
	if s, ok := w.(*shared); ok {
		if f, ok := s.to.(*os.File); ok {
			return f
		}
	}
	return w
}
