// Clips of the hitches of live sessions are filed while the window is open; the list of clips is here: its
// rows, commands, notices and settings. app/clips defines clips and writes them.

package sessions

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"framescope/app/clips"
	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/internal/aside"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/widgets"
)

// pane is the list of clips.
const pane = "clips"

// KeyOfClips opens the list.
const KeyOfClips = "Ctrl+Shift+C"

// LiveClips watches the live sessions, files clips of their hitches, and lists these.
// The game loop calls its methods, unless they say otherwise. The zero value watches nothing.
type LiveClips struct {
	ss      *Sessions
	watcher clips.Watcher
	folder  *clips.Folder // nil: there is no place for clips
	filer   *clips.Filer
	set     choice // that it works by

	rows     []widgets.ClipRow
	seen     uint64 // the folder's revision at the last look
	revision uint64 // of the rows
	looking  bool
	known    bool
	nextNs   int64

	words struct {
		of         wordsOf
		line, mode string
	}

	filed  int // clips since the start of the program
	failed string

	mu   sync.Mutex
	open map[string]int // files that sessions are of
}

// choice is the settings for clips.
type choice struct {
	kept   bool // live sessions are kept on disk: otherwise the user wants no traces of them
	on     bool
	around clips.Around
	limits clips.Limits
}

func (c *LiveClips) wanted() choice {
	v := &c.ss.settings.Values
	kept := c.ss.library.Limit() > 0 // otherwise the user wants no traces of them
	return choice{
		kept: kept, on: kept && !v.NoClips,
		around: clips.Around{Before: seconds(v.ClipBefore), After: seconds(v.ClipAfter)},
		limits: clips.Limits{Clips: v.Clips, Bytes: int64(v.ClipGiB * (1 << 30))},
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Start begins to watch the sessions of a window, and to file into the folder of clips, where sessions have a place on
// disk.
func (c *LiveClips) Start(ss *Sessions) {
	if !ss.keepsSessions() {
		return
	}
	c.ss, c.open = ss, map[string]int{}
	c.set = c.wanted()
	c.folder = clips.OpenFolder(clips.DefaultDir(), c.set.limits, func(path string) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.open[path] > 0
	})
	c.filer = clips.NewFiler(c.folder, func(f clips.Filed) { c.ss.sources.later(func() { c.reportClip(f) }) })
	c.watcher.Around = c.set.around
	c.watcher.File = func(s *store.Session, w clips.Wanted) {
		if v := c.ss.views[s]; v != nil {
			env := *c.ss.ask.Env
			env.View = v
			_, mark := subject.CauseMark(&env, w.Collector, w.How)
			w.Info.Color = fmt.Sprintf("#%02x%02x%02x", mark.R, mark.G, mark.B)
		}
		c.filer.File(w)
	}
}

// Watch begins to watch a live session.
func (c *LiveClips) Watch(s *store.Session, kept *library.Recorder) {
	if c.folder != nil {
		c.watcher.Add(s, kept)
	}
}

// Forget ends the watch over a session.
func (c *LiveClips) Forget(s *store.Session) { c.watcher.Forget(s) }

// Holds notes that a session is of a file, n 1, or is no more, -1.
func (c *LiveClips) Holds(path string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		return
	}
	if c.open[path] += n; c.open[path] <= 0 {
		delete(c.open, path)
	}
}

// Tick looks for hitches of the live sessions, for a part of a tick.
func (c *LiveClips) Tick() {
	if c.folder == nil {
		return
	}
	if set := c.wanted(); set != c.set {
		c.set = set
		c.folder.SetLimits(set.limits)
		c.watcher.Around = set.around
	}
	if c.set.on {
		c.watcher.Look(c.ss.ask.Env.NowNs, false)
	}
}

// Finish files the clips of hitches that still wait for frames after them, and waits for the disk, up
// to patience.
func (c *LiveClips) Finish() {
	if c.filer == nil {
		return
	}
	if c.set.on {
		c.watcher.Finish()
	}
	c.filer.Wait(patience)
}

// patience is how long the end of the program waits for the clips that are being written.
const patience = 5 * time.Second

// clipNotice is the beginning of notices on clips.
const clipNotice = "Clips: "

