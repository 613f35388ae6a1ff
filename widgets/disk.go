package widgets

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// DiskRow is one session on disk as the list shows it.
type DiskRow struct {
	ID, Name, Program, Source, Host string
	// State is what has become of it, in words.
	State string
	// Live tells that it is being received, Alarm that something of it is missing or that it was interrupted.
	Live, Alarm bool
	// Kept tells that it is never deleted to make room.
	Kept   bool
	Began  time.Time
	Length time.Duration
	Frames int64 // -1: not known, or there are none
	Bytes  int64
	Path   string
}

// DiskProgram is what the list of sessions on disk asks of the program around it.
type DiskProgram interface {
	// OnDisk returns the sessions on disk, the newest first, and a number that changes with them. The slice is only valid during the tick.
	OnDisk() (rows []DiskRow, revision uint64)
	// DiskUse tells what they take.
	DiskUse() DiskUse
	// DoOnDisk does with a session what the user wants.
	DoOnDisk(what DiskAction, id string)
}

// DiskUse is what all sessions on disk take.
type DiskUse struct {
	// Bytes are what they take together, and Limit what they may; 0: nothing is kept.
	Bytes, Limit int64
	// Where is the folder that they lie in.
	Where string
	// SessionsLeft and BytesLeft left since the program began, to make room: sessions, and bytes with those of the oldest parts of live ones.
	SessionsLeft int
	BytesLeft    int64
}

// DiskAction is what can be done with a session on disk.
type DiskAction uint8

// The actions.
const (
	DiskOpen DiskAction = iota
	DiskRename
	DiskExport
	DiskKeep
	DiskDelete
	DiskMenu       // shows all of these where the mouse is
	numDiskButtons = int(DiskMenu)
)

var diskLabels = [numDiskButtons]string{DiskOpen: "Open", DiskRename: "Rename…", DiskExport: "Export…", DiskKeep: "Keep", DiskDelete: "Delete…"}

// Disk is the list of sessions on disk, with what can be done with the chosen one.
type Disk struct {
	Program DiskProgram

	sheet[diskKey]
	table   *table.Table
	source  *diskTable
	buttons [numDiskButtons]draw.Rect
	hover   int // button under the mouse, -1 none
}

// diskKey is what the picture depends on.
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
	d := &Disk{Program: p, source: &diskTable{program: p, sortCol: diskBegan, sortDown: true}, hover: -1}
	d.table = table.New("Sessions on disk", d.source)
	d.table.SortColumn, d.table.Descending = diskBegan, true
	return d
}

// Title implements panel.Panel.
func (d *Disk) Title(*panel.Env) string { return "Sessions on disk" }

// Mode implements panel.Panel: what they take of what they may.
func (d *Disk) Mode(*panel.Env) string {
	u := d.Program.DiskUse()
	if u.Limit <= 0 {
		return "none is kept"
	}
	b := format.AppendBytes(nil, u.Bytes)
	return string(format.AppendBytes(append(b, " of "...), u.Limit))
}

const (
	diskHead = 24 // height of the line above the table at scale 1
	diskFoot = 36 // of the buttons below it
)

// Update implements panel.Panel.
func (d *Disk) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	head, foot := rect, rect
	head.Y1 = min(rect.Y1, rect.Y0+env.Px(diskHead))
	foot.Y0 = max(head.Y1, rect.Y1-env.Px(diskFoot))
	body := draw.Rect{X0: rect.X0, Y0: head.Y1, X1: rect.X1, Y1: foot.Y0}

	d.placeButtons(env, foot)
	d.hover = -1
	for i, r := range d.buttons {
		if in.Over && r.Contains(in.X, in.Y) {
			d.hover = i
			if in.Left.Released && r.Contains(in.Left.DownX, in.Left.DownY) && d.offers(DiskAction(i)) {
				d.Program.DoOnDisk(DiskAction(i), d.source.chosen)
			}
		}
	}
	tableIn := *in
	tableIn.Over = in.Over && body.Contains(in.X, in.Y)
	act := d.table.Update(env, body, &tableIn)
	if act.Kind == panel.ActionMenu {
		d.source.choose(env, act.Hit)
		d.Program.DoOnDisk(DiskMenu, d.source.chosen)
		act = panel.Action{}
	}
	d.draw(env, rect, head, foot)
	return act
}

