package prompt

import (
	"os/exec"
	"runtime"
	"strings"
)

// Copy puts text on the clipboard. Ebitengine has no clipboard, so the system's own program is
// asked; where there is none, the text is shown.
func (p *Prompt) Copy(text string) {
	go func() {
		err := clipboard(text)
		p.Later(func() {
			if err != nil {
				p.Tell("%s", text)
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
	var err error
	for _, t := range tries {
		cmd := exec.Command(t[0], t[1:]...)
		cmd.Stdin = strings.NewReader(text)
		if err = cmd.Run(); err == nil {
			return nil
		}
	}
	return err
}
