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
	"framescope/net/flare"
	"framescope/net/flare/flaretest"
)

// agentSource is the smallest library that behaves as a Flare agent does: with trace=on it listens
// where it is told to and sends who connects what a real agent sent once; trace=off ends that.
const agentSource = `#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener = -1, client = -1;

static void *serve(void *unused) {
	int c;
	while ((c = accept(listener, 0, 0)) >= 0) {
		char buf[64];
		if (client >= 0) shutdown(client, SHUT_RDWR);
		client = c;
		if (read(c, buf, sizeof buf) <= 0) continue;
		FILE *f = fopen(getenv("FAKE_FLARE_STREAM"), "rb");
		static char data[1 << 16];
		size_t n;
		while (f && (n = fread(data, 1, sizeof data, f)) > 0)
			for (size_t at = 0; at < n;) {
				ssize_t k = send(c, data + at, n - at, MSG_NOSIGNAL);
				if (k <= 0) break;
				at += k;
			}
		if (f) fclose(f);
	}
	return 0;
}

int Agent_OnAttach(void *vm, char *options, void *reserved) {
	if (strcmp(options, "trace=off") == 0) {
		shutdown(listener, SHUT_RDWR);
		close(listener);
		listener = -1;
		if (client >= 0) shutdown(client, SHUT_RDWR);
		return 0;
	}
	char *at = strstr(options, "address=127.0.0.1:");
	if (strncmp(options, "trace=on,interval=20,", 21) != 0 || !at || listener >= 0) return 7;
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(at + 18)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&a, sizeof a) || listen(listener, 4)) return 8;
	pthread_t t;
	return pthread_create(&t, 0, serve, 0);
}
`

// TestAttachToRealJVM attaches a library to a real Java VM by the command line, records, and stops
// it, twice.
func TestAttachToRealJVM(t *testing.T) {
	t.Parallel() // it mostly waits
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("there is no Java on this machine")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler to build an agent with")
	}
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	library := filepath.Join(dir, "libflareagent.so")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-pthread", "-o", library, put("agent.c", agentSource)).CombinedOutput(); err != nil {
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
