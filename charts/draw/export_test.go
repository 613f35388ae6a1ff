package draw

// ShownNames returns what Draw would show of the names.
func ShownNames(n *Names, a *Atlas) (shown []string) {
	n.tellApart(a)
	for i := range n.rows {
		shown = append(shown, string(n.shown[n.rows[i].at:n.rows[i].until]))
	}
	return shown
}
