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
	// interrupted, BrokeOff that its program or the connection broke.
	Live, Alarm, BrokeOff bool
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
	DoOnDisk(what Action, id string)
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

// NewDisk returns the list of sessions on disk.
func NewDisk(p DiskProgram) *FileList[DiskRow] {
	return newFileList(fileKind[DiskRow]{
		title: "Sessions on disk", order: "began", columns: diskColumns, rows: p.OnDisk, do: p.DoOnDisk,
		words: func() (line, mode string) {
			u := p.DiskUse()
			return u.words(), u.mode()
		},
		empty: func() string {
			if p.DiskUse().Limit <= 0 {
				return "Live sessions are not kept on disk."
			}
			return "No session is on disk.\nEvery live session is kept from its first data on."
		},
		id:  func(r *DiskRow) string { return r.ID },
		tip: (*DiskRow).tip, does: []Action{Open, Close, Rename, Export, Keep, Delete}, buttons: (*DiskRow).buttons,
	})
}

// buttons returns those for a session, or for none.
func (r *DiskRow) buttons() []footButton {
	keep := format.Pick(r != nil && r.Kept, "Don't keep", "Keep for good")
	return []footButton{
		{Label: "Open", Key: "Enter"}, {Label: "Close", Key: "Esc"}, {Label: "Rename…", Key: "F2"}, {Label: "Export…"},
		{Label: keep}, {Label: "Delete…", Key: "Del", Off: r != nil && r.Live},
	}
}

// mode returns their size, of the allowed one.
func (u *DiskUse) mode() string {
	if u.Limit <= 0 {
		return "none is kept"
	}
	b := format.AppendBytes(nil, u.Bytes)
	return string(format.AppendBytes(append(b, " of "...), u.Limit))
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

// color is the color of a state that is to be noticed, no color for others.
func (r *DiskRow) color(env *panel.Env) draw.Color {
	switch {
	case r.BrokeOff:
		return draw.Color(env.Theme.Bad)
	case r.Alarm:
		return draw.Color(env.Theme.Over)
	case r.Live:
		return draw.Color(env.Theme.Live)
	}
	return draw.Color{}
}

var diskColumns = []table.Column[DiskRow]{
	{
		ID: "name", Title: "name", Least: 130,
		Compare: func(_ *panel.Env, a, b *DiskRow) int {
			return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		},
		Cell: func(env *panel.Env, r *DiskRow, c *table.Cell) {
			c.Text = r.Name
			if c.Swatch = r.color(env); c.Swatch == (draw.Color{}) {
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
			if color := r.color(env); color != (draw.Color{}) {
				c.Color = color
			}
		},
	},
}

// tip describes a session.
func (r *DiskRow) tip(l *panel.TipLines) {
	l.Add(r.Name)
	l.Add(r.State)
	for _, p := range [...][2]string{{"program", r.Program}, {"host", r.Host}, {"id", r.ID[:min(len(r.ID), 8)]},
		{"in", r.Path}} {
		l.If(p[1] != "").Text(p[0]).Text("\t").Text(p[1]).End()
	}
	l.If(r.Kept).Add("kept: never deleted to make room")
}
