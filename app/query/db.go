//go:build !js

package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"framescope/app/convert"
)

// Offered reports whether there is SQL on this platform.
const Offered = true

// DB is a database of sessions. It runs one query at a time.
type DB struct {
	sources []Source
	turns   *Turns // nil: nothing changes the sessions
	id      string
	pool    *sql.DB
	conn    *sql.Conn
	busy    sync.Mutex
	running // the query that runs
}

// running is the state of a query.
type running struct {
	ctx    context.Context
	store  sync.Mutex // one cursor at a time reads the sessions
	most   int64      // rows that it may read, 0: any number
	read   atomic.Int64
	denied string // what it may not do
	err    error  // of a table
}

// open are the open databases by their names: a module of SQLite is for all of them.
var (
	open   sync.Map
	opened atomic.Int64
)

// Open makes a database of sessions. Nothing may change them while a query runs.
func Open(sources ...Source) (*DB, error) { return OpenIn(nil, sources...) }

// OpenIn makes a database of sessions that a query reads in turns only. They may grow meanwhile.
func OpenIn(turns *Turns, sources ...Source) (*DB, error) {
	register()
	d := &DB{sources: sources, turns: turns, id: fmt.Sprint(opened.Add(1))}
	d.ctx = context.Background()
	open.Store(d.id, d)
	var err error
	if d.pool, err = sql.Open("sqlite", inMemory); err == nil {
		d.conn, err = d.pool.Conn(d.ctx)
	}
	if err == nil {
		err = d.setUp()
	}
	if err != nil {
		d.Close()
		return nil, fmt.Errorf("SQL: %w", err)
	}
	return d, nil
}

// reader returns a reader of the sessions.
func (d *DB) reader(ctx context.Context) *Reader {
	return &Reader{Turns: d.turns, Context: ctx, Alone: &d.store}
}

// Close frees what the database holds.
func (d *DB) Close() error {
	open.Delete(d.id)
	if d.conn != nil {
		d.conn.Close()
	}
	return d.pool.Close()
}

// inMemory opens a database whose files, of sorting too, are pieces of memory. In what SQLite itself calls temporary
// memory it sorts all rows in one go, which nothing interrupts.
const inMemory = "file::memory:?vfs=memdb"

// bounds are limits of SQLite. Functions on texts can't be interrupted, so texts are short enough for the slowest.
var bounds = map[int]int{
	lib.SQLITE_LIMIT_LENGTH:              256 << 10,
	lib.SQLITE_LIMIT_SQL_LENGTH:          64 << 10,
	lib.SQLITE_LIMIT_COLUMN:              200,
	lib.SQLITE_LIMIT_EXPR_DEPTH:          200,
	lib.SQLITE_LIMIT_COMPOUND_SELECT:     50,
	lib.SQLITE_LIMIT_VDBE_OP:             100_000,
	lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
	lib.SQLITE_LIMIT_ATTACHED:            0,
	lib.SQLITE_LIMIT_WORKER_THREADS:      0,
}

// maxHeap is how much memory SQLite takes, for all databases.
const maxHeap = 512 << 20

// setUp makes the tables, and then allows only to read.
func (d *DB) setUp() error {
	all := []string{"pragma temp_store = file", fmt.Sprintf("pragma hard_heap_limit = %d", maxHeap)}
	for _, t := range convert.AllTables {
		all = append(all, fmt.Sprintf("create virtual table %q using %s(%s, %s)", t.ID, moduleName, d.id, t.ID))
	}
	for _, text := range all {
		if _, err := d.conn.ExecContext(d.ctx, text); err != nil {
			return err
		}
	}
	for id, most := range bounds {
		if _, err := sqlite.Limit(d.conn, id, most); err != nil {
			return err
		}
	}
	return d.conn.Raw(func(conn any) error {
		return conn.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(d.authorize)
	})
}

// authorize allows a query to read and to compute.
func (d *DB) authorize(action sqlite.AuthorizerActionCode, a, b, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if !strings.EqualFold(b, "load_extension") {
			return sqlite.AuthorizerOK
		}
	}
	d.denied = "only select, with and explain are allowed: a query cannot change a session or read other files"
	return sqlite.AuthorizerDeny
}

// Query runs a query, within limits.
func (d *DB) Query(ctx context.Context, text string, l Limits) (*Result, error) {
	d.busy.Lock()
	defer d.busy.Unlock()
	if strings.Trim(text, " \t\r\n;") == "" {
		return nil, errors.New("the query is empty")
	}
	within, stop := context.WithTimeoutCause(ctx, l.Time, fmt.Errorf("%w: it takes longer than %v", ErrLimit, l.Time))
	defer stop()
	d.ctx, d.denied, d.err, d.most = within, "", nil, l.Read
	d.read.Store(0)
	result, err := d.run(within, text, l.Rows)
	if err != nil {
		return nil, d.explain(ctx, text, err)
	}
	return result, nil
}

// Read returns how many rows of the tables the query has read that runs, or the last one. Any goroutine may ask.
func (d *DB) Read() int64 { return d.read.Load() }

// run gathers the rows of a query.
func (d *DB) run(ctx context.Context, text string, most int) (*Result, error) {
	rows, err := d.conn.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &Result{}
	if r.Columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	bytes := 0
	for rows.Next() {
		if len(r.Rows) == most || bytes > maxBytes {
			r.Cut = true
			return r, nil
		}
		row, into := make([]any, len(r.Columns)), make([]any, len(r.Columns))
		for k := range row {
			into[k] = &row[k]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for _, v := range row {
			bytes += sizeOf(v)
		}
		r.Rows = append(r.Rows, row)
	}
	return r, rows.Err()
}

// sizeOf returns about how much memory a value takes.
func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) + 32
	case []byte:
		return len(v) + 32
	}
	return 24
}
