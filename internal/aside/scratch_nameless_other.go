//go:build !linux

package aside

import "os"

// nameless creates a file without a name. Here it is not supported, as such a file could not be opened
// again: outside Linux, all openers of a /dev/fd file share one offset.
func nameless() (f *os.File, path string, ok bool) { return nil, "", false }
