package workspace

import (
	"fmt"
	"os"

	"framescope/app/input"
	"framescope/widgets"
)

// Copy puts text on the clipboard. Ebitengine has no clipboard, so Copy runs the system's own program.
// Without one, it says which to install, and writes the text to standard error, where the user can copy
// it by hand.
func (p *Prompt) Copy(text string) {
	p.copied = text
	go func() {
		err := clipboard(text)
		p.Later(func() {
			if err != nil {
				fmt.Fprintln(os.Stderr, text)
				p.Warn(fmt.Errorf("%w; the text was printed to standard error instead", err))
				return
			}
			p.TellNow("Copied: ", "%s", text)
		})
	}()
}

// Clipboard is the clipboard as text fields have it.
func (p *Prompt) Clipboard() widgets.Clipboard { return (*board)(p) }

type board Prompt

// Put implements widgets.Clipboard.
func (b *board) Put(text string) { (*Prompt)(b).Copy(text) }

// Get implements widgets.Clipboard. If the system's clipboard is unreadable, it returns the text copied
// here last.
func (b *board) Get(to func(text string)) {
	p := (*Prompt)(b)
	go func() {
		text, ok := pasted()
		p.Later(func() {
			if !ok {
				text = p.copied
			}
			to(text)
		})
	}()
}

// Strokes are the keys of a tick as text fields take them.
func Strokes(k *input.Keyboard) (keys []widgets.Stroke) {
	for _, c := range k.Chords {
		keys = append(keys, widgets.Stroke{Ctrl: c.Ctrl, Shift: c.Shift, Alt: c.Alt, Key: c.Key})
	}
	return keys
}
