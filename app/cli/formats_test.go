package cli

import (
	"slices"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
)

// TestWhatIsLive: each command by which a format is said to be shown live is there, and each that shows
// programs as they run is some format's.
func TestWhatIsLive(t *testing.T) {
	reg, err := load.Sources{}.Registry()
	if err != nil {
		t.Fatal(err)
	}
	root := rootCommand(&streams{&Streams{}})
	var said []string
	for _, src := range reg {
		words := strings.Fields(src.About().Live)
		if len(words) == 0 {
			continue
		}
		said = append(said, src.About().Live)
		cmd, _, err := root.Find(words)
		if err != nil || cmd == root {
			t.Errorf("%s: there is no command %q", src.Name(), words)
		} else if len(words) > 1 && !slices.Contains(cmd.ValidArgs, words[1]) {
			t.Errorf("%s: %s takes %q, not %q", src.Name(), words[0], cmd.ValidArgs, words[1])
		}
	}
	want := []string{"gst", "listen pstats", "listen profilelib"}
	for _, s := range launch.Servers() {
		want = append(want, "connect "+s.Kind)
	}
	slices.Sort(said)
	slices.Sort(want)
	if !slices.Equal(said, want) {
		t.Errorf("formats are said to be live by %q, and programs are shown by %q", said, want)
	}
}

// TestHelpHasAllFormats: the help of open lists what the registry has.
func TestHelpHasAllFormats(t *testing.T) {
	reg, err := load.Sources{}.Registry()
	if err != nil {
		t.Fatal(err)
	}
	help := openCommand(&streams{&Streams{}}).Long
	for _, src := range reg {
		if !strings.Contains(help, "\n  "+src.Name()+" ") {
			t.Errorf("open --help does not name the %s", src.Name())
		}
	}
	for line := range strings.Lines(help) {
		if len(line) > 106 {
			t.Errorf("a long line: %s", line)
		}
	}
}
