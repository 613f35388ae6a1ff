// Package build makes the folder of the page: the viewer compiled for browsers, and what loads it. It runs the go
// command in the module.
package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"framescope/app/web"
	"framescope/internal/aside"
)

// Pack writes the code once more, as servers send it: FILE.br.
func Pack(dir string) error {
	code, err := os.ReadFile(filepath.Join(dir, web.Code))
	if err != nil {
		return err
	}
	return aside.Write(filepath.Join(dir, web.Code+".br"), func(out io.Writer) error {
		w := brotli.NewWriterOptions(out, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
		if _, err := w.Write(code); err != nil {
			return err
		}
		return w.Close()
	})
}

// Page writes the page into a folder. The working folder is in the module.
func Page(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := compile(ctx, filepath.Join(dir, web.Code)); err != nil {
		return err
	}
	root, err := run(ctx, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "wasm_exec.js"), loader, 0o644); err != nil {
		return err
	}
	page, err := fs.Sub(web.Page, "page")
	if err != nil {
		return err
	}
	return fs.WalkDir(page, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
}

// inlined are the packages that decode and store: in all others calls are not inlined, which makes the code smaller
// by a sixth, and no work slower that grows with a recording.
var inlined = []string{"framescope/net/pstats/decode", "framescope/model/spans", "framescope/model/columns",
	"framescope/model/frames"}

// compile compiles the viewer for browsers. The tag page leaves out what it cannot use.
func compile(ctx context.Context, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	dir, err := aside.Dir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mod, err := withoutFaces(ctx, dir)
	if err != nil {
		return err
	}
	args := []string{"build", "-modfile=" + mod, "-tags=page", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", to}
	for _, p := range inlined {
		args = append(args, "-gcflags="+p+"=")
	}
	_, err = run(ctx, []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS="},
		append(args, "framescope/app/web/viewer")...)
	return err
}

// bitmaps is the module of the font for letters that no other font has. It comes in six variants, of which one is used.
const bitmaps, face = "github.com/hajimehoshi/bitmapfont/v4", "face_ja.bin"

// withoutFaces writes a go.mod file into a folder in which the unused variants of the bitmap font are empty.
func withoutFaces(ctx context.Context, dir string) (mod string, err error) {
	said, err := run(ctx, nil, "list", "-m", "-f", "{{.Dir}}", bitmaps)
	if err != nil {
		return "", err
	}
	from := strings.TrimSpace(said)
	font := filepath.Join(dir, "font")
	if err := copyFont(from, font); err != nil {
		return "", err
	}
	if said, err = run(ctx, nil, "env", "GOMOD"); err != nil {
		return "", err
	}
	module := strings.TrimSpace(said)
	mod = filepath.Join(dir, "web.mod")
	if err := aside.Copy(module, mod); err != nil {
		return "", err
	}
	if err := aside.Copy(strings.TrimSuffix(module, "mod")+"sum", filepath.Join(dir, "web.sum")); err != nil {
		return "", err
	}
	_, err = run(ctx, nil, "mod", "edit", "-replace", bitmaps+"="+font, mod)
	return mod, err
}

func copyFont(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case filepath.Ext(name) == ".bin" && d.Name() != face:
			return os.WriteFile(target, nil, 0o644)
		}
		return aside.Copy(path, target)
	})
}

// run runs the go command.
func run(ctx context.Context, env []string, args ...string) (said string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, failed.Stderr)
	}
	return string(out), err
}
