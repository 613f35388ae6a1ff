package testkit

import (
	"os"
	"strings"
)

// Rows returns the lines of a file, each divided at its tabs, without the empty ones and those that begin with #.
// The first field of a line that begins with a tab is that of the line before.
func Rows(path string) (rows [][]string) {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line == "\n" || line[0] == '#' {
			continue
		}
		if row[0] == "" {
			row[0] = rows[len(rows)-1][0]
		}
		rows = append(rows, row)
	}
	return rows
}

// Words returns a map of the rows of a file that begin with a word, from their second field to their third.
func Words(path, word string) map[string]string {
	words := map[string]string{}
	for _, row := range Rows(path) {
		if row[0] == word {
			words[row[1]] = row[2]
		}
	}
	if len(words) == 0 {
		panic("there are no rows of " + word + " in " + path)
	}
	return words
}
