// The list of clips: the time around the first hitch of each cause while games ran. It has the names
// of clips and their actions, but no files.

package widgets

import (
	"strings"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
)

// ClipRow is a clip as the list shows it.
type ClipRow struct {
	Path string
	// Cause is the cause, in words, and Mark the shape of its mark in Color; empty: it has none.
	Cause, Mark     string
	Color           draw.Color
	Program, Thread string
	Frame           int64 // below 0: not known
	Took, Length    time.Duration
	At              time.Time // when it was filed
	Bytes           int64
	// Frames are in it, Lacks are those that the disk did not take.
	Frames, Lacks int64
}

// ClipProgram is the interface of the list to the program around it.
type ClipProgram interface {
	// Clips returns the clips, the newest first, and a number that changes with them. The slice is only
	// valid during the tick.
	Clips() (rows []ClipRow, revision uint64)
	// ClipWords returns in a line when and where clips are filed, and in a word how many are kept.
	ClipWords() (line, mode string)
	// DoClip runs the user's action on a clip.
	DoClip(what Action, path string)
}

var clipColumns = []table.Column[ClipRow]{
	{
		ID: "cause", Title: "cause", Least: 150,
		Compare: func(_ *panel.Env, a, b *ClipRow) int {
			return strings.Compare(strings.ToLower(a.Cause), strings.ToLower(b.Cause))
		},
		Cell: func(env *panel.Env, r *ClipRow, c *table.Cell) {
			c.Text = r.Cause
			if c.Sign, c.Swatch = r.Mark, r.Color; r.Color == (draw.Color{}) {
				c.Swatch, c.Hollow = draw.Color(env.Theme.Text2), r.Mark == ""
			}
		},
	},
	{
		ID: "frame", Title: "frame", Kind: table.Number, Width: 72, Drop: 3, Quiet: true, Format: table.Count,
		Value: func(_ *panel.Env, r *ClipRow) float64 { return table.Known(float64(r.Frame), r.Frame >= 0) },
	},
	{
		ID: "took", Title: "took", Unit: "ns", Kind: table.Number, Width: 72, Time: true,
		Value: func(_ *panel.Env, r *ClipRow) float64 { return table.Known(float64(r.Took), r.Took > 0) },
	},
	{
		ID: "length", Title: "length", Unit: "ns", Kind: table.Number, Width: 72, Drop: 2, Quiet: true, Time: true,
		Scale: func(*panel.Env) int64 { return 10_000_000_000 }, // in seconds
		Value: func(_ *panel.Env, r *ClipRow) float64 { return table.Known(float64(r.Length), r.Length > 0) },
	},
	{
		ID: "size", Title: "size", Unit: "B", Kind: table.Number, Width: 72, Drop: 4, Quiet: true, Format: table.Bytes,
		Value: func(_ *panel.Env, r *ClipRow) float64 { return float64(r.Bytes) },
	},
	{
		ID: "at", Title: "    filed", Width: 172, Drop: 1, Quiet: true,
		Compare: func(_ *panel.Env, a, b *ClipRow) int { return a.At.Compare(b.At) },
		Cell: func(_ *panel.Env, r *ClipRow, c *table.Cell) {
			c.Buf = r.At.Local().AppendFormat(append(c.Buf, "    "...), time.DateTime)
		},
	},
	{
		ID: "program", Title: "program", Width: 130, Drop: 5, Quiet: true,
		Text: func(_ *panel.Env, r *ClipRow) string { return r.Program },
	},
}

// NewClipList returns the list of clips.
func NewClipList(p ClipProgram) *FileList[ClipRow] {
	return newFileList(fileKind[ClipRow]{
		title: "Clips of hitches", order: "at", columns: clipColumns, rows: p.Clips, words: p.ClipWords, do: p.DoClip,
		empty: func() string {
			return "No clips yet.\nThe first hitch of each cause in a live game (PStats) makes one."
		},
		id:  func(r *ClipRow) string { return r.Path },
		tip: (*ClipRow).tip, does: []Action{Open, Close, Export, Delete},
		buttons: func(*ClipRow) []footButton { return clipButtons },
	})
}

var clipButtons = []footButton{
	{Label: "Open", Key: "Enter"}, {Label: "Close", Key: "Esc"}, {Label: "Save as…"}, {Label: "Delete…", Key: "Del"},
}

// tip describes a clip.
func (r *ClipRow) tip(l *panel.TipLines) {
	l.Add(r.Cause)
	if r.Frame >= 0 {
		b := format.AppendCount([]byte("frame "), r.Frame)
		b = format.AppendDuration(append(append(append(b, " of "...), r.Thread...), " took "...), int64(r.Took))
		l.Add(string(b))
		b = format.AppendPlural(nil, r.Frames, "frame", "frames")
		l.Add(string(format.AppendDuration(append(b, " of all threads in "...), int64(r.Length))))
	}
	if r.Lacks > 0 {
		l.Add(string(format.AppendPlural([]byte("without "), r.Lacks, "frame", "frames")) + " that the disk did not take")
	}
	for _, p := range [...][2]string{{"program", r.Program}, {"in", r.Path}} {
		l.If(p[1] != "").Text(p[0]).Text("\t").Text(p[1]).End()
	}
}