// offers tells whether something can be done with the chosen session.
func (d *Disk) offers(a DiskAction) bool {
	r := d.source.chosenRow()
	return r != nil && (a != DiskDelete || !r.Live)
}

// Chosen returns the chosen session, empty if none is.
func (d *Disk) Chosen() string { return d.source.chosen }

// Key takes a key that was struck while the list has the keyboard, by its name; false when it is none of the list's.
func (d *Disk) Key(env *panel.Env, key string) bool {
	switch key {
	case "up", "down":
		n := 1
		if key == "up" {
			n = -1
		}
		d.table.ScrollTo(env, d.source.move(n))
		return true
	case "enter":
		if d.offers(DiskOpen) {
			d.Program.DoOnDisk(DiskOpen, d.source.chosen)
		}
		return true
	case "delete":
		if d.offers(DiskDelete) {
			d.Program.DoOnDisk(DiskDelete, d.source.chosen)
		}
		return true
	}
	return false
}

// placeButtons lays the buttons out, from the left.
func (d *Disk) placeButtons(env *panel.Env, foot draw.Rect) {
	x := foot.X0 + env.Px(9)
	for i := range d.buttons {
		w := float32(int(max(env.Px(64), env.Atlas.Measure(draw.Regular, d.label(DiskAction(i)))+env.Px(20))))
		d.buttons[i] = draw.Rect{X0: x, Y0: foot.Y0 + env.Px(6), X1: x + w, Y1: foot.Y1 - env.Px(6)}
		x += w + env.Px(6)
		if x > foot.X1 {
			d.buttons[i] = draw.Rect{} // no room; the menu has it, too
		}
	}
}

func (d *Disk) label(a DiskAction) string {
	if r := d.source.chosenRow(); a == DiskKeep && r != nil && r.Kept {
		return "Don't keep"
	}
	return diskLabels[a]
}

// draw paints the table, and what is above and below it.
func (d *Disk) draw(env *panel.Env, rect, head, foot draw.Rect) {
	use := d.Program.DiskUse()
	_, revision := d.Program.OnDisk()
	row := d.source.chosenRow()
	key := diskKey{rect: rect, scale: env.Scale, revision: revision, chosen: d.source.chosen, hover: d.hover, use: use,
		chosenLive: row != nil && row.Live, keptNow: row != nil && row.Kept, table: d.table.List().Revision()}
	if !d.stale(env, rect, key) {
		return
	}
	l, t := d.list, env.Theme
	line := draw.Rect{X0: head.X0 + env.Px(9), Y0: head.Y0, X1: head.X1 - env.Px(9), Y1: head.Y1}
	l.TextIn(draw.Small, line, draw.Left, use.words(), col(t.Text2))
	l.HLine(foot.X0, foot.X1, foot.Y0, 1, col(t.Separator))
	for i, r := range d.buttons {
		if r.Empty() {
			continue
		}
		fill, text := t.Button, t.Text
		switch {
		case !d.offers(DiskAction(i)):
			fill, text = t.Panel, t.TextDim
		case i == d.hover:
			fill = t.ButtonHover
		}
		l.Rect(r, col(fill))
		l.TextIn(draw.Regular, r, draw.Center, d.label(DiskAction(i)), col(text))
	}
	d.table.DrawInto(l, env)
}

