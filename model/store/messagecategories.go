package store

import (
	"slices"
	"strings"
)

// MessageCategory is a category of messages and how many of them are stored.
type MessageCategory struct {
	Name  string
	Count int64
}

// MessageCategories appends to out the categories of the stored messages, of all tracks, by name. Messages without a category are not counted.
func (s *Session) MessageCategories(out []MessageCategory) []MessageCategory {
	from := len(out)
	for _, r := range s.notes.categories.list {
		if r.uses > 0 {
			out = append(out, MessageCategory{r.text, r.uses})
		}
	}
	slices.SortFunc(out[from:], func(a, b MessageCategory) int { return strings.Compare(a.Name, b.Name) })
	return out
}
