package trace

import (
	"fmt"

	"framescope/model"
)

// Unread counts unreadable or invalid metadata by word. The zero value is empty.
type Unread struct {
	words   []string
	tallies []Tally
}

// Add counts a word at a byte of the file, Unknown if the byte is not known.
func (u *Unread) Add(word string, at int64) {
	for i := range u.words {
		if u.words[i] == word {
			u.tallies[i].Add(at)
			return
		}
	}
	u.words, u.tallies = append(u.words, word), append(u.tallies, Tally{})
	u.tallies[len(u.tallies)-1].Add(at)
}

// Tell defines a loss for each word.
func (u *Unread) Tell(define func(model.Change)) {
	for i, word := range u.words {
		u.tallies[i].Tell(define, model.LossMalformed,
			fmt.Sprintf("invalid metadata of the session (%s) are left out", word))
	}
}
