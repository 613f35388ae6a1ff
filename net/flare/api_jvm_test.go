//go:build linux || darwin

package flare

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
)

// A real JVM is listed, gives its own words about a library that is none, which leaves no session, and loads an agent.
func TestRealJVM(t *testing.T) {
	pid := flaretest.StartJVM(t)
	t.Run("attach", func(t *testing.T) { attachNothing(t, pid) })
	t.Run("load", func(t *testing.T) { loadAgent(t, pid) })
}

func attachNothing(t *testing.T, pid int) {
	vms, err := ListVMs()
	testkit.That(t, err == nil && slices.ContainsFunc(vms, func(v VM) bool { return v.PID == pid && v.Name != "" }),
		"%d is not among %v, %v", pid, vms, err)
	library := libraryFile(t, "libnothing.so")
	p := dial(t, start(t, ServerOptions{Samples: t.TempDir(), Library: library}))
	for range 2 { // the first opens the listener, the second finds it open
		m := p.refused(fmt.Sprintf(`{"cmd":"attach_jvm","options":{"target_pid":%d,"sample_interval_ms":20,"sample_duration_sec":1}}`, pid))
		testkit.That(t, strings.Contains(m, "libnothing.so"), "%q", m)
	}
	testkit.Equal(t, len(p.must(`{"cmd":"list_sessions"}`)["sample_sessions"].([]any)), 0, "sessions")
	m := p.refused(fmt.Sprintf(`{"cmd":"attach_jvm","options":{"target_pid":%d,"sample_interval_ms":20,"sample_duration_sec":1}}`, os.Getpid()))
	testkit.That(t, strings.Contains(m, "not a Java VM"), "this program: %q", m)
}

// TestAttachRealAgent attaches the agent that FRAMESCOPE_FLARE_AGENT names to a real JVM, looks at
// what it samples, and stops it.
func TestAttachRealAgent(t *testing.T) {
	library := os.Getenv("FRAMESCOPE_FLARE_AGENT")
	if library == "" {
		t.Skip("FRAMESCOPE_FLARE_AGENT names no agent library")
	}
	p := dial(t, start(t, ServerOptions{Samples: t.TempDir(), Library: library}))
	d := p.must(fmt.Sprintf(`{"cmd":"attach_jvm","options":{"target_pid":%d,"sample_interval_ms":20,"sample_duration_sec":0}}`, flaretest.StartJVM(t)))
	id := fmt.Sprint(d["session_id"])
	for n := 0; n == 0; {
		n = len(p.must(fmt.Sprintf(`{"cmd":"dashboard","options":{"session_id":%q}}`, id))["threads"].([]any))
	}
	p.must(fmt.Sprintf(`{"cmd":"stop_sample","options":{"session_id":%q}}`, id))
}
