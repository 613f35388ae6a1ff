//go:build headless

package widgets

// composer stands for input methods: without a window nothing is written.
type composer struct{}

func (composer) Cancel() {}

func (*TextField) compose() {}
