package flaretest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
)

// StartJVM starts a Java VM that sleeps until the test ends, and returns its process number. The
// test is skipped where there is no JDK of 11 or later.
func StartJVM(t testing.TB) int {
	t.Helper()
	java := testkit.Program(t, "java")
	source := filepath.Join(t.TempDir(), "Sleeper.java")
	if err := os.WriteFile(source,
		[]byte(`public class Sleeper { public static void main(String[] a) throws Exception { System.out.println("up"); Thread.sleep(120000); } }`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(java, "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", source)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	buf := make([]byte, 2)
	if _, err := out.Read(buf); err != nil || string(buf) != "up" {
		t.Skip("Java can't run a source file here: a JDK of 11 or later is needed")
	}
	return cmd.Process.Pid
}
