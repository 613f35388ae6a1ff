package messages

import (
	"slices"
	"strings"

	"framescope/model"
)

// Category is a category of messages and how many of them are stored.
type Category struct {
	Name  string
	Count int64
}

// Count returns how many messages of a track are stored.
func (x *Table) Count(track model.TrackID) int64 { return x.part(track).Stored() }

// Categories appends to out the categories of the stored messages, of all tracks, by name. Messages
// without a category are not counted.
func (x *Table) Categories(out []Category) []Category {
	from := len(out)
	x.categories.Each(func(name string, n int64) { out = append(out, Category{name, n}) })
	slices.SortFunc(out[from:], func(a, b Category) int { return strings.Compare(a.Name, b.Name) })
	return out
}
