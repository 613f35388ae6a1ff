//go:build !unix

package profilelib

import "time"

// cpuTime is not known.
func cpuTime() time.Duration { return 0 }
