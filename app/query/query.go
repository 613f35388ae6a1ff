// Package query answers questions in SQL about sessions. Its tables are those of exports (convert.AllTables), read
// from the store while the query runs. It changes nothing, opens no file, and ends at limits.
package query

import (
	"errors"
	"fmt"
	"time"

	"framescope/app/convert"
)

// Source is a session, or a part of one, and its name.
type Source struct {
	Name string
	Part *convert.Part
}

// Limits bound a query.
type Limits struct {
	Time time.Duration // how long it may take
	Rows int           // of the result
	Read int64         // rows that it reads of all tables; 0: any number
}

// maxBytes is how much text a result may have.
const maxBytes = 256 << 20

// Result is the answer to a query.
type Result struct {
	Columns []string
	Rows    [][]any // int64, float64, string, []byte or nil
	// Cut reports that there are more rows than the limit allows.
	Cut bool
}

// ErrLimit is the error of a query that reached a limit.
var ErrLimit = errors.New("the query reached a limit")

// errRead is the error of one that reads too much.
var errRead = fmt.Errorf("%w: it reads more rows than allowed", ErrLimit)

// severalColumns, session and recording, are the first columns of tables of several sessions.
var severalColumns = []convert.Column{
	{Name: "session", Help: "number of the session: 1, 2, …"},
	{Name: "recording", Kind: convert.Name, Help: "file or folder of the session"},
}

// Columns are the columns of a table for so many sessions.
func Columns(t *convert.Table, sources int) []convert.Column {
	if sources < 2 {
		return t.Columns
	}
	return append(append([]convert.Column(nil), severalColumns...), t.Columns...)
}
