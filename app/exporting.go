// This file exports the shown session, or its selection, to formats of other programs: it asks for the
// format and the file, and writes in turns with the game loop, which changes the session. app/convert defines the
// formats.

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"framescope/app/convert"
	"framescope/app/input"
	"framescope/app/library"
	"framescope/app/query"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/internal/aside"
	"framescope/model/place"
	"framescope/widgets"
)

// Exports handles the exports of a window, one at a time. The goroutine of the game loop calls its
// methods.
type Exports struct {
	SS  *sessions.Sessions
	Ask *workspace.Prompt

	job    *job // that is being done; nil: none
	nextNs int64
}

// Commands are the user's commands for exports.
func (x *Exports) Commands(group string) []input.Command {
	words := "convert save " + strings.Join(convert.FormatIDs(), " ")
	return []input.Command{
		{ID: "export.session", Name: "Export the session as…", Words: words, Group: group, Run: x.Session, Out: true,
			Does: "for other programs"},
		{ID: "export.selection", Name: "Export only the selection as…", Words: words, Group: group, Run: x.Selection,
			Out:  true,
			Does: "for other programs"},
		{ID: "export.stop", Name: "Stop exporting", Words: "cancel abort", Group: group, Run: x.Stop},
	}
}

// Session asks for the format and exports the shown session. A live one is exported up to now.
func (x *Exports) Session() {
	if x.SS.View().None() {
		x.Ask.Notify("Open a session to export it")
		return
	}
	s := x.SS.View().Session()
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if err != nil {
		x.Ask.Warn(fmt.Errorf("nothing to export: %w", err))
		return
	}
	if x.SS.Live() {
		p = convert.Between(s, p.Begin, p.End-1) // without the frame that begins next
	}
	x.choose("Export the session as", "", p)
}

// Selection asks for the format and exports the selection.
func (x *Exports) Selection() {
	v := x.SS.View()
	if v.None() || v.Live() || !v.HasRange() {
		x.Ask.Notify("Select frames, or a range of time, to export them")
		return
	}
	begin, end, _ := v.TimeRange()
	x.choose("Export only the selection as", " part", convert.Between(v.Session(), begin, end))
}

// Menu returns the actions that write the selection, for the menu of a chart; key is the key of saving
// it.
func (x *Exports) Menu(key string) (items []widgets.MenuItem) {
	if x.SS.View().Live() {
		return nil
	}
	if x.SS.SavesParts() {
		items = append(items, widgets.MenuItem{Label: "Save only the selection…", Key: key, Run: x.SS.SavePart})
	}
	return append(items, widgets.MenuItem{Label: "Export only the selection as…", Run: x.Selection})
}

// choose asks for the format, and then for the file.
func (x *Exports) choose(title, part string, p *convert.Part) {
	if x.job != nil {
		x.Ask.Notify("%s is being exported; “Stop exporting” cancels it", filepath.Base(x.job.path))
		return
	}
	list := &widgets.Palette{Name: title, Does: "Next"}
	list.Field.Hint = "type part of a format or program"
	for _, f := range convert.AllFormats {
		item := widgets.PaletteItem{Name: f.Name, Also: f.ID + " " + f.Ext, Note: f.Help,
			Run: func() { x.askFile(f, part, p) }}
		if err := f.Check(p); err != nil {
			item.Note, item.Run = "not of this session: "+f.Why(p).Error(), func() { x.Ask.Warn(err) }
		}
		list.Items = append(list.Items, item)
	}
	x.Ask.Ask(list, 860)
}

// askFile asks for the file, or for the folder of formats of several files.
func (x *Exports) askFile(f *convert.Format, part string, p *convert.Part) {
	end, title := f.Ext, "Export as "+f.Name
	if f.Folder != nil {
		end, title = "", fmt.Sprintf("Export as %s: a new folder, or one table as NAME%s", f.Name, f.Ext)
	}
	name := library.FileName(x.SS.Title()+part, time.Now(), end)
	read := x.SS.FilesRead()
	x.SS.AskTarget(title, filepath.Join(sessions.RecordFolder(), name), nil, func(path string) {
		if f.Folder == nil && filepath.Ext(path) == "" {
			if path += f.Ext; aside.Free(path, false) != nil {
				x.Ask.Warn(fmt.Errorf("%s exists already: type its full name to replace it", library.Home(path)))
				return
			}
		}
		if err := aside.Distinct(path, read...); err != nil {
			x.Ask.Warn(err)
			return
		}
		x.begin(f, p, path)
	})
}

// begin begins to write.
func (x *Exports) begin(f *convert.Format, p *convert.Part, path string) {
	if x.job != nil || x.SS.ViewOf(p.Session) == nil {
		x.Ask.Warn(errors.New("nothing was exported: the session was closed, or another export is running"))
		return
	}
	x.job, x.nextNs = newJob(f, p, path), 0
}

