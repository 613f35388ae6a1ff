//go:build integration

package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/pe"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/internal/testkit"
)

const top = "../.."

// What packages hold is there, the same each time.
func TestRealPackages(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	testkit.NoErr(t, write(a))
	testkit.NoErr(t, write(b))
	files := testkit.Must(filepath.Glob(filepath.Join(a, "*", "*")))(t)
	testkit.That(t, len(files) > 20, "%d files", len(files))
	for _, path := range files {
		name, _ := filepath.Rel(a, path)
		one, other := testkit.Must(os.ReadFile(path))(t), testkit.Must(os.ReadFile(filepath.Join(b, name)))(t)
		testkit.That(t, len(one) > 0 && string(one) == string(other), "%s differs from run to run", name)
	}
	config := string(testkit.Must(os.ReadFile(filepath.Join(top, ".goreleaser.yaml")))(t))
	sources := regexp.MustCompile(`src: ([^,}]+)`).FindAllStringSubmatch(config, -1)
	testkit.That(t, len(sources) > 5, "%d files in packages", len(sources))
	for _, m := range sources {
		path := filepath.Join(top, m[1])
		if in, made := strings.CutPrefix(m[1], "dist-files"); made {
			path = filepath.Join(a, in)
		}
		_, err := os.Stat(path)
		testkit.NoErr(t, err)
	}
}

// Each ending that the desktop entry claims is one of a format.
func TestRealTypes(t *testing.T) {
	var ends []string
	for _, src := range testkit.Must(load.Sources{}.Registry())(t) {
		ends = append(ends, src.About().Ends...)
	}
	mime := string(testkit.Must(os.ReadFile(filepath.Join(top, "assets/package/framescope-mime.xml")))(t))
	desktop := string(testkit.Must(os.ReadFile(filepath.Join(top, "assets/package/framescope.desktop")))(t))
	for _, m := range regexp.MustCompile(`glob pattern="\*([^"]+)"`).FindAllStringSubmatch(mime, -1) {
		testkit.That(t, slices.Contains(ends, m[1]), "no format ends in %s", m[1])
	}
	for _, m := range regexp.MustCompile(`mime-type type="([^"]+)"`).FindAllStringSubmatch(mime, -1) {
		testkit.That(t, strings.Contains(desktop, m[1]+";"), "the program does not say that it opens %s", m[1])
	}
}

// TestRealResources: the object for the linker has the icon in its sizes and the manifest, the same each time.
func TestRealResources(t *testing.T) {
	var files [2][]byte
	for i := range files {
		path := filepath.Join(t.TempDir(), "resources.syso")
		testkit.OK(t, writeResources(path, "1.2.3"))
		files[i] = testkit.Must(os.ReadFile(path))(t)
	}
	testkit.That(t, bytes.Equal(files[0], files[1]), "they differ from run to run")
	object := testkit.Must(pe.NewFile(bytes.NewReader(files[0])))(t)
	data := testkit.Must(object.Section(".rsrc").Data())(t)
	testkit.Equal(t, bytes.Count(data, []byte("\x89PNG\r\n")), 4, "pictures of the icon")
	testkit.That(t, bytes.Contains(data, []byte("PerMonitorV2")) && bytes.Contains(data, []byte("1\x00.\x002\x00.\x003\x00")),
		"no manifest, or no version")
}

// TestRealBuilds builds the program without a window in two folders: the files are the same byte for byte, and no
// window system is in them.
func TestRealBuilds(t *testing.T) {
	if !testkit.Long {
		t.Skip("it builds the program twice: FRAMESCOPE_LONG=1")
	}
	var files [2][]byte
	for i := range files {
		dir := t.TempDir()
		script := "git archive HEAD | (mkdir $0/source && cd $0/source && tar -x && go build -trimpath -tags=headless -ldflags='-s -w' -o $0/program)"
		cmd := exec.Command("sh", "-c", script, dir)
		// With a common cache the second build would be the first one.
		cmd.Dir, cmd.Env = top, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOCACHE="+filepath.Join(dir, "cache"))
		out, err := cmd.CombinedOutput()
		testkit.MustThat(t, err == nil, "%v\n%s", err, out)
		files[i] = testkit.Must(os.ReadFile(filepath.Join(dir, "program")))(t)
	}
	testkit.That(t, bytes.Equal(files[0], files[1]), "two builds differ")
	info := testkit.Must(buildinfo.Read(bytes.NewReader(files[0])))(t)
	for _, m := range info.Deps {
		testkit.That(t, !strings.Contains(m.Path, "ebiten"), "%s is in the program", m.Path)
	}
}
