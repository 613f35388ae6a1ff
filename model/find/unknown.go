package find

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unknown returns, for the first term that begins like a key but is none, the nearest key; empty: there is
// no such term. Names may have colons, so that it is no error: the term is a part of a name.
func (e *Expr) Unknown() string {
	for i := range e.terms {
		t := &e.terms[i]
		if t.field != byName {
			continue
		}
		text := strings.TrimPrefix(e.text[t.from:t.to], "-")
		n := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
		if n < 3 || n+1 >= len(text) {
			continue
		}
		key, mark, next := text[:n], text[n], text[n+1]
		switch mark {
		case ':':
			if next == ':' { // a::b
				continue
			}
		case '>', '<', '=':
			if next < '0' || next > '9' { // vector<T>
				continue
			}
		default:
			continue
		}
		if _, known := fields[key]; known {
			continue
		}
		if near := Nearest(key, slices.Sorted(maps.Keys(fields))); near != "" {
			return fmt.Sprintf("there is no key %q: %s is looked for in names. %s is the nearest key", key, text, near)
		}
	}
	return ""
}

// Nearest returns the name that a word differs least from, by two letters at most, of short ones by one;
// empty: there is none. Letters in another order differ by one.
func Nearest(word string, names []string) (key string) {
	best := 3
	if len(word) == 3 {
		best = 2
	}
	for _, k := range names {
		d := distance(word, k)
		if slices.Equal(slices.Sorted(slices.Values([]byte(word))), slices.Sorted(slices.Values([]byte(k)))) {
			d = 1
		}
		if d < best {
			key, best = k, d
		}
	}
	return key
}

// distance is by how many letters two words differ that are put in, left out or replaced (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // of the row above, to the left
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