// slice is how much of a tick is spent on writing.
const slice = 5 * time.Millisecond

// reportNs is the interval between progress notices.
const reportNs = 500_000_000

// said is the beginning of notices on a running export.
const said = "Exporting "

// Tick goes on with writing.
func (x *Exports) Tick(nowNs int64) {
	j := x.job
	if j == nil {
		return
	}
	if x.SS.ViewOf(j.part.Session) == nil {
		j.giveUp(errClosed)
		x.finish()
		return
	}
	if j.goOn(slice) {
		if nowNs >= x.nextNs {
			x.nextNs = nowNs + reportNs
			x.Ask.ReplaceNotice(said, "%s: %d %%", filepath.Base(j.path), 100*j.done/max(j.total, 1))
		}
		return
	}
	x.finish()
}

// Stop cancels the running export, and removes its output.
func (x *Exports) Stop() {
	if x.job == nil {
		x.Ask.Notify("Nothing is being exported")
		return
	}
	x.job.giveUp(context.Canceled)
	x.finish()
}

// Close is Stop without words, when the window is closed.
func (x *Exports) Close() {
	if x.job != nil {
		x.job.giveUp(context.Canceled)
		x.job = nil
	}
}

// errClosed is why nothing is written of a session that is gone.
var errClosed = errors.New("the session was closed")

// finish reports the result.
func (x *Exports) finish() {
	j := x.job
	x.job = nil
	x.Ask.Notices.Drop(said)
	name := library.Home(j.path)
	switch {
	case j.err == nil:
		x.Ask.Notify("Exported to %s%s", name, leftOut(j))
	case errors.Is(j.why, context.Canceled):
		x.Ask.Notify("%s was not written: the export was stopped", name)
	default:
		x.Ask.Warn(fmt.Errorf("%s could not be written: %w", name, cmp.Or(j.why, j.err)))
	}
}

// mostLeft is the number of kinds of omitted data to name.
const mostLeft = 4

// leftOut describes the data that is not in the file.
func leftOut(j *job) string {
	var parts []string
	for _, l := range j.part.Left() {
		parts = append(parts, l.String())
	}
	if n := len(parts) - mostLeft; n > 0 {
		parts = append(parts[:mostLeft], fmt.Sprintf("and %d more kinds", n))
	}
	if n := j.part.Session.Ledger().Evicted - j.evicted; n > 0 {
		parts = append(parts, fmt.Sprintf("%d frames or other things that left memory meanwhile", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; left out: " + strings.Join(parts, "; ")
}

// job is a running export. Its goroutine reads the session only while goOn is called.
type job struct {
	format      *convert.Format
	part        *convert.Part
	path        string
	evicted     int64 // frames that had left memory at its start
	done, total int64
	err         error // why it is not written, valid at its end
	why         error // why it was given up

	turns  *query.Turns
	cancel context.CancelFunc
	ended  chan struct{} // closed at its end
}

func newJob(f *convert.Format, p *convert.Part, path string) *job {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{
		format: f, part: p, path: path, evicted: p.Session.Ledger().Evicted,
		turns: query.NewTurns(slice), cancel: cancel, ended: make(chan struct{}),
	}
	go func() {
		defer close(j.ended)
		defer cancel()
		j.err = j.write(ctx, &query.Reader{Turns: j.turns, Context: ctx})
	}()
	return j
}

// goOn writes for so long. It returns false when all is done.
func (j *job) goOn(d time.Duration) bool {
	j.turns.Give(math.MaxInt, time.Now().Add(d))
	select {
	case <-j.ended:
		return false
	default:
		return true
	}
}

// giveUp ends it, and waits until its output is removed.
func (j *job) giveUp(why error) {
	j.why = why
	j.cancel()
	<-j.ended
}

// write is all that the goroutine does.
func (j *job) write(ctx context.Context, r *query.Reader) error {
	if err := r.Begin(); err != nil {
		return err
	}
	defer r.End()
	j.part.OnProgress(func(done, total int64) {
		j.done, j.total = done, total
		r.Spend(0)
	})
	if j.format.InFolder(j.path) {
		return aside.Folder(j.path, func(dir string) (string, error) { return dir, j.format.Folder(ctx, j.part, dir) })
	}
	return aside.Write(j.path, func(out io.Writer) error {
		out = unhurried{out, r}
		return j.format.Pack(out, j.path, func(w io.Writer) error { return j.format.Give(ctx, j.part, w) })
	})
}

// unhurried writes while the game loop goes on: a disk may be slow.
type unhurried struct {
	to io.Writer
	r  *query.Reader
}

// Write implements io.Writer.
func (w unhurried) Write(p []byte) (int, error) {
	w.r.End()
	n, err := w.to.Write(p)
	return n, cmp.Or(err, w.r.Begin())
}
