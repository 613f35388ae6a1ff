package aside

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
)

// What was being written aside goes with the folder of a program that was killed, and nothing else that a
// note names.
func TestNotes(t *testing.T) {
	temp, dir := tempDir(t), t.TempDir()
	make := func(name string) string {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, os.WriteFile(path, nil, 0o600))
		return path
	}
	part, other, done := make("x.json.123.part"), make("x.json"), make("y.json.45.part")
	Note(part)
	Note(other)
	Note(done)()
	if len(names(t, temp)) != 1 {
		t.Fatalf("%v", names(t, temp))
	}
	Sweep() // this program runs
	if len(names(t, dir)) != 3 {
		t.Errorf("%v while the program runs", names(t, dir))
	}
	own.lock.Close() // as if it were killed
	own.dir, own.lock = "", nil
	Sweep()
	got := names(t, dir)
	testkit.That(t, len(got) == 2 && got[0] == "x.json" && got[1] == "y.json.45.part", "%v are left", got)
	if len(names(t, temp)) != 0 {
		t.Errorf("%v", names(t, temp))
	}
}
