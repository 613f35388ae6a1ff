//go:build linux || darwin

package api

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

// A real JVM is listed, gives its own words about a library that is none, which leaves no session, and loads an agent.
func TestRealJVM(t *testing.T) {
	pid := flaretest.StartJVM(t)
	t.Run("attach", func(t *testing.T) { attachNothing(t, pid) })
	t.Run("load", func(t *testing.T) { loadAgent(t, pid) })
}

func attachNothing(t *testing.T, pid int) {
	vms, err := flare.ListVMs()
	testkit.That(t, err == nil && slices.ContainsFunc(vms, func(v flare.VM) bool { return v.PID == pid && v.Name != "" }),
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

// loadAgent builds the smallest agent there can be, which accepts one list of options only.
func loadAgent(t *testing.T, pid int) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler to build an agent with")
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "agent.c"), filepath.Join(dir, "libagent.so")
	code := `#include <string.h>
int Agent_OnAttach(void *vm, char *options, void *reserved) { return strcmp(options, "trace=on,interval=20,address=127.0.0.1:3333") == 0 ? 0 : 7; }`
	testkit.OK(t, os.WriteFile(source, []byte(code), 0o600))
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Skipf("the agent can't be built: %s", out)
	}
	testkit.NoErr(t, flare.LoadAgent(t.Context(), pid, library, flare.AttachOptions{IntervalMs: 20, Address: "127.0.0.1:3333"}.String()))
	var refused *flare.RefusedError
	if err := flare.LoadAgent(t.Context(), pid, library, flare.AttachOptions{Stop: true}.String()); !errors.As(err, &refused) || refused.Status != 7 {
		t.Errorf("an agent that returns 7 gives %v", err)
	}
}
