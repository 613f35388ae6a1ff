package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// foreignGame is a program of another module that uses both packages for games.
const foreignGame = `package main

import (
	"context"

	"framescope/net/profilelib/client"
	pstats "framescope/net/pstats/client"
)

func main() {
	c := pstats.New(pstats.Options{})
	defer c.Close()
	c.Connect(context.Background())
	c.MainThread().EndFrame()
	if p, err := client.New(make([]client.Slot, 16), client.Options{}); err == nil {
		p.Close()
	}
}
`

// TestClientsInAnotherModule builds a game that is not in this module, without a network and without the modules
// that the viewer needs.
func TestClientsInAnotherModule(t *testing.T) {
	dir := t.TempDir()
	root := testkit.Must(filepath.Abs("../.."))(t)
	module := "module game\n\ngo 1.26.0\n\nrequire framescope v0.0.0\n\nreplace framescope => " + root + "\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o644))
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(foreignGame), 0o644))
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOMODCACHE="+t.TempDir(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		testkit.MustThat(t, err == nil, "go %v: %v\n%s", args, err, out)
		return string(out)
	}
	run("build", "-o", os.DevNull, ".")
	needed := strings.Fields(run("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "."))
	slices.Sort(needed)
	want := []string{"framescope/model", "framescope/net/profilelib/client", "framescope/net/pstats", "framescope/net/pstats/client", "game"}
	testkit.EqualSlices(t, needed, want, "packages that are not of the standard library")
}
