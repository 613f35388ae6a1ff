package memory

import (
	"testing"
	"testing/fstest"

	"framescope/internal/testkit"
)

// The least of what the machine has, and of what the groups around the process may take, counts.
func TestLimited(t *testing.T) {
	const machine = 16_000_000_000
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no group": {nil, machine},
		"version 2": {map[string]string{
			"proc/self/cgroup":           "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max": "7000000000\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
		}, 7000000000},
		"version 1": {map[string]string{
			"proc/self/cgroup":                           "5:cpu:/a\n4:memory:/a/b\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "6000000000",
		}, 6000000000},
		"a path of outside": {map[string]string{
			"proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/memory.max": "5000000000\n",
		}, 5000000000},
		"nonsense": {map[string]string{"proc/self/cgroup": "::\n:\n\n1"}, machine},
	} {
		fsys := fstest.MapFS{}
		for path, text := range c.files {
			fsys[path] = &fstest.MapFile{Data: []byte(text)}
		}
		testkit.Equal(t, limited(fsys, machine), c.want, "%s", name)
	}
	whole := Whole()
	testkit.That(t, whole >= 64*mib && whole <= 1<<50, "a recording may take %d bytes of this machine", whole)
}
