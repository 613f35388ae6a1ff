package panel

// Filterer is a panel, or the source of a table, that the search narrows down: it lists only what
// has the text in its name, in any case; all for an empty text.
type Filterer interface {
	SetFilter(text string)
}

// NameFilter makes a Filterer of what it is a part of.
type NameFilter struct {
	Filter string
}

// SetFilter implements Filterer.
func (f *NameFilter) SetFilter(text string) { f.Filter = text }
