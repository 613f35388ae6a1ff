//go:build soak

package store

import "testing"

// TestVirtualDay is 24 hours at 60 Hz with the memory of a few minutes: go test -tags soak -run
// TestVirtualDay -timeout 2h -v ./model
func TestVirtualDay(t *testing.T) { newDay().live(t, 256<<20, 24*60*60*60, 0) }