// words says where the sessions lie and for how long they are kept.
func (u *DiskUse) words() string {
	if u.Limit <= 0 {
		return "Live sessions are not kept on disk: see the settings, or start with --disk 20GiB"
	}
	b := append([]byte("All live sessions are kept in "), u.Where...)
	if u.Bytes > u.Limit {
		b = format.AppendBytes(append(b, "; they take more than "...), u.Limit)
		return string(append(b, ", as what is live, kept, damaged, open, or was interrupted lately may stay"...))
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
	for i, r := range d.buttons {
		if r.Contains(pxX, pxY) {
			if tip := diskTips[i]; tip != "" {
				h := noHit()
				h.Kind, h.Rect, h.Lines = panel.HitLabel, r, []string{tip}
				return h
			}
			return noHit()
		}
	}
	return d.table.HitTest(env, pxX, pxY)
}

var diskTips = [numDiskButtons]string{
	DiskOpen: "Open it as a session (Enter)", DiskRename: "Give it a name", DiskExport: "Write it to a file of its official format",
	DiskKeep: "Sessions that are kept never leave to make room", DiskDelete: "Delete it from the disk (Del)",
}

// diskTable is the table's source.
type diskTable struct {
	program  DiskProgram
	rows     []DiskRow
	order    []int
	sortCol  int
	sortDown bool
	of       uint64 // revision of the rows
	sorted   bool
	revision uint64
	chosen   string
}

// Columns of the list.
const (
	diskName = iota
	diskBegan
	diskLength
	diskFrames
	diskBytes
	diskSource
	diskProgram
	diskState
)

var diskColumns = []table.Column{
	{Title: "name", Kind: table.ColumnText, Sortable: true, Least: 130},
	{Title: "began", Kind: table.ColumnText, Width: 150, Sortable: true},
	{Title: "length", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 2},
	{Title: "all frames", Kind: table.ColumnNumber, Width: 82, Sortable: true, Drop: 4},
	{Title: "size", Kind: table.ColumnNumber, Width: 72, Sortable: true},
	{Title: "  source", Kind: table.ColumnText, Width: 92, Sortable: true, Drop: 5},
	{Title: "program", Kind: table.ColumnText, Width: 130, Sortable: true, Drop: 6},
	{Title: "state", Kind: table.ColumnText, Width: 236, Sortable: true, Drop: 1},
}

// Columns implements table.Source.
func (t *diskTable) Columns() []table.Column { return diskColumns }

// Empty implements table.Source.
func (t *diskTable) Empty() string {
	if t.program.DiskUse().Limit <= 0 {
		return "Live sessions are not kept on disk."
	}
	return "No session is on disk.\nEvery live session is kept from its first data on."
}

// Sort implements table.Source.
func (t *diskTable) Sort(col int, descending bool) {
	t.sortCol, t.sortDown, t.sorted = col, descending, false
}

// Prepare implements table.Source.
func (t *diskTable) Prepare(*panel.Env) (rows int, revision uint64) {
	all, of := t.program.OnDisk()
	t.rows = all
	if of != t.of || !t.sorted || len(t.order) != len(all) {
		t.of, t.sorted = of, true
		t.arrange()
		t.revision++
	}
	return len(t.order), t.revision
}

func (t *diskTable) arrange() {
	t.order = t.order[:0]
	for i := range t.rows {
		t.order = append(t.order, i)
	}
	slices.SortStableFunc(t.order, func(a, b int) int {
		x, y := &t.rows[a], &t.rows[b]
		c := 0
		switch t.sortCol {
		case diskName:
			c = strings.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name))
		case diskBegan:
			c = x.Began.Compare(y.Began)
		case diskLength:
			c = cmp.Compare(x.Length, y.Length)
		case diskFrames:
			c = cmp.Compare(x.Frames, y.Frames)
		case diskBytes:
			c = cmp.Compare(x.Bytes, y.Bytes)
		case diskSource:
			c = strings.Compare(x.Source, y.Source)
		case diskProgram:
			c = strings.Compare(x.Program, y.Program)
		case diskState:
			c = strings.Compare(x.State, y.State)
		}
		if t.sortDown {
			return -c
		}
		return c
	})
}

