package feed

import (
	"path/filepath"
	"strings"

	"framescope/model"
)

// Named returns a sink for data from a copy on disk: it replaces the copy's path by name, the origin
// of the recording.
func Named(sink Sink, path, name string) Sink { return &namedSink{sink, path, name} }

type namedSink struct {
	Sink
	path, name string
}

// Unwrap returns the sink behind it.
func (s *namedSink) Unwrap() Sink { return s.Sink }

// Define implements Sink.
func (s *namedSink) Define(c model.Change) {
	switch d := c.(type) {
	case model.Info:
		if d.Peer == s.path {
			d.Peer = s.name
		}
		if d.Program == filepath.Base(s.path) { // guessed from the path
			d.Program = ""
		}
		c = d
	case model.Loss:
		d.Detail = strings.ReplaceAll(d.Detail, s.path, s.name)
		c = d
	case model.End:
		d.Reason = strings.ReplaceAll(d.Reason, s.path, s.name)
		c = d
	}
	s.Sink.Define(c)
}

// NameError replaces the path of a copy by name in an error. errors.Is and errors.As work as before.
func NameError(err error, path, name string) error {
	if err == nil || !strings.Contains(err.Error(), path) {
		return err
	}
	return &namedError{err, strings.ReplaceAll(err.Error(), path, name)}
}

type namedError struct {
	err  error
	text string
}

func (e *namedError) Error() string { return e.text }

func (e *namedError) Unwrap() error { return e.err }
