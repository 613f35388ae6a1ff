package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/aside"
)

// exportPanel writes the panel under the mouse, or the one pressed in last, to a file that the user
// names: the name's end says how. Of a table the rows are suggested, of all others the picture.
func (n *navigator) exportPanel() {
	env, p := n.ask.Env, n.ask.Desk.KeyPanel()
	if p == nil || env.View.Session() == nil {
		n.ask.Tell("Point at the panel that is to be exported")
		return
	}
	x, err := export(env, n.ask.Desk, p)
	if err != nil {
		n.ask.Warn(fmt.Errorf("%s: %w", p.Title(env), err))
		return
	}
	name := library.FileName(n.ss.Title()+" "+cmp.Or(p.Title(env), "panel"), time.Now(), x.suggested)
	n.ss.Save("Export the panel", name, x.extensions(), x.write)
}

// tableFormats are the ways in which rows are written, by the end of a file's name.
var tableFormats = [...]struct {
	extension string
	format    panel.Format
}{{".csv", panel.CSV}, {".tsv", panel.TSV}, {".json", panel.JSON}}

// exported is what can be written of a panel, by the end of a file's name: as it is now, for it goes
// on while the user thinks of a name.
type exported struct {
	suggested string
	contents  map[string][]byte
	all       []string
}

// extensions returns the ends of names that can be written.
func (x *exported) extensions() []string { return x.all }

// add notes what is written into files with an end of their names.
func (x *exported) add(extension string, write func(w io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	x.suggested = cmp.Or(x.suggested, extension)
	x.contents[extension] = out.Bytes()
	x.all = append(x.all, extension)
	return nil
}

// write writes a file as the end of its name says.
func (x *exported) write(path string) error {
	extension := cmp.Or(strings.ToLower(filepath.Ext(path)), x.suggested)
	content, known := x.contents[extension]
	if !known {
		return fmt.Errorf("%s: nothing was written: give a name that ends with one of %s", library.Home(path),
			strings.Join(x.extensions(), ", "))
	}
	return aside.Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// export returns what can be written of a panel.
func export(env *panel.Env, desk *workspace.Desk, p panel.Panel) (*exported, error) {
	x := &exported{contents: map[string][]byte{}}
	if e, ok := p.(panel.Exporter); ok {
		for _, f := range tableFormats {
			if err := x.add(f.extension, func(w io.Writer) error { return e.Export(env, w, f.format) }); err != nil {
				return nil, err
			}
		}
	}
	var rect draw.Rect
	desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		if t.Panel == p {
			rect = r
		}
	})
	switch {
	case !rect.Empty() && p.List() != nil:
		picture := panel.Picture(env, p, rect)
		for _, extension := range draw.PictureFormats {
			if err := x.add(extension, func(w io.Writer) error { return picture.Write(w, extension) }); err != nil {
				return nil, err
			}
		}
	case len(x.all) == 0:
		return nil, errors.New("it is not in sight")
	}
	return x, nil
}
