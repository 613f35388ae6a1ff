package panel

import "framescope/charts/format"

// Filterer is a panel, or the source of a table, that the search narrows down: it lists only what
// has the text in its name, in any case; all for an empty text.
type Filterer interface {
	SetFilter(text string)
}

// NoMatch is what a source of a table says of itself (Empty) where the search leaves nothing of what
// there is.
const NoMatch = "no match"

// NoMatchWords is what a panel says then. It is not empty without a word, nor without a way back: a
// click on it asks for ActionClearSearch.
func NoMatchWords(text string) string {
	return "Nothing matches “" + format.ClipName(text) + "” here.\nA click shows all again."
}

// NameFilter makes a Filterer of what it is a part of.
type NameFilter struct {
	Filter string
}

// SetFilter implements Filterer.
func (f *NameFilter) SetFilter(text string) { f.Filter = text }
