//go:build !linux

package app

import "time"

// drawnByProcessor returns false: elsewhere the graphics card draws.
func drawnByProcessor() bool { return false }

// processorTime returns 0: it is not asked for.
func processorTime() time.Duration { return 0 }
