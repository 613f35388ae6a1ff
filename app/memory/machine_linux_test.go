package memory

import (
	"testing"
	"testing/fstest"

	"framescope/internal/testkit"
)

// The least of what the machine has, and of what the groups around the process may take, counts.
func TestMachineOf(t *testing.T) {
	const machine = "MemTotal:       16000000 kB\nMemFree:         1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing is known": {nil, 0},
		"no group":         {map[string]string{"proc/meminfo": machine}, 16000000 << 10},
		"version 2": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max": "7000000000\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
		}, 7000000000},
		"version 1": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "5:cpu:/a\n4:memory:/a/b\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "6000000000",
		}, 6000000000},
		"a path of outside": {map[string]string{
			"proc/meminfo": machine, "proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/memory.max": "5000000000\n",
		}, 5000000000},
		"nonsense": {map[string]string{"proc/meminfo": "MemTotal:\nMemTotal: x kB\n", "proc/self/cgroup": "::\n:\n\n1"}, 0},
	} {
		fsys := fstest.MapFS{}
		for path, text := range c.files {
			fsys[path] = &fstest.MapFile{Data: []byte(text)}
		}
		testkit.Equal(t, machineOf(fsys), c.want, "%s", name)
	}
	whole := Whole()
	testkit.That(t, whole >= 64*mib && whole <= 1<<50, "a recording may take %d bytes of this machine", whole)
}

func TestParseStatm(t *testing.T) {
	for text, want := range map[string]int64{"2110 1000 500 10 0 300 0\n": 1000 * 4096, "2110": 0, "": 0, "a b c": 0} {
		testkit.Equal(t, parseStatm([]byte(text), 4096), want, "%q", text)
	}
}
