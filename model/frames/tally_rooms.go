package frames

// Rooms are buffers for the values of tallies; they are reused and never exceed the needed size.
type Rooms struct {
	Most int         // values that there is room for at most
	Held int         // and is
	Free [][]float64 // room that no tally has at present
}

const mostFound = 256 // room that is looked at for some that is large enough

// Take takes the room for values of a tally that has been answered.
func (e *Rooms) Take(y *Tally) {
	if cap(y.Values) > 0 {
		e.Free = append(e.Free, y.Values)
		y.Values = nil
	}
}

// Find returns the smallest free room for so many values, nil if there is none: a too small one is
// dropped then, so that little useless memory is held.
func (e *Rooms) Find(n int) []float64 {
	best := -1
	for k := range e.Free[:min(len(e.Free), mostFound)] {
		if c := cap(e.Free[k]); c >= n && (best < 0 || c < cap(e.Free[best])) {
			best = k
		}
	}
	last := len(e.Free) - 1
	if last < 0 {
		return nil
	}
	if best < 0 {
		e.Held -= cap(e.Free[last])
		e.Free[last], e.Free = nil, e.Free[:last]
		return nil
	}
	room := e.Free[best]
	e.Free[best], e.Free[last], e.Free = e.Free[last], nil, e.Free[:last]
	return room
}
