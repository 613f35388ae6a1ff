//go:build !unix

package pstats_test

import "time"

// cpuTime is not known.
func cpuTime() time.Duration { return 0 }
