// Package examples holds the examples of CONTRIBUTING.md.
package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The code in CONTRIBUTING.md is that of the examples, which are compiled and tested.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)<!-- (\\S+) -->\n```go\n(.*?)\n```\n").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d examples in CONTRIBUTING.md, want 3", len(blocks))
	}
	for _, b := range blocks {
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(b[1])))
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut("\n"+strings.ReplaceAll(string(code), "\r\n", "\n"), "\npackage ")
		if strings.TrimSpace("package "+body) != strings.TrimSpace(b[2]) {
			t.Errorf("%s is not what stands in CONTRIBUTING.md", b[1])
		}
	}
}
