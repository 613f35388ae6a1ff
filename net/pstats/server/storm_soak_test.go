//go:build soak

package server

import (
	"testing"
	"time"
)

// Ten thousand damaged sessions in a minute cost a good game at 60 Hz nothing, and the server
// little:
//
//	go test -tags soak -run TestStormOfAMinute -v ./net/pstats
func TestStormOfAMinute(t *testing.T) {
	stormTrial{sessions: 10_000, parallel: 24, each: 120 * time.Millisecond, tick: time.Second / 60}.run(t)
}