// at returns the place of the chosen session in the order of display, -1 if none is chosen.
func (t *diskTable) at() int {
	return slices.IndexFunc(t.order, func(i int) bool { return i < len(t.rows) && t.rows[i].ID == t.chosen })
}

func (t *diskTable) chosenRow() *DiskRow {
	if i := t.at(); i >= 0 && t.chosen != "" {
		return &t.rows[t.order[i]]
	}
	return nil
}

// move chooses the session so many rows further down, and returns its row.
func (t *diskTable) move(n int) int {
	if len(t.order) == 0 {
		return 0
	}
	i := t.at()
	if i < 0 {
		i = 0
	} else {
		i = min(max(i+n, 0), len(t.order)-1)
	}
	t.chosen = t.rows[t.order[i]].ID
	t.revision++
	return i
}

// choose takes the session that a menu was asked for.
func (t *diskTable) choose(_ *panel.Env, h panel.Hit) {
	if h.Frame >= 0 && h.Frame < len(t.order) {
		t.chosen = t.rows[t.order[h.Frame]].ID
		t.revision++
	}
}

// Cell implements table.Source.
func (t *diskTable) Cell(env *panel.Env, row, column int, c *table.Cell) {
	r, th := &t.rows[t.order[row]], env.Theme
	second := col(th.Text2)
	switch column {
	case diskName:
		c.Text = r.Name
		switch {
		case r.Live:
			c.Swatch = col(th.Live)
		case r.Alarm:
			c.Swatch = col(th.Over)
		default:
			c.Swatch, c.Hollow = col(th.TextDim), !r.Kept
		}
	case diskBegan:
		c.Buf, c.Color = r.Began.Local().AppendFormat(c.Buf, time.DateTime), second
	case diskLength:
		c.Buf, c.Color = format.AppendDuration(c.Buf, int64(r.Length)), second
	case diskFrames:
		if c.Color = second; r.Frames < 0 {
			c.Text, c.Color = "–", col(th.TextDim)
			return
		}
		c.Buf = format.AppendCount(c.Buf, r.Frames)
	case diskBytes:
		c.Buf = format.AppendBytes(c.Buf, r.Bytes)
	case diskSource:
		c.Buf, c.Color = append(append(c.Buf, "  "...), r.Source...), second
	case diskProgram:
		c.Text, c.Color = r.Program, second
	case diskState:
		c.Text, c.Color = r.State, second
		if r.Kept {
			c.Text, c.Buf = "", append(append(c.Buf, r.State...), ", kept for good"...)
		}
		switch {
		case r.Live && !r.Alarm:
			c.Color = col(th.Live)
		case r.Alarm:
			c.Color = col(th.Over)
		}
	}
}

// Row implements table.Source. The hit's frame is the row.
func (t *diskTable) Row(_ *panel.Env, row int) table.RowInfo {
	h := panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: model.NoTrack, Frame: row}
	return table.RowInfo{Selected: t.rows[t.order[row]].ID == t.chosen, Hit: h}
}

// Click implements table.Source: a click chooses, a double click opens.
func (t *diskTable) Click(_ *panel.Env, row, _ int, _ table.CellPart, in *panel.Input) panel.Action {
	t.chosen = t.rows[t.order[row]].ID
	t.revision++
	if in.DoubleClick {
		t.program.DoOnDisk(DiskOpen, t.chosen)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *diskTable) Tip(_ *panel.Env, row int, tip *table.Tip) {
	r := &t.rows[t.order[row]]
	tip.Line(r.Name)
	tip.Line(r.State)
	for _, p := range [...][2]string{{"program", r.Program}, {"host", r.Host}, {"id", r.ID[:min(len(r.ID), 8)]}, {"in", r.Path}} {
		if p[1] != "" {
			tip.Line(p[0] + "\t" + p[1])
		}
	}
	if r.Kept {
		tip.Line("kept: never deleted to make room")
	}
	tip.Line("double click: open it")
}
