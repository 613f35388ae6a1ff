package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"framescope/app/input"
	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets"
)

// paneDisk is the list of sessions on disk.
const paneDisk = "disk"

// diskList is what is on disk, as it was when somebody last looked. Looking takes file accesses, so that a goroutine does it, and only while the
// list is on the screen.
type diskList struct {
	rows     []widgets.DiskRow
	sessions []library.Session // of the rows
	revision uint64
	looking  bool
	seen     uint64 // the library's revision at the last look
	nextNs   int64  // when to look again: other viewers write, too
	soonNs   int64  // when to look again if this one has changed something
	known    bool
	// what left since the start to make room
	sessionsLeft int
	bytesLeft    int64
}

// The list is looked at anew every diskEvery ns while it is on the screen, and at most a lookShare-th of the time is taken for that.
const (
	diskEvery = 2_000_000_000
	lookShare = 20
	// When this program has changed something it is looked at so much sooner.
	diskSooner = 8
)

// keepsSessions tells whether there is a place for sessions on disk, whether live ones are kept there or not.
func (g *Game) keepsSessions() bool { return g.library.Dir() != "" }

// lookAtDisk brings the list up to date, in a moment.
func (g *Game) lookAtDisk() {
	d := &g.disk
	if !g.keepsSessions() || d.looking || d.known && g.env.NowNs < d.nextNs && (d.seen == g.library.Revision() || g.env.NowNs < d.soonNs) {
		return
	}
	d.looking, d.seen = true, g.library.Revision()
	g.sources.work.Add(1)
	go func() {
		defer g.sources.work.Done()
		began := time.Now()
		all := g.library.Sessions()
		rest := max(diskEvery, lookShare*int64(time.Since(began))) // of thousands it takes a while
		rows := make([]widgets.DiskRow, len(all))
		for i := range all {
			rows[i] = diskRow(&all[i])
		}
		g.sources.later(func(g *Game) {
			d := &g.disk
			left, bytes := g.library.Left()
			g.tellVanished(d.vanished(all), left-d.sessionsLeft)
			d.sessionsLeft, d.bytesLeft = left, bytes
			d.rows, d.sessions, d.looking, d.known = rows, all, false, true
			d.revision++
			d.nextNs, d.soonNs = g.env.NowNs+rest, g.env.NowNs+rest/diskSooner
		})
	}()
}

// forget takes note that this program has deleted a session.
func (d *diskList) forget(id string) {
	d.sessions = slices.DeleteFunc(slices.Clone(d.sessions), func(s library.Session) bool { return s.ID == id })
	d.rows = slices.DeleteFunc(slices.Clone(d.rows), func(r widgets.DiskRow) bool { return r.ID == id })
	d.revision++
}

// vanished returns the sessions that were on disk at the last look and are not any more.
func (d *diskList) vanished(now []library.Session) (gone []library.Session) {
	here := make(map[string]bool, len(now))
	for i := range now {
		here[now[i].ID] = true
	}
	for i := range d.sessions {
		if !here[d.sessions[i].ID] {
			gone = append(gone, d.sessions[i])
		}
	}
	return gone
}

// tellVanished tells of sessions that somebody else has deleted; evicted are how many this program
// let leave, of which the library tells.
func (g *Game) tellVanished(gone []library.Session, evicted int) {
	switch n := len(gone) - evicted; {
	case n <= 0:
	case n == 1 && evicted == 0:
		g.tell("“%s” was deleted from the disk by another program", gone[0].Name)
	default:
		g.tell("%d of the sessions on disk were deleted by another program", n)
	}
}

func diskRow(s *library.Session) widgets.DiskRow {
	return widgets.DiskRow{
		ID: s.ID, Name: s.Name, Program: s.Program, Source: library.SourceName(s.Source), Host: s.Host, State: s.Words(),
		Live: s.State == library.Live || s.State == library.LiveHere, Kept: s.Kept,
		Alarm: s.State == library.Interrupted || s.Damage != "" || s.Missing > 0 || s.Trimmed || s.Unkept != "",
		Began: s.Began, Length: s.Length, Frames: s.Frames(), Bytes: s.Bytes, Path: library.Home(s.Path),
	}
}

