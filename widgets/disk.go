package widgets

import (
	"strconv"
	"strings"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
)

// DiskRow is one session on disk as the list shows it.
type DiskRow struct {
	ID, Name, Program, Source, Host string
	// State describes its present state, in words.
	State string
	// Live means that it is being received, Alarm that a part is missing or that it was
	// interrupted.
	Live, Alarm bool
	// Kept means that it is never deleted to make room.
	Kept   bool
	Began  time.Time
	Length time.Duration
	Frames int64 // -1: not known, or there are none
	Bytes  int64
	Path   string
}

// DiskProgram is the interface of the list of sessions on disk to the program around it.
type DiskProgram interface {
	// OnDisk returns the sessions on disk, the newest first, and a number that changes with them. The
	// slice is only valid during the tick.
	OnDisk() (rows []DiskRow, revision uint64)
	// DiskUse returns the space that they use.
	DiskUse() DiskUse
	// DoOnDisk runs the user's action on a session.
	DoOnDisk(what DiskAction, id string)
}

// DiskUse is the total of all sessions on disk.
type DiskUse struct {
	// Bytes is their total size, and Limit the allowed one; 0: nothing is kept.
	Bytes, Limit int64
	// Where is the folder that they lie in.
	Where string
	// SessionsLeft and BytesLeft left since the program began, to make room: sessions, and bytes with
	// those of the oldest parts of live ones.
	SessionsLeft int
	BytesLeft    int64
}

// DiskAction is an action on a session on disk.
type DiskAction uint8

// The actions.
const (
	DiskOpen DiskAction = iota
	DiskRename
	DiskExport
	DiskKeep
	DiskDelete
	DiskMenu // shows all of these where the mouse is
)

// Disk is the list of sessions on disk, with the actions on the chosen one.
type Disk struct {
	Program DiskProgram
	Close   func() // the dialog

	Sheet[diskKey]
	table  *table.Table
	source *diskTable
	foot   foot
}

// diskKey is the inputs of the picture.
type diskKey struct {
	rect                draw.Rect
	scale               float32
	revision            uint64
	chosen              string
	hover               int
	use                 DiskUse
	chosenLive, keptNow bool
	table               uint64 // revision of its picture
}

// NewDisk returns the list.
func NewDisk(p DiskProgram) *Disk {
	d := &Disk{Program: p, source: &diskTable{program: p}}
	d.table = table.New("Sessions on disk", d.source)
	d.table.SortBy("began", true)
	return d
}

// Title implements panel.Panel.
func (d *Disk) Title(*panel.Env) string { return "Sessions on disk" }

// Mode implements panel.Panel: their size, of the allowed one.
func (d *Disk) Mode(*panel.Env) string {
	u := d.Program.DiskUse()
	if u.Limit <= 0 {
		return "none is kept"
	}
	b := format.AppendBytes(nil, u.Bytes)
	return string(format.AppendBytes(append(b, " of "...), u.Limit))
}

// Update implements panel.Panel.
func (d *Disk) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	head, foot := rect, rect
	head.Y1 = min(rect.Y1, rect.Y0+env.Px(headHeight))
	foot.Y0 = max(head.Y1, rect.Y1-env.Px(footHeight))
	body := draw.Rect{X0: rect.X0, Y0: head.Y1, X1: rect.X1, Y1: foot.Y0}

	buttons := d.buttons()
	switch i := d.foot.update(env, foot, in, buttons[:]...); {
	case i == 1:
		d.Close()
	case i >= 0:
		d.Program.DoOnDisk(diskButtons[i], d.source.chosen)
	}
	act := d.table.Place(env, body, in)
	if d.source.chosen == "" && len(d.source.rows) > 0 {
		d.table.Key(env, "down") // the first one
	}
	if act.Kind == panel.ActionMenu {
		d.Program.DoOnDisk(DiskMenu, d.source.chosen)
		act = panel.Action{}
	}
	d.draw(env, rect, head, foot)
	return act
}

// offers reports whether something can be done with the chosen session.
func (d *Disk) offers(a DiskAction) bool {
	r := d.source.chosenRow()
	return r != nil && (a != DiskDelete || !r.Live)
}

// Chosen returns the chosen session, empty if none is.
func (d *Disk) Chosen() string { return d.source.chosen }

