package prompt

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestClipboard: what can't be copied is told with what to do, and what can lies where it belongs.
func TestClipboard(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs of other systems are always there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := clipboard("text"); err == nil || !strings.Contains(err.Error(), "install wl-clipboard") {
		t.Errorf("without a program: %v", err)
	}
	program := func(name, script string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program("wl-copy", "exit 1")
	if err := clipboard("text"); err == nil || !strings.Contains(err.Error(), "nothing was copied: wl-copy") {
		t.Errorf("with a program that fails: %v", err)
	}
	got := filepath.Join(dir, "got")
	program("xclip", "read line; echo $line > "+got)
	if err := clipboard("text\n"); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(got); string(text) != "text\n" {
		t.Errorf("%q was copied", text)
	}
}
