package app

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/scratch"
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
		if err != nil {
			return err
		}
		if d.IsDir() {
			return g.openDroppedFolder(files, name)
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

// openDroppedFolder opens a folder that is a recording as a whole; of others the files are looked at one by one.
func (g *Game) openDroppedFolder(files fs.FS, name string) error {
	if name == "." {
		return nil // what was dropped, all of it
	}
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	on, ok := f.(interface{ Name() string })
	if !ok {
		return nil
	}
	if st, err := os.Stat(on.Name()); err != nil || !st.IsDir() {
		return nil
	}
	if _, err := g.sources.registry.Recognise(on.Name()); err != nil {
		return nil
	}
	g.openFile(on.Name())
	return fs.SkipDir
}

// openCopy opens a file that has no name on disk by way of a temporary one.
func (g *Game) openCopy(f io.Reader, name string) error {
	dir, err := scratch.Dir()
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
