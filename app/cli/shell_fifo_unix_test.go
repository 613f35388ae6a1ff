//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A FIFO that nobody reads from is an error at once, and one that somebody reads from gets all of it.
func TestWriteToFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	text := strings.Repeat("0123456789", 50_000) // more than a FIFO holds
	write := func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	if err := toSpecial(path, write); err == nil || !strings.Contains(err.Error(), "nobody reads from it") {
		t.Errorf("without a reader: %v", err)
	}
	r, err := os.OpenFile(path, os.O_RDWR, 0) // never at its end
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	done := make(chan error, 1)
	go func() { done <- toSpecial(path, write) }()
	got := make([]byte, len(text))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != text {
		t.Errorf("with a reader: %v", err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
