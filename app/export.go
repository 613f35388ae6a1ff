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

// exportPanel exports the panel under the mouse, or the one pressed in last.
func (n *navigator) exportPanel() {
	p := n.ask.Desk.KeyPanel()
	if p == nil || n.ask.Env.View.None() {
		n.ask.Notify("Point at the panel to export")
		return
	}
	n.export(p)
}

// export writes a panel to a file that the user names: the name's end says how. Of a table the rows are
// suggested, of all others the picture.
func (n *navigator) export(p panel.Panel) {
	env := n.ask.Env
	called := n.called(p)
	x, err := ExportOf(env, n.ask.Desk, p)
	if err != nil {
		n.ask.Warn(fmt.Errorf("%s: %w", called, err))
		return
	}
	name := library.FileName(n.ss.Title()+" "+cmp.Or(called, "panel"), time.Now(), x.Suggested)
	n.ss.Save("Export the panel", name, x.Extensions(), x.Write)
}

// called is the name of a panel: its title, or its tab if the title lacks that.
func (n *navigator) called(p panel.Panel) string {
	name := p.Title(n.ask.Env)
	n.ask.Desk.EachInSight(func(t *workspace.Tab, _ draw.Rect) {
		if t.Panel != p {
			return
		}
		label := t.NameFor(n.ask.Env.View.Session().Contents())
		if !strings.HasPrefix(name, label) {
			name = label
		}
	})
	return name
}

// inMenu is the further actions on a panel, for the menu of its title row.
func (n *navigator) inMenu(p panel.Panel) []workspace.Choice {
	if n.ask.Env.View.None() {
		return nil
	}
	return []workspace.Choice{{Label: "Export rows or picture…", Key: n.keyOf("export"), Run: func() { n.export(p) }}}
}

// This file writes the content of a panel to a file, by the file's extension: rows as CSV, TSV or JSON,
// pictures as PNG or SVG.

// tableFormats are the formats of rows, by file extension.
var tableFormats = [...]struct {
	extension string
	format    panel.Format
}{{".csv", panel.CSV}, {".tsv", panel.TSV}, {".json", panel.JSON}}

// Export is the exportable content of a panel, by file extension: a snapshot, as the panel goes on
// while the user thinks of a name.
type Export struct {
	// Suggested is the end that a name has by default.
	Suggested string
	contents  map[string][]byte
	all       []string
}

// Extensions returns the ends of names that Write knows.
func (x *Export) Extensions() []string { return x.all }

// add stores the content of files with an extension.
func (x *Export) add(extension string, write func(w io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	x.Suggested = cmp.Or(x.Suggested, extension)
	x.contents[extension] = out.Bytes()
	x.all = append(x.all, extension)
	return nil
}

// Write writes a file as the end of its name says.
func (x *Export) Write(path string) error {
	extension := cmp.Or(strings.ToLower(filepath.Ext(path)), x.Suggested)
	content, known := x.contents[extension]
	if !known {
		return fmt.Errorf("%s: nothing was written: use a name that ends with one of %s", library.Home(path),
			strings.Join(x.all, ", "))
	}
	return aside.Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// ExportOf returns the exportable content of a panel.
func ExportOf(env *panel.Env, desk *workspace.Desk, p panel.Panel) (*Export, error) {
	x := &Export{contents: map[string][]byte{}}
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
		return nil, errors.New("the panel is not visible")
	}
	return x, nil
}
