package feed

import (
	"fmt"
	"sync"

	"golang.org/x/time/rate"
)

// FewLines makes lines for a log of what strangers cause: one a second, and some at once.
type FewLines struct {
	room *rate.Limiter

	mu   sync.Mutex
	left int // lines that were not written since the last one
}

// NewFewLines returns it.
func NewFewLines() *FewLines { return &FewLines{room: rate.NewLimiter(1, 20)} }

// Write passes a line to a log, if there is room for it. The next one that has room says how many had none.
func (f *FewLines) Write(to func(line string), format string, args ...any) {
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
	to(line)
}