// OnDisk implements widgets.DiskProgram.
func (g *Game) OnDisk() ([]widgets.DiskRow, uint64) {
	g.lookAtDisk()
	return g.disk.rows, g.disk.revision
}

// DiskUse implements widgets.DiskProgram.
func (g *Game) DiskUse() (u widgets.DiskUse) {
	if !g.keepsSessions() {
		return u
	}
	return widgets.DiskUse{
		Bytes: library.Used(g.disk.sessions), Limit: g.library.Limit(), Where: library.Home(g.library.Dir()),
		SessionsLeft: g.disk.sessionsLeft, BytesLeft: g.disk.bytesLeft,
	}
}

// onDisk returns the session of that ID, as it was when somebody last looked.
func (g *Game) onDisk(id string) *library.Session {
	for i := range g.disk.sessions {
		if s := &g.disk.sessions[i]; s.ID == id {
			return s
		}
	}
	return nil
}

// DoOnDisk implements widgets.DiskProgram.
func (g *Game) DoOnDisk(what widgets.DiskAction, id string) {
	found := g.onDisk(id)
	if found == nil {
		return
	}
	s := *found // the list may change meanwhile
	switch what {
	case widgets.DiskOpen:
		if s.State == library.Live { // elsewhere: it goes on
			g.showNext, g.chosen = true, false
			g.bringIn(launch.Session{Path: s.Path, Source: load.Journals{Sources: g.opt.Sources}})
		} else {
			g.openFile(s.Path)
		}
		g.sources.later((*Game).hideDisk) // what was opened is to be seen
	case widgets.DiskRename:
		g.sources.later(func(g *Game) { g.askName(s) })
	case widgets.DiskExport:
		g.export(s)
	case widgets.DiskKeep:
		g.changeOnDisk(func() error { return g.library.Keep(&s, !s.Kept) })
	case widgets.DiskDelete:
		g.sources.later(func(g *Game) { g.askDelete(s) })
	case widgets.DiskMenu:
		x, y := g.mouse.X, g.mouse.Y
		g.sources.later(func(g *Game) { g.diskMenu(s, x, y) })
	}
}

// changeOnDisk does something with what is on disk, which may take a while.
func (g *Game) changeOnDisk(change func() error) {
	g.sources.work.Add(1)
	go func() {
		defer g.sources.work.Done()
		err := change()
		g.sources.later(func(g *Game) {
			g.disk.nextNs, g.disk.soonNs, g.kept.nextNs = 0, 0, 0
			if err != nil {
				g.warn(err)
			}
		})
	}()
}

// diskMenu offers all that can be done with a session on disk.
func (g *Game) diskMenu(s library.Session, x, y float32) {
	live := s.State == library.Live || s.State == library.LiveHere
	do := func(a widgets.DiskAction) func() { return func() { g.DoOnDisk(a, s.ID) } }
	m := &widgets.Menu{Name: s.Name, Items: []widgets.MenuItem{
		{Label: "Open", Key: "Enter", Run: do(widgets.DiskOpen)},
		{Label: "Rename…", Off: s.File, Run: do(widgets.DiskRename)},
		{Label: "Export…", Run: do(widgets.DiskExport)},
		{Label: "Keep it for good", On: s.Kept, Off: s.File, Run: do(widgets.DiskKeep)},
		{Label: "Copy its path", Run: func() { g.copyText(s.Path) }},
		{Label: "Delete…", Key: "Del", Line: true, Off: live, Run: do(widgets.DiskDelete)},
	}}
	g.overlay.showMenu(g, m, x, y)
}

// askName asks what a session on disk is to be called.
func (g *Game) askName(s library.Session) {
	p := &widgets.Palette{Name: "Rename the session", Answer: func(text string) string {
		g.changeOnDisk(func() error { return g.library.Rename(&s, strings.TrimSpace(text)) })
		return ""
	}}
	p.Field.Hint = "what to call it; empty: what the program called itself"
	p.Field.SetText(s.Name)
	g.overlay.question(g, p, g.env.Px(420), g.env.Px(98))
}

