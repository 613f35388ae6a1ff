package testkit

import (
	"os"
	"runtime/debug"
	"strings"
)

// Tests make much and keep little, so garbage is collected less often than in the program: a tenth of all work of the
// tests. Benchmarks measure what the program does, and GOGC is taken where somebody has set it.
func init() {
	for _, arg := range os.Args {
		if strings.HasPrefix(arg, "-test.bench=") {
			return
		}
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
