package panel

// Fact is a number that a panel states about an item: checks compare panels by these instead of
// pictures.
type Fact struct {
	// Measure is the ID of the number's column, Header its title there, and Row the index of its
	// row.
	Measure, Header string
	Row             int
	// Of is its subject: the collector, thread, frame, span or thing under the mouse there. Name is
	// its name there, with the indentation of trees in Depth.
	Of    Hit
	Name  string
	Depth int
	// Value is the number in full, in Unit, NaN if the column has words alone; Text is the shown
	// text.
	Value      float64
	Unit, Text string
}

// Teller is a panel that states numbers of things: all of them, not only those in view.
type Teller interface {
	// Facts appends the panel's present facts, in the order of display.
	Facts(env *Env, out []Fact) []Fact
}

// Marker is a panel that lists things and highlights the selected ones.
type Marker interface {
	// Marked appends the item of each row that stands out as selected, also of rows out of view.
	// Lines are left out.
	Marked(env *Env, out []Hit) []Hit
}
