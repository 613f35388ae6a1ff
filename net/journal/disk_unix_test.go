//go:build unix && !solaris

package journal_test

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// A write that the system takes only the first bytes of says how many, and these are in the file.
func TestWriteAtCountsWhatIsWritten(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Skip(err)
	}
	f := testkit.Must(disk.System.OpenFile(filepath.Join(t.TempDir(), "file"), os.O_RDWR|os.O_CREATE, 0o600))(t)
	defer f.Close()
	limit := was
	limit.Cur = 10_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	n, err := f.WriteAt(make([]byte, 15_000), 1000)
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was)
	st, statErr := f.Stat()
	testkit.That(t, n == 9000 && errors.Is(err, syscall.EFBIG) && statErr == nil && st.Size() == 10_000,
		"%d bytes were written, %v; the file has %d, %v", n, err, st.Size(), statErr)
}
