//go:build !js

package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"framescope/app/convert"
	"framescope/internal/escape"
	"framescope/model/find"
)

// explain says why a query failed: the limit that it reached, or the place in its text and what could be meant.
func (d *DB) explain(ctx context.Context, text string, err error) error {
	own, _ := errors.AsType[*sqlite.Error](err)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case d.ctx.Err() != nil:
		return context.Cause(d.ctx)
	case d.err != nil:
		return d.err
	case d.denied != "":
		return errors.New(d.denied)
	case own == nil:
		return err
	}
	switch own.Code() & 0xff {
	case lib.SQLITE_NOMEM:
		return fmt.Errorf("%w: it needs more than %d MiB of memory", ErrLimit, maxHeap>>20)
	case lib.SQLITE_TOOBIG:
		return fmt.Errorf("%w: a text, or the query itself, is too long", ErrLimit)
	}
	reason := plain(own.Error())
	if bound.MatchString(reason) {
		return fmt.Errorf("%w: %s", ErrLimit, reason)
	}
	return errors.New(located(text, reason))
}

// bound is how SQLite speaks of its limits.
var bound = regexp.MustCompile(`^(Expression tree is too large|Recursion limit|parser stack|too many )`)

// wrapping is what the driver writes around the words of SQLite.
var wrapping = regexp.MustCompile(`^SQL logic error: | \(\d+\)$`)

func plain(text string) string { return escape.Line(wrapping.ReplaceAllString(text, "")) }

// culprit finds the word that an error is about.
var culprit = regexp.MustCompile(`^(?:no such (column|table|function): |near |ambiguous column name: )"?([^":]+)`)

// located adds to an error the line and column of the word that it is about, and a similar name.
func located(text, reason string) string {
	m := culprit.FindStringSubmatch(reason)
	if m == nil {
		return reason
	}
	if at := strings.Index(strings.ToLower(text), strings.ToLower(m[2])); at >= 0 && at <= len(text) {
		line := strings.LastIndexByte(text[:at], '\n') + 1
		row, column := strings.Count(text[:at], "\n")+1, utf8.RuneCountInString(text[line:at])+1
		reason = fmt.Sprintf("line %d, column %d: %s", row, column, reason)
	}
	_, word, dotted := strings.Cut(m[2], ".")
	if !dotted {
		word = m[2]
	}
	if near := find.Nearest(strings.ToLower(word), known(m[1])); near != "" {
		reason += fmt.Sprintf("; did you mean %s?", near)
	}
	return reason
}

// known are the names of a kind: columns or tables.
func known(kind string) (out []string) {
	switch kind {
	case "table":
		return convert.TableIDs()
	case "column":
		for _, t := range convert.AllTables {
			for _, c := range Columns(t, 2) {
				out = append(out, c.Name)
			}
		}
		slices.Sort(out)
	}
	return slices.Compact(out)
}