// reportClip reports the first filed clip, and one for a repeated error.
func (c *LiveClips) reportClip(f clips.Filed) {
	name := fmt.Sprintf("%s, frame %s", format.ClipName(f.Clip.Cause), format.AppendCount(nil, f.Clip.Frame))
	if f.Err != nil {
		if text := f.Err.Error(); text != c.failed {
			c.failed = text
			c.ss.ask.Warn(fmt.Errorf("%snone of %s: %w", clipNotice, name, f.Err))
		}
		return
	}
	c.filed++
	c.failed = ""
	if c.filed == 1 { // of the others the status line has the number
		c.ss.ask.Notify("%sthe hitch by %s is saved, as each first of its cause will be; %s lists them", clipNotice, name,
			KeyOfClips)
	}
}

// ClipsFiled returns how many hitches were saved since the start of the program.
func (ss *Sessions) ClipsFiled() int { return ss.liveClips.filed }

// clipsEvery is the interval between checks of the folder while the list is on the screen: other
// programs write there, too.
const clipsEvery = 2_000_000_000

// Clips implements widgets.ClipProgram. A goroutine looks at the folder.
func (c *LiveClips) Clips() ([]widgets.ClipRow, uint64) {
	if c.folder != nil && !c.looking && (!c.known || c.seen != c.folder.Revision() || c.ss.ask.Env.NowNs >= c.nextNs) {
		c.looking, c.seen = true, c.folder.Revision()
		c.ss.do(func() func() {
			all, err := c.folder.List()
			rows := make([]widgets.ClipRow, len(all))
			for i := range all {
				rows[i] = clipRow(&all[i])
			}
			return func() {
				c.looking, c.known, c.nextNs = false, true, c.ss.ask.Env.NowNs+clipsEvery
				if err == nil {
					c.rows = rows
					c.revision++
				}
			}
		})
	}
	return c.rows, c.revision
}

