package tracy

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// AwayError is why a program did not answer a greeting; Accepted says that it took the connection.
type AwayError struct {
	Cause    error
	Accepted bool
}

func (e *AwayError) Error() string { return e.Cause.Error() }

// Greet connects to a program in the version of the protocol that it speaks. It returns the greeting that the program
// took, with its answer: the begin of a recording. AwayError: nobody is there, or answers within a time.
func Greet(ctx context.Context, addr string, within time.Duration) (net.Conn, []byte, error) {
	d := net.Dialer{Timeout: within}
	for _, version := range Versions {
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return nil, nil, &AwayError{Cause: err}
		}
		hello := binary.LittleEndian.AppendUint32([]byte(magic), version)
		conn.SetDeadline(time.Now().Add(within))
		status := make([]byte, 1)
		if _, err = conn.Write(hello); err == nil {
			_, err = io.ReadFull(conn, status)
		}
		if err == nil && status[0] != StatusMismatch {
			conn.SetDeadline(time.Time{})
			return conn, append(hello, status...), nil
		}
		conn.Close()
		if err != nil {
			return nil, nil, &AwayError{fmt.Errorf("the program does not answer: %w", err), true}
		}
	}
	return nil, nil, fmt.Errorf("the program speaks another version of Tracy's protocol; Framescope knows %s",
		KnownVersions())
}
