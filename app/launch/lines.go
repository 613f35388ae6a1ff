package launch

import (
	"fmt"
	"sync"
	"time"
)

// Log takes lines for the user; nil drops them.
type Log func(line string)

func (l Log) line(text string) {
	if l != nil {
		l(text)
	}
}

// A log has room for so many lines about strangers, one more each second.
const (
	strangeLines    = 20
	strangeLineEach = time.Second
)

// fewLines writes lines to a log, as many as there is room for. With a log it is ready.
type fewLines struct {
	to Log

	mu   sync.Mutex
	used float64 // lines that were written, less those for which there is room again
	at   time.Time
	left int // lines that were not written since the last one
}

func (f *fewLines) printf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if !f.at.IsZero() {
		f.used = max(0, f.used-float64(now.Sub(f.at))/float64(strangeLineEach))
	}
	f.at = now
	if f.used > strangeLines-1 {
		f.left++
		return
	}
	f.used++
	line := fmt.Sprintf(format, args...)
	if f.left > 0 {
		line += fmt.Sprintf(" (and %d more lines such as this)", f.left)
	}
	f.left = 0
	f.to.line(line)
}
