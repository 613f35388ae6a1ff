//go:build !js

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

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
		return errors.New("nothing was copied: install wl-clipboard, xclip or xsel, which give programs access to the " +
			"clipboard")
	}
	return fmt.Errorf("nothing was copied: %w", errors.Join(failed...))
}
