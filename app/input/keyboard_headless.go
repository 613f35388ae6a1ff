//go:build headless

package input

// systemKeys is nothing: without a window there are no keys.
type systemKeys struct{}

// MovingKeys returns what an American keyboard prints on the keys that move the picture.
func MovingKeys() string { return "W A S D" }
