package widgets

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
)

// Action is an action on a listed file.
type Action uint8

// The actions.
const (
	Open Action = iota
	Rename
	Export // to a file that the user names
	Keep
	Delete
	ShowMenu // with all of these, where the mouse is
	Close    // the list
)

// FileList is a dialog with a list of files and the actions on the chosen one.
type FileList[R any] struct {
	Close func() // the dialog

	Sheet[fileListKey]
	kind   fileKind[R]
	table  *table.Table
	source fileTable[R]
	foot   foot
	button []footButton
	row    int    // that is chosen, as of the last tick
	seen   uint64 // revision of the rows then
}

// fileKind is what one list of files has, and another has not.
type fileKind[R any] struct {
	title, order string // order is the ID of the column of times
	columns      []table.Column[R]
	// rows returns the files, the newest first, and a number that changes with them.
	rows func() (rows []R, revision uint64)
	// words returns a line above the table, and a few words for the head.
	words   func() (line, mode string)
	empty   func() string
	do      func(what Action, id string)
	id      func(*R) string
	tip     func(*R, *panel.TipLines)
	does    []Action // of the buttons; the second closes the dialog
	buttons func(*R) []footButton
}

// fileListKey is the inputs of the picture.
type fileListKey struct {
	rect     draw.Rect
	scale    float32
	revision uint64
	chosen   string
	words    string
	hover    int
	buttons  Sum
	table    uint64 // revision of its picture
}

func newFileList[R any](kind fileKind[R]) *FileList[R] {
	t := &FileList[R]{kind: kind}
	t.source.kind = &t.kind
	t.table = table.New(kind.title, &t.source)
	t.table.SortBy(kind.order, true)
	return t
}

// Title implements panel.Panel.
func (t *FileList[R]) Title(*panel.Env) string { return t.kind.title }

// Mode implements panel.Panel.
func (t *FileList[R]) Mode(*panel.Env) string {
	_, mode := t.kind.words()
	return mode
}

// Chosen names the chosen file, empty if none is.
func (t *FileList[R]) Chosen() string { return t.source.chosen }

// headHeight is that of the line above the table at scale 1.
const headHeight = 24

// Update implements panel.Panel.
func (t *FileList[R]) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	head, foot := rect, rect
	head.Y1 = min(rect.Y1, rect.Y0+env.Px(headHeight))
	foot.Y0 = max(head.Y1, rect.Y1-env.Px(footHeight))
	if i := t.foot.update(env, foot, in, t.buttons()...); i >= 0 {
		t.act(t.kind.does[i])
	}
	act := t.table.Place(env, draw.Rect{X0: rect.X0, Y0: head.Y1, X1: rect.X1, Y1: foot.Y0}, in)
	if t.stay(env); t.source.chosen == "" && len(t.source.rows) > 0 {
		t.table.Key(env, "down") // the first one
	}
	if act.Kind == panel.ActionMenu {
		t.kind.do(ShowMenu, t.source.chosen)
		act = panel.Action{}
	}
	words, _ := t.kind.words()
	key := fileListKey{rect, env.Scale, t.source.of, t.source.chosen, words, t.foot.hover, 0, t.table.Stamp()}
	for i := range t.foot.buttons {
		key.buttons.Text(t.foot.buttons[i].Label)
		key.buttons.Flag(t.foot.buttons[i].Off)
	}
	if t.Stale(env, rect, key) {
		line := draw.Rect{X0: head.X0 + env.Px(9), Y0: head.Y0, X1: head.X1 - env.Px(9), Y1: head.Y1}
		t.Out.TextIn(draw.Small, line, draw.Left, words, draw.Color(env.Theme.Text2))
		t.table.DrawInto(t.Out, env)
		t.foot.draw(t.Out, env, foot)
	}
	return act
}

// buttons returns those of the foot; without a file all are off but the second.
func (t *FileList[R]) buttons() []footButton {
	r := t.source.chosenRow()
	t.button = append(t.button[:0], t.kind.buttons(r)...)
	for i := range t.button {
		t.button[i].Off = t.button[i].Off || r == nil && t.kind.does[i] != Close
	}
	return t.button
}

func (t *FileList[R]) act(what Action) {
	if what == Close {
		t.Close()
	} else {
		t.kind.do(what, t.source.chosen)
	}
}

// stay keeps the keys on the chosen file while others come and go; when it has gone they are on the one
// in its place.
func (t *FileList[R]) stay(env *panel.Env) {
	s := &t.source
	if s.of != t.seen && s.chosen != "" && len(s.rows) > 0 {
		if i := s.chosenIndex(); i < 0 {
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
func (t *FileList[R]) Key(env *panel.Env, key string) (panel.Action, bool) {
	what, ok := map[string]Action{"enter": Open, "delete": Delete, "f2": Rename}[key]
	i := slices.Index(t.kind.does, what)
	if !ok || i < 0 {
		return t.table.Key(env, key)
	}
	if !t.buttons()[i].Off {
		t.act(what)
	}
	return panel.Action{}, true
}

// HitTest implements panel.Panel.
func (t *FileList[R]) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	return t.table.HitTest(env, pxX, pxY)
}

// fileTable is the table's source.
type fileTable[R any] struct {
	kind     *fileKind[R]
	rows     []R
	of       uint64 // revision of the rows
	revision uint64
	chosen   string
}

// chosenIndex returns the place of the chosen file, -1 if it is not there.
func (s *fileTable[R]) chosenIndex() int {
	return slices.IndexFunc(s.rows, func(r R) bool { return s.chosen != "" && s.kind.id(&r) == s.chosen })
}

// chosenRow returns the chosen file, nil if none is.
func (s *fileTable[R]) chosenRow() *R {
	if i := s.chosenIndex(); i >= 0 {
		return &s.rows[i]
	}
	return nil
}

// Columns implements table.Source.
func (s *fileTable[R]) Columns() []table.Column[R] { return s.kind.columns }

// At implements table.Source.
func (s *fileTable[R]) At(i int) *R { return &s.rows[i] }

// Empty implements table.Source.
func (s *fileTable[R]) Empty(bool) string { return s.kind.empty() }

// Rows implements table.Source.
func (s *fileTable[R]) Rows(*panel.Env) (n int, revision uint64) {
	rows, of := s.kind.rows()
	if s.rows = rows; of != s.of {
		s.of = of
		s.revision++
	}
	return len(rows), s.revision
}

// Choose implements table.Chooser: the keys and the menu choose.
func (s *fileTable[R]) Choose(_ *panel.Env, r *R) {
	s.chosen = s.kind.id(r)
	s.revision++
}

// Row implements table.Describer.
func (s *fileTable[R]) Row(_ *panel.Env, r *R) table.RowInfo {
	h := panel.NoHit()
	h.Kind = panel.HitLabel
	return table.RowInfo{Selected: s.kind.id(r) == s.chosen, Hit: h}
}

// Click implements table.Clicker: a click chooses, a double click opens.
func (s *fileTable[R]) Click(env *panel.Env, r *R, in *panel.Input) panel.Action {
	s.Choose(env, r)
	if in.DoubleClick {
		s.kind.do(Open, s.chosen)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (s *fileTable[R]) Tip(_ *panel.Env, r *R, l *panel.TipLines) { s.kind.tip(r, l) }

// Key implements table.Keyed.
func (s *fileTable[R]) Key(r *R) uint64 { return table.KeyOfText(s.kind.id(r)) }