// askDelete asks whether a session is really to be deleted.
func (g *Game) askDelete(s library.Session) {
	m := &widgets.Menu{Name: "Delete “" + s.Name + "” from the disk?", Items: []widgets.MenuItem{
		{Label: fmt.Sprintf("Delete it: %s, %s", s.Began.Local().Format("2006-01-02 15:04"), library.Bytes(s.Bytes)), Run: func() {
			g.changeOnDisk(func() error {
				if err := g.library.Delete(&s); err != nil {
					return err
				}
				g.sources.later(func(g *Game) {
					g.disk.forget(s.ID)
					g.tell("Deleted %s, %s", s.Name, library.Bytes(s.Bytes))
				})
				return nil
			})
		}},
		{Label: "No, it stays", Key: "Esc", Safe: true, Run: func() {}},
	}}
	g.askInTheMiddle(m)
}

// export writes a session on disk to a file that the user names.
func (g *Game) export(s library.Session) {
	if g.dialog {
		return
	}
	g.saveTo("Export the session", filepath.Join(recordFolder(), s.FileName()), func(path string) error {
		return library.Export(g.sources.ctx, &s, path, true) // the dialog has asked
	})
}

// showDisk opens the list of sessions on disk, or brings it to the front.
func (g *Game) showDisk() {
	if !g.keepsSessions() {
		g.tell("No sessions are kept on disk here")
		return
	}
	g.disk.nextNs, g.disk.soonNs = 0, 0
	if came, _ := g.desk.Show(paneDisk); came == workspace.ShownNow {
		return
	}
	a := g.desk.Area()
	w, h := min(g.env.Px(920), a.W()*0.9), min(g.env.Px(380), a.H()*0.8)
	x, y := a.X0+(a.W()-w)/2, a.Y0+(a.H()-h)/3
	tab := &workspace.Tab{ID: paneDisk, Name: "Sessions on disk", Panel: widgets.NewDisk(g)}
	g.desk.Open(&g.env, tab, draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h})
}

// hideDisk closes the list of sessions on disk.
func (g *Game) hideDisk() { g.desk.Close(paneDisk) }

// panelKeys gives a key to the panel that was pressed in last; true: it was its.
func (g *Game) panelKeys(c input.Chord) bool {
	t := g.desk.Focused()
	if t == nil || c.Ctrl || c.Alt || c.Shift {
		return false
	}
	p, ok := t.Panel.(panel.Keyed)
	if !ok {
		return false
	}
	act, taken := p.Key(&g.env, c.Key)
	g.act(act)
	return taken
}

// reopen opens the newest session on disk, or the recording that was opened last, whichever is newer.
func (g *Game) reopen() {
	if !g.keepsSessions() {
		g.reopenRecent()
		return
	}
	g.sources.work.Add(1)
	go func() {
		defer g.sources.work.Done()
		all := g.library.Sessions()
		g.sources.later(func(g *Game) {
			s, err := library.Find(all, library.Newest)
			if err != nil || s.State == library.Live || s.State == library.LiveHere {
				g.reopenRecent()
				return
			}
			g.openFile(s.Path)
			if newer, ok := library.NewerLive(all, &s); ok && newer.State == library.Live {
				g.tell("This is the newest that has ended: “%s” of another viewer is newer, and live", newer.Name)
			}
		})
	}()
}

// offers are the sessions that the empty window offers: the newest ones that are not live here.
func (g *Game) offers() (o widgets.Offers) {
	if !g.keepsSessions() || g.active != nil {
		return o
	}
	all, revision := g.OnDisk()
	for i := range all {
		if len(o.Rows) == widgets.MaxOffers {
			break
		}
		if g.disk.sessions[i].State != library.LiveHere {
			o.Rows = append(o.Rows, all[i])
		}
	}
	o.Revision = revision
	o.Open = func(id string) { g.DoOnDisk(widgets.DiskOpen, id) }
	o.All = func() { g.sources.later((*Game).showDisk) }
	return o
}
