//go:build unix

package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// TestFIFOsStopNobody puts a FIFO in the place of every file of a session, one after the other, and
// lists, reads, pins, renames and makes room: opening a FIFO would wait until somebody writes to it.
func TestFIFOsStopNobody(t *testing.T) {
	for _, name := range []string{sessionFile, userFile, pinFile, baseFile, "00000001" + segmentExt} {
		t.Run(name, func(t *testing.T) {
			root := OpenRoot(t.TempDir(), RootOptions{Limit: 1 << 20})
			defer root.Close()
			dir := ended(t, root, 1, 4096)
			path := filepath.Join(dir, name)
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip(err)
			}
			root.List()
			testkit.Refused(disk.ReadFile(path, 10))(t, "is not a file")
			ReadInfo(dir)
			SetName(dir, "another name")
			SetKeep(dir, true)
			SetKeep(dir, false)
			PinOn(disk.System, dir)()
			if r, err := Open(dir); err == nil {
				each(r, func(*Record) {})
				r.Close()
			}
			// Sessions beside it are kept, and room is made for them.
			for i := range 3 {
				beside := ended(t, root, 2+i, 600<<10)
				if info, err := ReadInfo(beside); i == 2 && err != nil {
					t.Error(fmt.Errorf("a session beside it: %w", err), info)
				}
			}
		})
	}
}
