package pstats

import "fmt"

// Error is the place and reason of a decoding failure.
type Error struct {
	Message string // which message: "client hello", "frame", …
	Offset  int    // byte offset in the payload at which decoding stopped; the type byte is at 0
	Reason  string
}

// Error returns the whole story in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("pstats: %s: offset %d: %s", e.Message, e.Offset, e.Reason)
}

// TypeName returns the name of a message type from client to server, for logs.
func TypeName(t byte) string {
	switch t {
	case TypeFrame:
		return "frame"
	case TypeHello:
		return "hello"
	case TypeCollectors:
		return "collectors"
	case TypeThreads:
		return "threads"
	case TypeExpire:
		return "expire thread"
	}
	return fmt.Sprintf("unknown type %d", t)
}
