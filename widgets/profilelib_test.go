package widgets

import (
	"os"
	"strings"
	"testing"
)

// What the card of profile_lib copies are the lines of docs/sources/profile-lib.md, which are compiled by a test.
func TestProfileLibLinesAreThoseOfTheReadme(t *testing.T) {
	text, err := os.ReadFile("../docs/sources/profile-lib.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.ReplaceAll(string(text), "\r", ""), "```c\n"+profileLibCode+"```") {
		t.Error("docs/sources/profile-lib.md has other lines")
	}
	for _, w := range waysTo("localhost", "5185") {
		for _, s := range w.steps {
			if s.copied() == "" || strings.Contains(s.copied(), "…") {
				t.Errorf("%s, %s: copies %q", w.name, s.says, s.copied())
			}
		}
	}
}
