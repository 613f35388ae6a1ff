// This file writes the content of a panel to a file, by the file's extension: rows as CSV, TSV or JSON,
// pictures as PNG or SVG.

package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/aside"
)

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
