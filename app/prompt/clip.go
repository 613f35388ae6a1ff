package prompt

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// Copy puts text on the clipboard. Ebitengine has no clipboard, so the system's own program is
// asked; where there is none, it is said what to install.
func (p *Prompt) Copy(text string) {
	go func() {
		err := clipboard(text)
		p.Later(func() {
			if err != nil {
				p.Warn(err)
				return
			}
			p.Tell("Copied: %s", text)
		})
	}()
}

func clipboard(text string) error {
	var tries [][]string
	switch runtime.GOOS {
	case "darwin":
		tries = [][]string{{"pbcopy"}}
	case "windows":
		tries = [][]string{{"clip"}}
	default:
		tries = [][]string{{"wl-copy"}, {"xclip", "-selection", "clipboard"}, {"xsel", "--clipboard", "--input"}}
	}
	var failed []error
	for _, t := range tries {
		cmd := exec.Command(t[0], t[1:]...)
		cmd.Stdin = strings.NewReader(text)
		err := cmd.Run()
		if err == nil {
			return nil
		}
		if !errors.Is(err, exec.ErrNotFound) {
			failed = append(failed, fmt.Errorf("%s: %w", t[0], err))
		}
	}
	if len(failed) == 0 {
		return errors.New("nothing was copied: install wl-clipboard, xclip or xsel, which put texts on the clipboard")
	}
	return fmt.Errorf("nothing was copied: %w", errors.Join(failed...))
}
