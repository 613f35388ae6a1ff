package draw

// ShortName returns the text that NameIn shows of a name in so many pixels; empty if it shows
// nothing.
func (a *Atlas) ShortName(f Face, name string, pxRoom float32) string {
	if a.Measure(f, name) <= pxRoom {
		return name
	}
	if b, ok := a.shorten(nil, f, name, pxRoom, 0, 0); ok {
		return string(b)
	}
	return ""
}
