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
// By the clock, ticks are only as short as the rest of the machine lets them be; the processor's
// time is what is judged.
func TestStormFull(t *testing.T) {
	s := stormTrial{sessions: 10_000, each: 48 * time.Millisecond, rate: 60, limit: 256 << 20, atMost: 10 * time.Minute}
	s.run(t)
	s.log(t)
	if s.busiest > 50*time.Millisecond {
		t.Errorf("a tick took %v of the processor", s.busiest)
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
