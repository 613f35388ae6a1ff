// The list of clips: the time around the first hitch of each cause while games ran. It has the names
// of clips and their actions, but no files.

package widgets

import (
	"math"
	"slices"
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
	// Frames are in it, Lacks are those that memory did not hold.
	Frames, Lacks int64
}

// Action is an action on a clip.
type Action uint8

// The actions.
const (
	Open Action = iota
	Delete
	SaveClip // to a file that the user names
	ClipMenu // shows all that can be done where the mouse is
)

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

// ClipList is the list.
type ClipList struct {
	Close   func() // the dialog
	program ClipProgram

	Sheet[clipListKey]
	table  *table.Table
	source *clipSource
	foot   foot
	row    int    // that is chosen, as of the last tick
	seen   uint64 // revision of the rows then
}

// clipListKey is the inputs of the picture.
type clipListKey struct {
	rect     draw.Rect
	scale    float32
	revision uint64
	words    string
	some     bool // a clip is chosen
	hover    int
	table    uint64 // revision of its picture
}

// NewClipList returns the list.
func NewClipList(p ClipProgram) *ClipList {
	t := &ClipList{program: p, source: &clipSource{program: p}}
	t.table = table.New("Clips", t.source)
	t.table.SortBy("at", true)
	return t
}

// Title implements panel.Panel.
func (t *ClipList) Title(*panel.Env) string { return "Clips of hitches" }

// Mode implements panel.Panel: how many are kept.
func (t *ClipList) Mode(*panel.Env) string {
	_, mode := t.program.ClipWords()
	return mode
}

// headHeight is that of the line above the table at scale 1.
const headHeight = 24

// Update implements panel.Panel.
func (t *ClipList) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	head, foot := rect, rect
	head.Y1 = min(rect.Y1, rect.Y0+env.Px(headHeight))
	foot.Y0 = max(head.Y1, rect.Y1-env.Px(footHeight))
	none := !t.chosen()
	clicked := t.foot.update(env, foot, in, footButton{Label: "Open", Key: "Enter", Off: none},
		footButton{Label: "Close", Key: "Esc"}, footButton{Label: "Save as…", Off: none},
		footButton{Label: "Delete…", Key: "Del", Off: none})
	switch {
	case clicked == 1:
		t.Close()
	case clicked >= 0:
		t.program.DoClip([...]Action{0: Open, 2: SaveClip, 3: Delete}[clicked], t.source.chosen)
	}
	act := t.table.Place(env, draw.Rect{X0: rect.X0, Y0: head.Y1, X1: rect.X1, Y1: foot.Y0}, in)
	if t.stay(env); t.source.chosen == "" && len(t.source.rows) > 0 {
		t.table.Key(env, "down") // the first one
	}
	if act.Kind == panel.ActionMenu {
		t.program.DoClip(ClipMenu, t.source.chosen)
		act = panel.Action{}
	}
	_, revision := t.program.Clips()
	words, _ := t.program.ClipWords()
	if t.Stale(env, rect, clipListKey{rect, env.Scale, revision, words, !none, t.foot.hover, t.table.Stamp()}) {
		line := draw.Rect{X0: head.X0 + env.Px(9), Y0: head.Y0, X1: head.X1 - env.Px(9), Y1: head.Y1}
		t.Out.TextIn(draw.Small, line, draw.Left, words, draw.Color(env.Theme.Text2))
		t.table.DrawInto(t.Out, env)
		t.foot.draw(t.Out, env, foot)
	}
	return act
}

// chosen reports whether a clip that is there is chosen.
func (t *ClipList) chosen() bool {
	return slices.ContainsFunc(t.source.rows, func(r ClipRow) bool { return r.Path == t.source.chosen })
}

// stay keeps the keys on the chosen clip while others come and go; when it has gone they are on the one
// in its place.
func (t *ClipList) stay(env *panel.Env) {
	s := t.source
	if s.of != t.seen && s.chosen != "" && len(s.rows) > 0 {
		if i := slices.IndexFunc(s.rows, func(r ClipRow) bool { return r.Path == s.chosen }); i < 0 {
			t.table.GoTo(env, t.row)
		} else if t.table.KeyRow() >= 0 {
			t.table.KeepKeys(i)
		}
	}
	if t.seen = s.of; t.table.KeyRow() >= 0 {
		t.row = t.table.KeyRow()
	}
}

