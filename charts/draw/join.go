package draw

// Add appends the content of another list over the same atlas, cut as it was there: for a picture
// made of several. It costs a copy, so compare the Revision of the other first.
func (l *List) Add(o *List) {
	vertices, indices, said := uint32(len(l.Vertices)), len(l.Indices), len(l.said)
	l.Vertices = append(l.Vertices, o.Vertices...)
	for _, i := range o.Indices {
		l.Indices = append(l.Indices, vertices+i)
	}
	l.said = append(l.said, o.said...)
	for _, n := range o.notes {
		n.at, n.until = n.at+indices, n.until+indices
		n.from, n.to = n.from+said, n.to+said
		l.notes = append(l.notes, n)
	}
}
