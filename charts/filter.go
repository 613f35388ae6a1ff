package charts

// Filterer is a panel, or the source of a table, that the search narrows down: it lists only what has
// the text in its name, in any case; all for an empty text.
type Filterer interface {
	SetFilter(text string)
}

// NameFilter makes a Filterer of what it is a part of.
type NameFilter struct {
	Filter string
}

// SetFilter implements Filterer.
func (f *NameFilter) SetFilter(text string) { f.Filter = text }

// SetFilter implements Filterer, for tables whose source does.
func (t *Table) SetFilter(text string) {
	if f, ok := t.Source.(Filterer); ok {
		f.SetFilter(text)
	}
}

// SetFilter implements Filterer: the calls of what has the text in its name are searched for.
func (c *SlowCalls) SetFilter(text string) { c.Text = text }
