package launch

import (
	"fmt"
	"sync"

	"golang.org/x/time/rate"
)

// Log takes lines for the user; nil drops them.
type Log func(line string)

func (l Log) line(text string) {
	if l != nil {
		l(text)
	}
}

// fewLines writes lines about strangers to a log: one a second, and some at once.
type fewLines struct {
	to   Log
	room *rate.Limiter

	mu   sync.Mutex
	left int // lines that were not written since the last one
}

func newFewLines(to Log) *fewLines { return &fewLines{to: to, room: rate.NewLimiter(1, 20)} }

func (f *fewLines) printf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.room.Allow() {
		f.left++
		return
	}
	line := fmt.Sprintf(format, args...)
	if f.left > 0 {
		line += fmt.Sprintf(" (and %d more lines such as this)", f.left)
	}
	f.left = 0
	f.to.line(line)
}
