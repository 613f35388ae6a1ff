package trace

import "errors"

// Broken counts why a text was not read to its end, or is damaged: the error that its reading ended with, or nil.
func (d *Diagnostics) Broken(err error) {
	if spoiled, ok := errors.AsType[*SpoiledError](err); ok {
		kind := ControlBytes
		if spoiled.left > 0 {
			kind = Gap
		}
		d.Explain(kind, spoiled.At, "%v", spoiled)
		d.BadN(kind, spoiled.N-1, spoiled.At)
	} else if err != nil {
		d.Explain(Unread, Unknown, "%v", err)
	}
}

// Any reports whether anything was counted.
func (d *Diagnostics) Any() bool { return d.counts != [numKinds]diagnostic{} }
