package flare_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
)

// unread are files beside recordings that no test compares with, with the reason.
var unread = map[string]string{}

// Whatever lies beside a recording of Flare is read by a test: one that names it.
func TestEveryOracleIsRead(t *testing.T) {
	root, quoted := recordings.Root(t), regexp.MustCompile(`"[^"\n]+"`)
	named := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, "_test.go") || filepath.Dir(file) == filepath.Join(root, "net", "flare", "flaretest") {
			return err
		}
		text, err := os.ReadFile(file)
		for _, q := range quoted.FindAllString(string(text), -1) {
			named[strings.Trim(q, `"`)] = true
		}
		return err
	})
	testkit.OK(t, err)
	captures, n := flaretest.Captures(t), 0
	err = filepath.WalkDir(captures, func(file string, d fs.DirEntry, err error) error {
		of, base := path.Base(filepath.ToSlash(filepath.Dir(file))), filepath.Base(file)
		if err != nil || d.IsDir() || strings.HasPrefix(of, "127") || base == "README.md" {
			return err // the recording itself
		}
		n++
		read := named[base]
		for name := range named {
			is, _ := path.Match(name, of+"/"+base)
			read = read || is
		}
		why := unread[of+"/"+base]
		testkit.That(t, read != (why != ""), "%s/%s: read by a test: %t; the reason why not: %q", of, base, read, why)
		return nil
	})
	testkit.OK(t, err)
	testkit.That(t, n >= 9, "only %d files lie beside recordings", n)
}
