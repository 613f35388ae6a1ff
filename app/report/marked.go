// Bookmarks and their notes in reports.

package report

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"framescope/internal/escape"
	"framescope/model/place"
)

// Bookmark is a bookmark as in JSON.
type Bookmark struct {
	Key   int    `json:"key,omitempty"` // Ctrl and this digit goes there in the window; left out where none does
	Place string `json:"place"`         // as links have it behind #
	Begin int64  `json:"begin_ns"`      // of the marked range
	End   int64  `json:"end_ns"`        // of the marked range; begin_ns of a moment
	Note  string `json:"note"`          // the user's note, one or a few lines; empty: none
}

// BookmarksOf returns the bookmarks of a list that touch [beginNs, endNs), in the order of time.
// threads are the titles of the report's threads, empty: all; a place without a thread is on all.
func BookmarksOf(list []place.Mark, beginNs, endNs int64, threads []string) (out []Bookmark) {
	for i := range list {
		m := &list[i]
		of := m.Place.Thread
		elsewhere := of != "" && len(threads) > 0 && !slices.Contains(threads, of)
		if elsewhere || m.BeginNs >= endNs || max(m.EndNs, m.BeginNs+1) <= beginNs {
			continue
		}
		out = append(out, Bookmark{m.Number, m.Place.String(), m.BeginNs, m.EndNs, m.Note})
	}
	slices.SortStableFunc(out, func(a, b Bookmark) int { return cmp.Compare(a.Begin, b.Begin) })
	return out
}

// WriteBookmarks writes bookmarks, a line each, their notes below them.
func WriteBookmarks(out *bufio.Writer, list []Bookmark) {
	for i := range list {
		b := &list[i]
		if i == 0 {
			fmt.Fprintln(out, "\nBookmarks")
		}
		key := "      "
		if b.Key > 0 {
			key = fmt.Sprintf("Ctrl+%d", b.Key)
		}
		fmt.Fprintf(out, "  %s  %s", key, escape.Line(b.Place))
		if b.End > b.Begin {
			fmt.Fprintf(out, ", %v from %v on", time.Duration(b.End-b.Begin), time.Duration(b.Begin))
		}
		fmt.Fprintln(out)
		for line := range strings.Lines(b.Note) {
			fmt.Fprintln(out, "          "+escape.Line(strings.TrimSuffix(line, "\n")))
		}
	}
}
