package client

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// DefaultAddr is where "framescope listen profilelib" listens.
const DefaultAddr = "127.0.0.1:7170"

// writeTimeout bounds how long the output goroutine waits for a viewer that does not read.
const writeTimeout = 5 * time.Second

// Conn sends a profiler's records to a viewer. After an error the rest is thrown away; the program
// goes on.
type Conn struct {
	mu   sync.Mutex
	conn net.Conn
	w    *bufio.Writer
	err  error
}

// Dial connects to a viewer and makes it the output of p; an empty address means DefaultAddr. Call
// Profiler.Close before Conn.Close, so that the last records are sent.
func Dial(ctx context.Context, addr string, p *Profiler) (*Conn, error) {
	addr = cmp.Or(addr, DefaultAddr)
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("profilelib/client: no viewer: %w (is framescope listen profilelib running?)", err)
	}
	c := &Conn{conn: conn, w: bufio.NewWriterSize(conn, 256<<10)}
	p.flushed.Store(&flusher{c.flush})
	p.SetOutput(c.write)
	return c, nil
}

func (c *Conn) write(record []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		if c.w.Available() < len(record) {
			c.deadline()
		}
		_, c.err = c.w.Write(record)
	}
}

func (c *Conn) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.deadline()
		c.err = c.w.Flush()
	}
}

func (c *Conn) deadline() {
	if err := c.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		c.err = err
	}
}

// Err returns why sending stopped, nil while it goes on.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close flushes the buffer and closes the connection.
func (c *Conn) Close() error {
	c.flush()
	return c.conn.Close()
}
