// This file exports the shown session, or its selection, to formats of other programs: it asks for the
// format and the file, and writes a piece a tick, since only the goroutine that changes a session may
// read it. app/convert defines the formats.

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"framescope/app/convert"
	"framescope/app/input"
	"framescope/app/library"
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
		{ID: "export.selection", Name: "Export only the selection as…", Words: words, Group: group, Run: x.Selection, Out: true,
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
		item := widgets.PaletteItem{Name: f.Name, Also: f.ID + " " + f.Ext, Note: f.Help, Run: func() { x.askFile(f, part, p) }}
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

// job is a running export. It reads the session only while goOn is called: it is a coroutine of the
// game loop. A goroutine that gets only bytes writes the file.
type job struct {
	format      *convert.Format
	part        *convert.Part
	path        string
	evicted     int64 // frames that had left memory at its start
	done, total int64
	err         error // why it is not written
	why         error // why it was given up

	next   func() (struct{}, bool)
	end    func()
	until  time.Time
	yield  func(struct{}) bool
	ctx    context.Context
	cancel context.CancelFunc
}

func newJob(f *convert.Format, p *convert.Part, path string) *job {
	j := &job{format: f, part: p, path: path, evicted: p.Session.Ledger().Evicted, err: context.Canceled}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.next, j.end = iter.Pull(j.write)
	return j
}

// goOn writes for so long. It returns false when all is done.
func (j *job) goOn(d time.Duration) bool {
	j.until = time.Now().Add(d)
	_, more := j.next()
	if !more {
		j.cancel()
	}
	return more
}

// giveUp ends it, and waits until its output is removed.
func (j *job) giveUp(why error) {
	j.why = why
	j.cancel()
	j.end()
}

// pause waits for the next tick. It returns an error when the export was given up.
func (j *job) pause() error {
	if j.ctx.Err() == nil && !j.yield(struct{}{}) {
		j.cancel()
	}
	return j.ctx.Err()
}

// write is the coroutine.
func (j *job) write(yield func(struct{}) bool) {
	j.yield = yield
	if j.err = j.pause(); j.err != nil { // the first tick only begins it
		return
	}
	j.part.OnProgress(func(done, total int64) {
		j.done, j.total = done, total
		if time.Now().After(j.until) {
			j.pause()
		}
	})
	if j.format.InFolder(j.path) {
		j.err = aside.Folder(j.path, func(dir string) (string, error) { return dir, j.format.Folder(j.ctx, j.part, dir) })
		return
	}
	w := newFile(j)
	j.err = w.close(j.format.Pack(w, j.path, func(w io.Writer) error { return j.format.Give(j.ctx, j.part, w) }))
}

// file hands bytes to a goroutine that writes them.
type file struct {
	j       *job
	parts   chan []byte
	written chan struct{} // closed at its end
	err     error         // valid then
	failed  error         // why there are no more parts, set before parts is closed
}

// waiting is how many pieces wait for the disk at most.
const waiting = 64

func newFile(j *job) *file {
	w := &file{j: j, parts: make(chan []byte, waiting), written: make(chan struct{})}
	go func() {
		defer close(w.written)
		w.err = aside.Write(j.path, func(out io.Writer) error {
			for p := range w.parts {
				if _, err := out.Write(p); err != nil {
					return err
				}
			}
			return w.failed
		})
	}()
	return w
}

// Write implements io.Writer. While the disk is behind it waits, a tick at a time.
func (w *file) Write(p []byte) (int, error) {
	part := append([]byte(nil), p...)
	for {
		select {
		case w.parts <- part:
			return len(p), nil
		case <-w.written:
			return 0, w.err
		default:
			if err := w.j.pause(); err != nil {
				return 0, err
			}
		}
	}
}

// close ends the file, which is there only if failed is nil, and returns why it is not.
func (w *file) close(failed error) error {
	w.failed = failed
	close(w.parts)
	for {
		select {
		case <-w.written:
			return w.err
		default:
			if w.j.pause() != nil {
				<-w.written // the output is removed
				return w.err
			}
		}
	}
}