// Key takes a key that was struck while the list has the keyboard, by its name; false when it is
// none of the list's.
func (d *Disk) Key(env *panel.Env, key string) (panel.Action, bool) {
	what := DiskOpen
	switch key {
	case "enter":
	case "delete":
		what = DiskDelete
	case "f2":
		what = DiskRename
	default:
		return d.table.Key(env, key)
	}
	if d.offers(what) {
		d.Program.DoOnDisk(what, d.source.chosen)
	}
	return panel.Action{}, true
}

// diskButtons are what the buttons do; the second closes the dialog.
var diskButtons = [...]DiskAction{0: DiskOpen, 2: DiskRename, 3: DiskExport, 4: DiskKeep, 5: DiskDelete}

func (d *Disk) buttons() [len(diskButtons)]footButton {
	all := [len(diskButtons)]footButton{
		{Label: "Open", Key: "Enter"}, {Label: "Close", Key: "Esc"}, {Label: "Rename…", Key: "F2"}, {Label: "Export…"},
		{Label: "Keep for good"}, {Label: "Delete…", Key: "Del"},
	}
	if r := d.source.chosenRow(); r != nil && r.Kept {
		all[4].Label = "Don't keep"
	}
	for i := range all {
		all[i].Off = i != 1 && !d.offers(diskButtons[i])
	}
	return all
}

// draw paints the table, and the parts above and below it.
func (d *Disk) draw(env *panel.Env, rect, head, foot draw.Rect) {
	use := d.Program.DiskUse()
	_, revision := d.Program.OnDisk()
	row := d.source.chosenRow()
	key := diskKey{rect: rect, scale: env.Scale, revision: revision, chosen: d.source.chosen, hover: d.foot.hover, use: use,
		chosenLive: row != nil && row.Live, keptNow: row != nil && row.Kept, table: d.table.Stamp()}
	if !d.Stale(env, rect, key) {
		return
	}
	l, t := d.Out, env.Theme
	line := draw.Rect{X0: head.X0 + env.Px(9), Y0: head.Y0, X1: head.X1 - env.Px(9), Y1: head.Y1}
	l.TextIn(draw.Small, line, draw.Left, use.words(), draw.Color(t.Text2))
	d.foot.draw(l, env, foot)
	d.table.DrawInto(l, env)
}

// words describes where the sessions lie and how long they are kept.
func (u *DiskUse) words() string {
	if u.Limit <= 0 {
		return "Live sessions are not kept on disk: see the settings, or start with --disk 20GiB"
	}
	b := append([]byte("All live sessions are kept in "), u.Where...)
	if u.Bytes > u.Limit {
		b = format.AppendBytes(append(b, "; they take more than "...), u.Limit)
		return string(append(b, ", as live, kept, damaged, open and recently interrupted sessions may stay"...))
	}
	if u.BytesLeft == 0 {
		b = append(b, "; beyond "...)
		return string(append(format.AppendBytes(b, u.Limit), " the oldest leave"...))
	}
	b = append(b, "; "...)
	switch u.SessionsLeft {
	case 0:
		b = append(b, "the oldest part of a live one"...)
	case 1:
		b = append(b, "1 session"...)
	default:
		b = append(strconv.AppendInt(b, int64(u.SessionsLeft), 10), " sessions"...)
	}
	b = format.AppendBytes(append(b, " left since the start, "...), u.BytesLeft)
	return string(format.AppendBytes(append(b, ", to keep within "...), u.Limit))
}

// HitTest implements panel.Panel.
func (d *Disk) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	return d.table.HitTest(env, pxX, pxY)
}

// diskTable is the table's source.
type diskTable struct {
	program  DiskProgram
	rows     []DiskRow
	of       uint64 // revision of the rows
	revision uint64
	chosen   string
}

