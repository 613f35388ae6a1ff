package cli

import (
	"io"
	"os"
	"sync"

	"framescope/internal/visible"
)

// shared is a writer that several goroutines may use: what goes on beside a command tells its lines
// there, too. What could disturb a terminal is taken out of them.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return visible.NewWriter(s.to).Write(p)
}

// control is shared for what controls a terminal on purpose.
type control struct{ *shared }

// Write implements io.Writer.
func (c control) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.to.Write(p)
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
