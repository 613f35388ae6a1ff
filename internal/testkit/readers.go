// Package testkit holds helpers for the tests of several packages: assertions, waiting for conditions, programs
// that read exports, and the flag that updates expected files.
package testkit

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Program returns the path of a program other than Go's that a test drives: a compiler of C, a browser, another
// viewer. It skips the test where there is none, and without -tags integration, so that `go test` does the same on
// every machine. The gate finds such tests by their names, which begin with TestReal.
func Program(t testing.TB, name string) string {
	t.Helper()
	with(t)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("there is no " + name)
	}
	return path
}

func with(t testing.TB) {
	t.Helper()
	MustThat(t, strings.HasPrefix(t.Name(), "TestReal"),
		"the gate drives other programs in tests that are named TestReal…")
	if !Integration {
		t.Skip("drives another program: -tags integration")
	}
}

// readerPatience is how long a reader may take to come from its registry.
const readerPatience = time.Minute

// kept returns where readers stay that were fetched, so that only the first test fetches them; .ci/run uses it too.
func kept(t testing.TB) string {
	return filepath.Join(Must(os.UserCacheDir())(t), "framescope-ci", "readers")
}

// Python returns a Python with a module of a package of PyPI: the one that FRAMESCOPE_READERS_PYTHON
// names, python3, or one that is kept. It skips the test if there is none.
func Python(t testing.TB, pkg, module string) string {
	t.Helper()
	with(t)
	dir := kept(t)
	own := filepath.Join(dir, "bin", "python")
	for _, python := range []string{os.Getenv("FRAMESCOPE_READERS_PYTHON"), "python3", own} {
		if python != "" && exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	if testing.Short() {
		t.Skip(pkg + " would have to be fetched from PyPI")
	}
	ctx, cancel := context.WithTimeout(t.Context(), readerPatience)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "python3", "-m", "venv", dir).CombinedOutput(); err != nil {
		t.Skipf("no venv: %v: %s", err, out)
	}
	if out, err := exec.CommandContext(ctx, own, "-m", "pip", "install", "-q", "--no-input",
		pkg).CombinedOutput(); err != nil {
		t.Skipf("%s can't be had from PyPI: %v: %s", pkg, err, out)
	}
	return own
}

// Speedscope returns the folder of npm's package speedscope: the one that FRAMESCOPE_SPEEDSCOPE names,
// or one that is kept. It skips the test where speedscope or node is missing.
func Speedscope(t testing.TB) string {
	t.Helper()
	Program(t, "node")
	if dir := os.Getenv("FRAMESCOPE_SPEEDSCOPE"); dir != "" {
		return dir
	}
	dir := kept(t)
	own := filepath.Join(dir, "node_modules", "speedscope")
	if _, err := os.Stat(filepath.Join(own, "package.json")); err == nil {
		return own
	}
	if testing.Short() {
		t.Skip("speedscope would have to be fetched from npm")
	}
	ctx, cancel := context.WithTimeout(t.Context(), readerPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", dir,
		"speedscope@1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("speedscope can't be had from npm: %v: %s", err, out)
	}
	return own
}
