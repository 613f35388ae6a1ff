package query

import (
	"context"
	"errors"
)

// Offered reports whether there is SQL on this platform.
const Offered = false

// DB is not for pages in a browser: the engine is too large for them.
type DB struct{}

// Open says so.
func Open(...Source) (*DB, error) { return OpenIn(nil) }

// OpenIn says so.
func OpenIn(*Turns, ...Source) (*DB, error) { return nil, errors.New("there is no SQL in a browser") }

// Query is never reached.
func (*DB) Query(context.Context, string, Limits) (*Result, error) { return nil, nil }

// Close is never reached.
func (*DB) Close() error { return nil }

// Read is never reached.
func (*DB) Read() int64 { return 0 }
