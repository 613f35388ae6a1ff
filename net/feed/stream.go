package feed

import (
	"context"
	"errors"
	"fmt"
)

// Stream takes the bytes of a recording as they come: from a file that grows, a FIFO, standard
// input or a socket. One goroutine at a time may use it.
type Stream interface {
	// Write takes the next bytes, cut anywhere: within a line, a record or a character. It keeps none
	// of p. It returns len(p), or an error after which the stream takes nothing more and only Close
	// may be called; data that are merely damaged are counted and shown by the source, not an error.
	// ErrCancelled means that the data are not wanted any more.
	Write(p []byte) (int, error)
	// Idle is called when nothing has come for some 50 ms, and again each time as long passes with
	// nothing: it publishes decoded data held back to make batches larger.
	Idle()
	// Close ends the session with model.End{Reason: reason}, after all that was written. An empty
	// reason is an end in order. It is called once, also after an error of Write.
	Close(reason string)
}

// Streamer is a source that also reads data that are still being written.
type Streamer interface {
	Source
	// NewStream returns a decoder that hands everything to the sink, from the stream's first byte on.
	NewStream(sink Sink, o StreamOptions) Stream
}

// StreamOptions describes a stream before its first byte.
type StreamOptions struct {
	// Name is where the stream comes from, for people: a path, an address, "standard input", a command
	// line.
	Name string
	// Program names the session until the stream says better; empty: nothing is known.
	Program string
}

// FolderSource is a source with folders as recordings. Its OpenFile takes the path of a folder, too.
type FolderSource interface {
	Source
	// SniffFolder reports whether the source reads a folder, by its content.
	SniffFolder(path string) bool
}

// FolderFollower is a source that reads its folders also while they are written.
type FolderFollower interface {
	FolderSource
	// FollowFolder reads the content of a folder into a sink, and reads on until nothing more will
	// come. It calls wait each time when there is no more for now; its error ends the reading. The
	// sink gets a model.End in any case.
	FollowFolder(ctx context.Context, path string, sink Sink, wait func(ctx context.Context) error) error
}

// ErrCancelled is the error of Stream.Write after the sink refused a batch, because its session was
// closed.
var ErrCancelled = errors.New("the session was closed")

// NotStreamedError says that a recording was recognised that can only be read when it is whole.
type NotStreamedError struct {
	Name   string // of the stream
	Source Source // nil: not known, because it is compressed
}

func (e *NotStreamedError) Error() string {
	if e.Source == nil {
		return e.Name + ": is compressed, and can be opened only when it is whole"
	}
	return fmt.Sprintf("%s: a %s can be opened only when it is whole", e.Name, e.Source.Name())
}
