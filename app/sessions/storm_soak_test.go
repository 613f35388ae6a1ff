//go:build soak

package sessions

import (
	"testing"
	"time"

	"framescope/app/memory"
)

// Ten thousand damaged sessions in a minute beside a good game, with the figures:
//
//	go test -tags soak -run TestStormFull -v ./app/sessions
//
// The machine must do nothing else: by the clock, ticks are only as short as the rest lets them be.
func TestStormFull(t *testing.T) {
	s := stormTrial{sessions: 10_000, each: 48 * time.Millisecond, rate: 60, limit: 256 << 20, atMost: 10 * time.Minute}
	s.run(t)
	s.log(t)
	if s.busiest > 50*time.Millisecond {
		t.Errorf("a tick took %v of the processor", s.busiest)
	}
	if s.slow > 0 {
		t.Errorf("%d ticks took more than 50 ms, the worst %v", s.slow, s.worst)
	}
	if s.received != 2*int(s.sent) {
		t.Errorf("of the good game %d frames of %d were received", s.received, 2*s.sent)
	}
	if s.files > 200 {
		t.Errorf("%d descriptors", s.files)
	}
	if s.resident > s.limit+s.limit/memory.Slack {
		t.Errorf("%d MiB resident, %d MiB and a fifth are allowed", s.resident>>20, s.limit>>20)
	}
}
