package prompt

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// TestClipboard: what can't be copied is told with what to do, and what can lies where it belongs.
func TestClipboard(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs of other systems are always there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	err := clipboard("text")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "install wl-clipboard"), "without a program: %v", err)
	program := func(name, script string) {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	}
	program("wl-copy", "exit 1")
	if err := clipboard("text"); err == nil || !strings.Contains(err.Error(), "nothing was copied: wl-copy") {
		t.Errorf("with a program that fails: %v", err)
	}
	got := filepath.Join(dir, "got")
	program("xclip", "read line; echo $line > "+got)
	testkit.NoErr(t, clipboard("text\n"))
	text, _ := os.ReadFile(got)
	testkit.That(t, string(text) == "text\n", "%q was copied", text)
	program("xclip", "while :; do :; done")
	err = clipboard("text")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "xclip"), "with a program that never ends: %v", err)
}

// TestPaste: what is pasted is what the system has, else what was copied here last; never more of it
// than has room.
func TestPaste(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs of other systems are always there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	later := make(chan func(), 10)
	p := Prompt{Later: func(f func()) { later <- f }}
	paste := func() (text string) {
		got := false
		p.Clipboard().Get(func(s string) { text, got = s, true })
		for !got {
			(<-later)()
		}
		return text
	}
	p.Clipboard().Put("mine")
	(<-later)() // the word that it is copied here alone
	testkit.Equal(t, paste(), "mine", "without a program … is pasted")
	program := func(script string) {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "xclip"), []byte("#!/bin/sh\n"+script), 0o755))
	}
	program("echo theirs")
	testkit.Equal(t, paste(), "theirs", "… is pasted")
	program("while :; do echo 0123456789012345678901234567890123456789; done")
	got := paste()
	testkit.That(t, len(got) <= pasteMost && len(got) >= pasteMost/2, "%d bytes are pasted", len(got))
	program("exit 1")
	testkit.Equal(t, paste(), "mine", "with a program that fails … is pasted")
}
