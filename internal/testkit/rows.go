package testkit

import (
	"os"
	"strings"
	"testing"
)

// Rows returns the lines of a file, each divided at its tabs, without the empty ones and those that begin with #.
// The first field of a line that begins with a tab is that of the line before.
func Rows(t testing.TB, path string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(string(Must(os.ReadFile(path))(t))) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line == "\n" || line[0] == '#' {
			continue
		}
		if row[0] == "" {
			row[0] = rows[len(rows)-1][0]
		}
		rows = append(rows, row)
	}
	MustThat(t, len(rows) != 0, "there are no rows in %s", path)
	return rows
}

// Words returns a map of the rows of a file that begin with a word, from their second field to their third.
func Words(t testing.TB, path, word string) map[string]string {
	t.Helper()
	words := map[string]string{}
	for _, row := range Rows(t, path) {
		if row[0] == word {
			words[row[1]] = row[2]
		}
	}
	MustThat(t, len(words) != 0, "there are no rows of %s in %s", word, path)
	return words
}