func clipRow(c *clips.Clip) widgets.ClipRow {
	r := widgets.ClipRow{
		Path: c.Path, Cause: c.Cause, Mark: c.Mark, Program: c.Program, Thread: c.Thread, Frame: c.Frame,
		Took: time.Duration(c.DurationNs), Length: time.Duration(c.LengthNs), At: c.At, Bytes: c.Bytes, Frames: c.Frames,
		Lacks: c.Lacks,
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(c.Color, "#"), 16, 24); err == nil {
		r.Color = draw.Color{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
	}
	return r
}

// ClipWords implements widgets.ClipProgram.
func (c *LiveClips) ClipWords() (line, mode string) {
	if of := (wordsOf{c.revision, c.set}); of != c.words.of || c.words.line == "" {
		c.words.of = of
		c.words.line, c.words.mode = c.say(library.Home(c.folder.Dir()))
	}
	return c.words.line, c.words.mode
}

// wordsOf is the input of the words above the list.
type wordsOf struct {
	revision uint64
	set      choice
}

// say says when clips are filed and where, and how many there are.
func (c *LiveClips) say(dir string) (line, mode string) {
	bytes := int64(0)
	for i := range c.rows {
		bytes += c.rows[i].Bytes
	}
	of := c.set.limits
	mode = fmt.Sprintf("%d of %d, %s of %s", len(c.rows), of.Clips, library.Bytes(bytes), library.Bytes(of.Bytes))
	switch {
	case c.set.on:
		line = fmt.Sprintf("From %g s before to %g s after the first hitch of each cause, in %s",
			c.set.around.Before.Seconds(), c.set.around.After.Seconds(), dir)
	case c.set.kept:
		line = "Clips are off in the settings. Folder: " + dir
	default:
		line = "No clips are saved, since live sessions are not kept on disk. Folder: " + dir
	}
	return line, mode
}

// DoClip implements widgets.ClipProgram.
func (c *LiveClips) DoClip(what widgets.Action, path string) {
	switch what {
	case widgets.Open:
		c.ss.sources.later(func() { c.openClip(path) })
	case widgets.Delete:
		c.ss.sources.later(func() { c.askDeleteClip(path) })
	case widgets.Export:
		c.ss.sources.later(func() { c.saveClip(path) })
	case widgets.ShowMenu:
		x, y := c.ss.ask.Mouse.X, c.ss.ask.Mouse.Y
		c.ss.sources.later(func() { c.clipMenu(path, x, y) })
	}
}

// openClip opens a clip at its hitch.
func (c *LiveClips) openClip(path string) {
	i := slices.IndexFunc(c.rows, func(r widgets.ClipRow) bool { return r.Path == path })
	if i >= 0 && c.rows[i].Frame >= 0 {
		at := place.Place{Kind: place.Frames, Thread: c.rows[i].Thread, First: c.rows[i].Frame, Last: c.rows[i].Frame}
		path += "#" + at.String()
	}
	c.ss.ask.Desk.Close(pane) // show the opened clip
	c.ss.OpenFile(path)
}

// saveClip writes a clip to a file that the user names.
func (c *LiveClips) saveClip(path string) {
	c.ss.Save("Save the clip", filepath.Base(path), nil, func(to string) error { return aside.Copy(path, to) })
}

// clipMenu offers all that can be done with a clip.
func (c *LiveClips) clipMenu(path string, x, y float32) {
	c.ss.ask.OpenMenu(&widgets.Menu{Name: filepath.Base(path), Items: []widgets.MenuItem{
		{Label: "Open", Key: "Enter", Run: func() { c.openClip(path) }},
		{Label: "Save as…", Run: func() { c.saveClip(path) }},
		{Label: "Show the folder", Run: func() { c.showFolder(filepath.Dir(path)) }},
		{Label: "Copy its path", Run: func() { c.ss.ask.Copy(path) }},
		{Label: "Delete…", Key: "Del", Line: true, Run: func() { c.DoClip(widgets.Delete, path) }},
	}}, x, y)
}

// askDeleteClip asks whether a clip is really to be deleted.
func (c *LiveClips) askDeleteClip(path string) {
	label := "Delete it"
	c.mu.Lock()
	if c.open[path] > 0 {
		label = "Delete it (it is open)"
	}
	c.mu.Unlock()
	c.ss.ask.Confirm("Delete “"+filepath.Base(path)+"” from the disk?", label, func() {
		c.ss.do(func() func() {
			err := c.folder.Delete(path)
			return func() { c.ss.ask.Warn(err) }
		})
	}, "Keep it")
}

// showFolder shows a folder in the system's program for that.
func (c *LiveClips) showFolder(dir string) {
	program := "xdg-open"
	switch runtime.GOOS {
	case "windows":
		program = "explorer"
	case "darwin":
		program = "open"
	}
	c.ss.do(func() func() {
		err := exec.Command(program, dir).Run()
		var exit *exec.ExitError
		if runtime.GOOS == "windows" && errors.As(err, &exit) {
			err = nil // it says 1 when all is well
		}
		return func() {
			if err != nil {
				c.ss.ask.Warn(fmt.Errorf("%s can't be shown: %s: %w", library.Home(dir), program, err))
			}
		}
	})
}

// Show opens the list of clips.
func (c *LiveClips) Show() {
	if c.folder == nil {
		c.ss.ask.Notify("No clips are kept here")
		return
	}
	list := widgets.NewClipList(c)
	list.Close = func() { c.ss.ask.Desk.Close(pane) }
	c.ss.ask.Open(&workspace.Tab{ID: pane, Name: "Clips of hitches", Panel: list})
}

// settingsOfClips are the settings for clips.
func (c *LiveClips) settingsOfClips() []widgets.Setting {
	if c.folder == nil {
		return nil
	}
	v := &c.ss.settings.Values
	set := func(label string, on bool, change func()) widgets.SettingValue {
		return widgets.SettingValue{Label: label, On: on, Run: func() { change(); c.ss.settings.Touch() }}
	}
	length := widgets.Setting{Section: "Clips", Name: "Length of a clip"}
	for _, a := range [...][2]float64{{5, 2}, {10, 3}, {30, 5}} {
		length.Values = append(length.Values, set(fmt.Sprintf("%.0f s before, %.0f s after", a[0], a[1]),
			v.ClipBefore == a[0] && v.ClipAfter == a[1], func() { v.ClipBefore, v.ClipAfter = a[0], a[1] }))
	}
	kept := widgets.Setting{Section: "Clips", Name: "Clips on disk"}
	for _, n := range [...]int{50, 200} {
		gib := float64(n) / 50
		kept.Values = append(kept.Values, set(fmt.Sprintf("Up to %d, %.0f GiB", n, gib),
			v.Clips == n && v.ClipGiB == gib, func() { v.Clips, v.ClipGiB = n, gib }))
	}
	return []widgets.Setting{
		{Section: "Clips", Name: "First hitch of each cause", Values: []widgets.SettingValue{
			set("Saved", !v.NoClips, func() { v.NoClips = false }), set("Not saved", v.NoClips, func() { v.NoClips = true }),
		}},
		length, kept,
	}
}
