package aside

import (
	"os"
	"strconv"
)

// nameless makes a file that no folder has, and returns where this program can open it once more.
func nameless() (f *os.File, path string, ok bool) {
	f, err := os.CreateTemp("", prefix+"*")
	if err != nil {
		return nil, "", false
	}
	os.Remove(f.Name())
	path = "/proc/self/fd/" + strconv.Itoa(int(f.Fd()))
	// Without /proc, as in some containers, a file needs its name.
	there, err := os.Stat(path)
	if here, statErr := f.Stat(); err != nil || statErr != nil || !os.SameFile(here, there) {
		f.Close()
		return nil, "", false
	}
	return f, path, true
}
