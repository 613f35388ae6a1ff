//go:build linux || darwin

package flare

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

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
	if err := LoadAgent(t.Context(), pid, library, AttachOptions{IntervalMs: 20, Address: "127.0.0.1:3333"}.String()); err != nil {
		t.Error(err)
	}
	var refused *RefusedError
	if err := LoadAgent(t.Context(), pid, library, AttachOptions{Stop: true}.String()); !errors.As(err, &refused) || refused.Status != 7 {
		t.Errorf("an agent that returns 7 gives %v", err)
	}
}

func TestWhatIsWrong(t *testing.T) {
	err := LoadAgent(t.Context(), 1<<22-1, "/lib.so", "")
	testkit.That(t, errors.Is(err, ErrNoProcess), "no process: %v", err)
	// This very program handles SIGQUIT by dying, so it must not get one.
	err = LoadAgent(t.Context(), os.Getpid(), "/lib.so", "")
	testkit.That(t, errors.Is(err, ErrNotJVM), "not a Java VM: %v", err)
	if os.Getuid() != 0 {
		err := LoadAgent(t.Context(), 1, "/lib.so", "")
		testkit.That(t, errors.Is(err, ErrOtherUser), "another user's: %v", err)
	}
	err = LoadAgent(t.Context(), 1, "/li\x00b.so", "")
	testkit.That(t, err != nil, "a zero byte in the name")
}

func TestAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		"0\nreturn code: 0\n":       "",
		"0\n0\n":                    "",
		"0\n":                       "",
		"0\nreturn code: 100\n":     "status 100",
		"0\n-1\n":                   "status -1",
		"-1\nx.so was not loaded\n": "not loaded",
		"101\n":                     "status 101",
		"garbage":                   "garbage",
		"\xff\xfe":                  "refused",
	} {
		err := loaded([]byte(answer))
		testkit.That(t, (err == nil) == (want == "") && (err == nil || strings.Contains(err.Error(), want)),
			"%q: %v", answer, err)
	}
}

func TestTalk(t *testing.T) {
	ours, theirs := net.Pipe()
	got := make(chan string, 1)
	go func() {
		buf := make([]byte, 100)
		n, _ := theirs.Read(buf)
		got <- string(buf[:n])
		theirs.Write([]byte("0\nreturn code: 0\n"))
		theirs.Close()
	}()
	answer, err := talk(t.Context(), ours, "load", "/a.so", "true", "trace=on")
	testkit.That(t, err == nil && loaded(answer) == nil, "%v %v", err, string(answer))
	testkit.Equal(t, <-got, "1\x00load\x00/a.so\x00true\x00trace=on\x00", "sent")
	// A listener that never answers ends with the context.
	ours, theirs = net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		buf := make([]byte, 100)
		theirs.Read(buf)
		cancel()
	}()
	if _, err := talk(ctx, ours, "load"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestMainOf(t *testing.T) {
	for line, want := range map[string]string{
		"java -Xmx1g -cp a.jar:b.jar com.acme.Main x": "com.acme.Main",
		"java -Dx=y -jar /opt/app.jar --port 1":       "app.jar",
		"java -m mod/pkg.Main":                        "pkg.Main",
		"java":                                        "",
	} {
		testkit.Equal(t, mainOf(strings.Fields(line)), want, "%s", line)
	}
}
