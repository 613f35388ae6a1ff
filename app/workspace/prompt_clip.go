package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

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

// programs are the system's possible clipboard programs: to put a text there, and to get it.
func programs() (put, get [][]string) {
	switch runtime.GOOS {
	case "darwin":
		return [][]string{{"pbcopy"}}, [][]string{{"pbpaste"}}
	case "windows":
		return [][]string{{"clip"}}, [][]string{{"powershell", "-NoProfile", "-Command", "Get-Clipboard"}}
	}
	put = [][]string{{"wl-copy"}, {"xclip", "-selection", "clipboard"}, {"xsel", "--clipboard", "--input"}}
	get = [][]string{
		{"wl-paste", "--no-newline"}, {"xclip", "-selection", "clipboard", "-o"}, {"xsel", "--clipboard", "--output"},
	}
	return put, get
}

// clipTime is how long a clipboard program may run. Programs that continue to serve a text do so in the background.
var clipTime = 2 * time.Second

// pasteMost is how many bytes are taken of a paste.
const pasteMost = 1 << 14

// pasted returns the beginning of the system's clipboard; ok is false if it is unreadable.
func pasted() (text string, ok bool) {
	ctx, stop := context.WithTimeout(context.Background(), clipTime)
	defer stop()
	_, get := programs()
	for _, t := range get {
		cmd := exec.CommandContext(ctx, t[0], t[1:]...)
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(out, pasteMost))
		if len(data) == pasteMost {
			cmd.Process.Kill()
		}
		if ended := cmd.Wait(); err == nil && (ended == nil || len(data) == pasteMost) {
			return strings.TrimRight(strings.ToValidUTF8(string(data), ""), "\r\n"), true
		}
	}
	return "", false
}

func clipboard(text string) error {
	ctx, stop := context.WithTimeout(context.Background(), clipTime)
	defer stop()
	tries, _ := programs()
	var failed []error
	for _, t := range tries {
		cmd := exec.CommandContext(ctx, t[0], t[1:]...)
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
		return errors.New("nothing was copied: install wl-clipboard, xclip or xsel, which give programs access to the clipboard")
	}
	return fmt.Errorf("nothing was copied: %w", errors.Join(failed...))
}
