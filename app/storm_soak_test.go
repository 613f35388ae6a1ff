//go:build soak

package app

import (
	"testing"
	"time"

	"framescope/app/memory"
)

// Ten thousand damaged sessions in a minute beside a good game, with the figures:
//
//	go test -tags soak -run TestStormFull -v ./app
//
// Times are those of a machine that does nothing else.
func TestStormFull(t *testing.T) {
	s := stormTrial{sessions: 10_000, each: 48 * time.Millisecond, rate: 60, limit: 256 << 20, atMost: 10 * time.Minute}
	s.run(t)
	s.log(t)
	if s.slow > 0 {
		t.Errorf("%d ticks of more than 50 ms", s.slow)
	}
	if s.files > 200 {
		t.Errorf("%d descriptors", s.files)
	}
	if s.resident > s.limit+s.limit/memory.Slack {
		t.Errorf("%d MiB resident, %d MiB and a fifth are allowed", s.resident>>20, s.limit>>20)
	}
}
