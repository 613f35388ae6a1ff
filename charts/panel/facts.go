package panel

// Fact is a number that a panel states of something: what checks one panel against another reads
// these, so that nobody has to read pictures.
type Fact struct {
	// Measure is the ID of the column that the number stands in, Header what stands above it there,
	// and Row which of the rows it is in.
	Measure, Header string
	Row             int
	// Of is what it is stated of: the collector, thread, frame, span or thing that lies under the
	// mouse there. Name is what that is called there, with the indentation of trees in Depth.
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
	// Facts appends what the panel states now, in the order of display.
	Facts(env *Env, out []Fact) []Fact
}

// Marker is a panel that lists things and highlights the selected ones.
type Marker interface {
	// Marked appends what lies under the mouse in each row that stands out as selected, also of rows
	// out of view. Lines are left out.
	Marked(env *Env, out []Hit) []Hit
}
