//go:build soak

package sessions

import (
	"testing"
	"time"

	"framescope/app/memory"
	"framescope/internal/testkit"
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
	testkit.That(t, s.busiest <= 50*time.Millisecond, "a tick took %v of the processor", s.busiest)
	testkit.That(t, s.slow <= 0, "%d ticks took more than 50 ms, the worst %v", s.slow, s.worst)
	testkit.That(t, s.received == 2*int(s.sent), "of the good game %d frames of %d were received", s.received, 2*s.sent)
	testkit.That(t, s.files <= 200, "%d descriptors", s.files)
	testkit.That(t, s.resident <= s.limit+s.limit/memory.Slack,
		"%d MiB resident, %d MiB and a fifth are allowed", s.resident>>20, s.limit>>20)
}
