package panel

import "framescope/charts/format"

// Filterer is a panel, or the source of a table, that the search filters: it lists only items with
// the text in their name, in any case; all for an empty text.
type Filterer interface {
	SetFilter(text string)
}

// NoMatch is the text of a table's source (Empty) if the search leaves no rows.
const NoMatch = "no match"

// WhyEmpty returns the text of a table without rows: NoMatch where the search leaves none, else the words.
func WhyEmpty(filtered bool, words string) string {
	return format.Pick(filtered, NoMatch, words)
}

// NoMatchWords is the text of a panel then. An empty panel needs words and a way back: a click on
// it requests ActionClearSearch.
func NoMatchWords(text string) string {
	return "Nothing matches “" + format.ClipName(text) + "” here.\nA click shows all again."
}

// NameFilter makes its embedding type a Filterer.
type NameFilter struct {
	Filter string
}

// SetFilter implements Filterer.
func (f *NameFilter) SetFilter(text string) { f.Filter = text }
