package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image/png"
	"io"
	"time"

	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/aside"
)

// exportPanel writes the panel under the mouse, or the one pressed in last, to a file that the user
// names: of a table the rows, of all others the picture.
func (n *navigator) exportPanel() {
	env, p := n.ask.Env, n.ask.Desk.KeyPanel()
	if p == nil || env.View.Session() == nil {
		n.ask.Tell("Point at the panel that is to be exported")
		return
	}
	content, extension, err := exported(env, n.ask.Desk, p)
	if err != nil {
		n.ask.Warn(fmt.Errorf("%s: %w", p.Title(env), err))
		return
	}
	name := library.FileName(n.ss.Title()+" "+cmp.Or(p.Title(env), "panel"), time.Now(), extension)
	n.ss.Save("Export the panel", name, func(path string) error {
		return aside.Write(path, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
	})
}

// exported returns what is written of a panel: as it is now, for it goes on while the user thinks
// of a name.
func exported(env *panel.Env, desk *workspace.Desk, p panel.Panel) (content []byte, extension string, err error) {
	var out bytes.Buffer
	if e, ok := p.(panel.Exporter); ok {
		err := e.Export(env, &out, panel.CSV)
		return out.Bytes(), ".csv", err
	}
	var rect draw.Rect
	desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		if t.Panel == p {
			rect = r
		}
	})
	if rect.Empty() || p.List() == nil {
		return nil, "", errors.New("it is not in sight")
	}
	err = png.Encode(&out, panel.Picture(env, p, rect))
	return out.Bytes(), ".png", err
}