var diskColumns = []table.Column[DiskRow]{
	{
		ID: "name", Title: "name", Least: 130,
		Compare: func(_ *panel.Env, a, b *DiskRow) int {
			return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		},
		Cell: func(env *panel.Env, r *DiskRow, c *table.Cell) {
			c.Text = r.Name
			switch {
			case r.Alarm:
				c.Swatch = draw.Color(env.Theme.Over)
			case r.Live:
				c.Swatch = draw.Color(env.Theme.Live)
			default:
				c.Swatch, c.Hollow = draw.Color(env.Theme.TextDim), !r.Kept
			}
		},
	},
	{
		ID: "began", Title: "began", Width: 150, Quiet: true,
		Compare: func(_ *panel.Env, a, b *DiskRow) int { return a.Began.Compare(b.Began) },
		Cell: func(_ *panel.Env, r *DiskRow, c *table.Cell) {
			c.Buf = r.Began.Local().AppendFormat(c.Buf, time.DateTime)
		},
	},
	{
		ID: "length", Title: "length", Unit: "ns", Kind: table.Number, Width: 72, Drop: 2, Quiet: true, Format: table.Clock,
		Value: func(_ *panel.Env, r *DiskRow) float64 { return float64(r.Length) },
	},
	{
		ID: "frames", Title: "all frames", Kind: table.Number, Width: 82, Drop: 4, Quiet: true, Format: table.Count,
		Value: func(_ *panel.Env, r *DiskRow) float64 {
			return table.Known(float64(r.Frames), r.Frames >= 0)
		},
	},
	{
		ID: "size", Title: "size", Unit: "B", Kind: table.Number, Width: 72, Format: table.Bytes,
		Value: func(_ *panel.Env, r *DiskRow) float64 { return float64(r.Bytes) },
	},
	{
		ID: "source", Title: "  source", Width: 92, Drop: 5, Quiet: true,
		Compare: func(_ *panel.Env, a, b *DiskRow) int { return strings.Compare(a.Source, b.Source) },
		Cell:    func(_ *panel.Env, r *DiskRow, c *table.Cell) { c.Buf = append(append(c.Buf, "  "...), r.Source...) },
	},
	{
		ID: "program", Title: "program", Width: 130, Drop: 6, Quiet: true,
		Text: func(_ *panel.Env, r *DiskRow) string { return r.Program },
	},
	{
		ID: "state", Title: "state", Width: 236, Drop: 1, Quiet: true,
		Text: func(_ *panel.Env, r *DiskRow) string { return r.State },
		Cell: func(env *panel.Env, r *DiskRow, c *table.Cell) {
			if r.Kept {
				c.Text, c.Buf = "", append(append(c.Buf, r.State...), ", kept for good"...)
			}
			switch {
			case r.Alarm:
				c.Color = draw.Color(env.Theme.Over)
			case r.Live:
				c.Color = draw.Color(env.Theme.Live)
			}
		},
	},
}

// Columns implements table.Source.
func (t *diskTable) Columns() []table.Column[DiskRow] { return diskColumns }

// At implements table.Source.
func (t *diskTable) At(i int) *DiskRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *diskTable) Empty(bool) string {
	if t.program.DiskUse().Limit <= 0 {
		return "Live sessions are not kept on disk."
	}
	return "No session is on disk.\nEvery live session is kept from its first data on."
}

// Rows implements table.Source.
func (t *diskTable) Rows(*panel.Env) (n int, revision uint64) {
	rows, of := t.program.OnDisk()
	if t.rows = rows; of != t.of {
		t.of = of
		t.revision++
	}
	return len(rows), t.revision
}

// chosenRow returns the chosen session, nil if none is.
func (t *diskTable) chosenRow() *DiskRow {
	for i := range t.rows {
		if r := &t.rows[i]; t.chosen != "" && r.ID == t.chosen {
			return r
		}
	}
	return nil
}

// Choose implements table.Chooser: the keys and the menu choose.
func (t *diskTable) Choose(_ *panel.Env, r *DiskRow) {
	t.chosen = r.ID
	t.revision++
}

// Row implements table.Describer.
func (t *diskTable) Row(_ *panel.Env, r *DiskRow) table.RowInfo {
	h := panel.NoHit()
	h.Kind = panel.HitLabel
	return table.RowInfo{Selected: r.ID == t.chosen, Hit: h}
}

// Click implements table.Clicker: a click chooses, a double click opens.
func (t *diskTable) Click(env *panel.Env, r *DiskRow, in *panel.Input) panel.Action {
	t.Choose(env, r)
	if in.DoubleClick {
		t.program.DoOnDisk(DiskOpen, t.chosen)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *diskTable) Tip(_ *panel.Env, r *DiskRow, l *panel.TipLines) {
	l.Add(r.Name)
	l.Add(r.State)
	for _, p := range [...][2]string{{"program", r.Program}, {"host", r.Host}, {"id", r.ID[:min(len(r.ID), 8)]}, {"in", r.Path}} {
		l.If(p[1] != "").Text(p[0]).Text("\t").Text(p[1]).End()
	}
	l.If(r.Kept).Add("kept: never deleted to make room")
}

// Key implements table.Keyed.
func (t *diskTable) Key(r *DiskRow) uint64 { return table.KeyOfText(r.ID) }
