package cli

import (
	"fmt"
	"sync"

	"framescope/internal/escape"
)

// Tell returns a function that prints lines for the user. Any goroutine may call it.
func (s *Streams) Tell() func(line string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(s.Err, "framescope:", escape.Line(line))
	}
}
