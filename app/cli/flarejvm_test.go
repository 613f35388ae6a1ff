//go:build linux

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

// TestRealAttachedJVM attaches a library to a real Java VM by the command line, records, and stops
// it, twice.
func TestRealAttachedJVM(t *testing.T) {
	t.Parallel() // it mostly waits
	java, cc := testkit.Program(t, "java"), testkit.Program(t, "cc")
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	library := filepath.Join(dir, "libflareagent.so")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-pthread", "-o", library, "testdata/agent.c").CombinedOutput(); err != nil {
		t.Skipf("the agent can't be built here: %s", out)
	}
	vm := exec.Command(java, "-Xmx64m", put("Sleeper.java", `public class Sleeper { public static void main(String[] a) throws Exception { System.out.println("up"); Thread.sleep(120000); } }`))
	vm.Env = append(os.Environ(), "FAKE_FLARE_STREAM="+filepath.Join(flaretest.Captures(t), "agent-wire", "recorded-60s.agent-to-client.resp"))
	out := testkit.Must(vm.StdoutPipe())(t)
	testkit.OK(t, vm.Start())
	t.Cleanup(func() { vm.Process.Kill(); vm.Wait() })
	if up := make([]byte, 2); true {
		if _, err := out.Read(up); err != nil || string(up) != "up" {
			t.Skip("Java can't run a source file here: a JDK of 11 or later is needed")
		}
	}
	pid := strconv.Itoa(vm.Process.Pid)
	list, _ := executed(t, exitOK, "attach")
	testkit.That(t, regexp.MustCompile(`(?m)^`+pid+` +.*Sleeper.*$`).MatchString(list) &&
		strings.Contains(list, "framescope attach "), "%s is not among\n%s", pid, list)
	into := filepath.Join(dir, "samples")
	for i := range 2 { // the second finds an agent that was stopped
		printed, said := executed(t, exitOK, "attach", pid, "--agent", library, "--interval", "20", "--duration", "0.6", "--record", into, "--report")
		for _, want := range []string{"listens on 127.0.0.1:", "connected to the agent", "Recording to " + into, "600ms are over", "was stopped"} {
			testkit.That(t, strings.Contains(said, want), "attach %d: no %q in\n%s", i, want, said)
		}
		testkit.That(t, regexp.MustCompile(`(?m)^Thread .*, [0-9]{3,} samples, CPU time `).MatchString(printed),
			"attach %d prints\n%s", i, printed)
	}
	dirs, err := filepath.Glob(filepath.Join(into, "*", flare.SummaryFile))
	testkit.MustThat(t, err == nil && len(dirs) != 0, "nothing was recorded")
	rec, err := flare.ReadFolder(context.Background(), filepath.Dir(dirs[0]), nil)
	testkit.That(t, err == nil && rec.NumRecords() == 2630, "recorded %d samples, %v", rec.NumRecords(), err)
	// What the JVM refuses is told in its own words, with what to look at.
	_, said := executed(t, exitError, "attach", pid, "--agent", put("no-library.so", "text"), "--report")
	testkit.That(t, strings.Contains(said, "refused to load") && strings.Contains(said, "built for"), "%s", said)
	_, said = executed(t, exitError, "attach", fmt.Sprint(1<<22-1), "--agent", library, "--report")
	testkit.That(t, strings.Contains(said, "no such process") && strings.Contains(said, "lists the JVMs"), "%s", said)
}
