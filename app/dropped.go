package app

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hajimehoshi/ebiten/v2"
)

// takeDroppedFiles opens what was dropped on the window.
func (g *Game) takeDroppedFiles() {
	if files := ebiten.DroppedFiles(); files != nil {
		g.openDropped(files)
	}
}

// openDropped opens all files of a file system, folders included.
func (g *Game) openDropped(files fs.FS) {
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		// On desktops the file is one on disk and can be read by its name, which also lets it be opened again.
		if on, ok := f.(interface{ Name() string }); ok {
			if _, err := os.Stat(on.Name()); err == nil {
				g.openFile(on.Name())
				return nil
			}
		}
		return g.openCopy(f, name)
	})
	if err != nil {
		g.warn(err)
	}
}

// openCopy opens a file that has no name on disk by way of a temporary one.
func (g *Game) openCopy(f io.Reader, name string) error {
	dir, err := os.MkdirTemp("", "framescope-*")
	if err != nil {
		return err
	}
	g.sources.temp = append(g.sources.temp, dir)
	path := filepath.Join(dir, filepath.Base(name))
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, f)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		g.open(path)
	}
	return err
}
