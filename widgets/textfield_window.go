//go:build !headless

package widgets

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2/exp/textinput"
)

// composer is what input methods write by.
type composer = textinput.Composer

// compose takes the text that an input method, or the keyboard without one, has written since the
// last tick.
func (t *TextField) compose() {
	if t.composer.OnNewSession == nil {
		// The field gives no text around the cursor, so committed text belongs at the cursor wherever
		// that has gone.
		t.composer.OnNewSession = func() *textinput.SessionOptions {
			return &textinput.SessionOptions{CaretBounds: image.Rect(t.pxX, t.pxY, t.pxX+1, t.pxY+1)}
		}
		t.composer.OnComposition = func(c *textinput.Composition) { t.preedit = c.Text() }
		t.composer.OnCommit = func(c *textinput.Commit) { t.insert(c.Text()) }
	}
	t.composer.Update() // an error means that nothing was written: there is no input method
}
