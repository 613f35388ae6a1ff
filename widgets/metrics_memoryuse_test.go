package widgets

import (
	"strings"
	"testing"
)

// The parts of the memory add up to all of it, and what is short says what the long one says.
func TestMemoryUseAddsUp(t *testing.T) {
	m := MemoryUse{
		Resident: 412 << 20, Limit: 512 << 20, Slack: 102 << 20, Program: 65 << 20, Waiting: 12 << 20,
		Live: 220 << 20, Ended: 81 << 20, LiveSessions: 2, EndedSessions: 1,
	}
	var sum int64
	for _, p := range m.parts() {
		sum += p.bytes
	}
	if sum != m.Resident {
		t.Errorf("the parts are %d MiB, all is %d MiB", sum>>20, m.Resident>>20)
	}
	if got := string(m.AppendShort(nil)); got != "RSS 412 MiB, at most 679 MiB" {
		t.Errorf("%q", got)
	}
	all := strings.Join(m.Lines(), "\n")
	for _, want := range []string{
		"2 live sessions\t220 MiB", "1 ended session\t81", "garbage, caches, buffers\t34", "nothing loaded\t65",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in:\n%s", want, all)
		}
	}
	if early := (MemoryUse{Limit: m.Limit, Slack: m.Slack}); early.Known() || !m.Known() {
		t.Error("a bound is told before it is known, or never")
	}
	if m.Over() {
		t.Error("412 of 679 MiB are over the limit")
	}
	if m.Resident = 700 << 20; !m.Over() {
		t.Error("700 of 679 MiB are not over the limit")
	}
	if got := string(m.AppendShort(nil)); got != "RSS 700 MiB, more than the 679 MiB allowed" {
		t.Errorf("%q", got)
	}
}