// Key takes a key that was struck while the list has the keyboard, by its name; false when it is none of
// the list's.
func (t *ClipList) Key(env *panel.Env, key string) (panel.Action, bool) {
	what := Open
	switch key {
	case "enter":
	case "delete":
		what = Delete
	default:
		return t.table.Key(env, key)
	}
	if t.chosen() {
		t.program.DoClip(what, t.source.chosen)
	}
	return panel.Action{}, true
}

// HitTest implements panel.Panel.
func (t *ClipList) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	return t.table.HitTest(env, pxX, pxY)
}

// clipSource is the table's.
type clipSource struct {
	program  ClipProgram
	rows     []ClipRow
	of       uint64 // revision of the rows
	revision uint64
	chosen   string // path
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
		Value: func(_ *panel.Env, r *ClipRow) float64 { return known(r.Frame >= 0, float64(r.Frame)) },
	},
	{
		ID: "took", Title: "took", Unit: "ns", Kind: table.Number, Width: 72, Time: true,
		Value: func(_ *panel.Env, r *ClipRow) float64 { return known(r.Took > 0, float64(r.Took)) },
	},
	{
		ID: "length", Title: "length", Unit: "ns", Kind: table.Number, Width: 72, Drop: 2, Quiet: true, Time: true,
		Scale: func(*panel.Env) int64 { return 10_000_000_000 }, // in seconds
		Value: func(_ *panel.Env, r *ClipRow) float64 { return known(r.Length > 0, float64(r.Length)) },
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

// Columns implements table.Source.
func (s *clipSource) Columns() []table.Column[ClipRow] { return clipColumns }

// At implements table.Source.
func (s *clipSource) At(i int) *ClipRow { return &s.rows[i] }

// Empty implements table.Source.
func (s *clipSource) Empty(bool) string {
	return "No clips yet.\nThe first hitch of each cause in a live game (PStats) makes one."
}

// Rows implements table.Source.
func (s *clipSource) Rows(*panel.Env) (n int, revision uint64) {
	rows, of := s.program.Clips()
	if s.rows = rows; of != s.of {
		s.of = of
		s.revision++
	}
	return len(rows), s.revision
}

// Choose implements table.Chooser: the keys and the menu choose.
func (s *clipSource) Choose(_ *panel.Env, r *ClipRow) {
	s.chosen = r.Path
	s.revision++
}

// Row implements table.Describer.
func (s *clipSource) Row(_ *panel.Env, r *ClipRow) table.RowInfo {
	h := panel.NoHit()
	h.Kind = panel.HitLabel
	return table.RowInfo{Selected: r.Path == s.chosen, Hit: h}
}

// Click implements table.Clicker: a click chooses, a double click opens.
func (s *clipSource) Click(env *panel.Env, r *ClipRow, in *panel.Input) panel.Action {
	s.Choose(env, r)
	if in.DoubleClick {
		s.program.DoClip(Open, r.Path)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (s *clipSource) Tip(_ *panel.Env, r *ClipRow, l *panel.TipLines) {
	l.Add(r.Cause)
	if r.Frame >= 0 {
		b := format.AppendCount([]byte("frame "), r.Frame)
		b = format.AppendDuration(append(append(append(b, " of "...), r.Thread...), " took "...), int64(r.Took))
		l.Add(string(b))
		b = format.AppendPlural(nil, r.Frames, "frame", "frames")
		l.Add(string(format.AppendDuration(append(b, " of all threads in "...), int64(r.Length))))
	}
	if r.Lacks > 0 {
		l.Add(string(format.AppendPlural([]byte("without "), r.Lacks, "frame", "frames")) + " that memory did not hold")
	}
	for _, p := range [...][2]string{{"program", r.Program}, {"in", r.Path}} {
		l.If(p[1] != "").Text(p[0]).Text("\t").Text(p[1]).End()
	}
}

// Key implements table.Keyed.
func (s *clipSource) Key(r *ClipRow) uint64 { return table.KeyOfText(r.Path) }

// known is a value, or none.
func known(is bool, v float64) float64 {
	if is {
		return v
	}
	return math.NaN()
}
