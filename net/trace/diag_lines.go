package trace

import (
	"fmt"
	"strings"
)

// namedLines is the maximum number of lines that are listed by number.
const namedLines = 20

// Lines are lines of a text with which one thing is wrong. The zero value has none.
type Lines struct {
	N     int64
	first []int64 // their numbers, from 1
}

// Add counts a line, by its number.
func (l *Lines) Add(line int64) {
	if l.N++; len(l.first) < namedLines {
		l.first = append(l.first, line)
	}
}

// Where says which lines they are.
func (l *Lines) Where() string {
	list := strings.Trim(fmt.Sprint(l.first), "[]")
	switch {
	case l.N == 1:
		return "line " + list
	case l.N > namedLines:
		return "the first are lines " + list
	}
	return "lines " + list
}
