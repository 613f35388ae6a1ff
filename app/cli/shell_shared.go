package cli

import (
	"io"
	"os"
	"sync"

	"framescope/internal/escape"
)

// Shared is a writer that several goroutines may use: background work prints its lines there, too. It
// removes characters that could disturb a terminal.
type Shared struct {
	mu sync.Mutex
	to io.Writer
}

// NewShared returns one for a writer.
func NewShared(to io.Writer) *Shared { return &Shared{to: to} }

// Write implements io.Writer.
func (s *Shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return escape.NewWriter(s.to).Write(p)
}

// Control is Shared that lets escape codes for the terminal pass.
type Control struct{ *Shared }

// Write implements io.Writer.
func (c Control) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.to.Write(p)
}

// ChildErr returns the error output for a started program: the file itself, which it inherits. Any
// other writer stays shared.
func ChildErr(w io.Writer) io.Writer {
	if s, ok := w.(*Shared); ok {
		if f, ok := s.to.(*os.File); ok {
			return f
		}
	}
	return w
}
