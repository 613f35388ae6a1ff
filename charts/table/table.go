// Package table draws rows and columns of a source, and handles what one does with them: sorting,
// scrolling, folding, hovering. It knows no source.
package table

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// Source is what a Table shows. Rows are numbered from 0 in the order of display; only those on screen are ever asked for, so that a table of a
// hundred thousand rows costs as much as one of twenty.
type Source interface {
	// Columns describes the columns. The slice must stay the same from one Prepare to the next; another slice has other columns, by which nothing is sorted yet.
	Columns() []Column
	// Prepare brings the rows up to date, once a tick, and returns their number and a revision that changes whenever any cell may have changed.
	Prepare(env *panel.Env) (rows int, revision uint64)
	// Cell describes one cell. c is empty but for its Buf, whose capacity the source may use.
	Cell(env *panel.Env, row, col int, c *Cell)
	// Sort orders the rows by a column; called once for each click on a header, before the next Prepare.
	Sort(col int, descending bool)
	// Row tells how a row stands out, and what it is.
	Row(env *panel.Env, row int) RowInfo
	// Click is told of a click on a part of a cell.
	Click(env *panel.Env, row, col int, part CellPart, in *panel.Input) panel.Action
	// Empty is what the table says, in words, while it has no rows.
	Empty() string
}

// Tips is implemented by sources that have more to say about a row than its cells show.
type Tips interface {
	// Tip adds the tooltip's lines.
	Tip(env *panel.Env, row int, t *Tip)
}

// Tip collects the lines of a tooltip.
type Tip struct{ Lines panel.TipLines }

// Line adds a line of text.
func (t *Tip) Line(s string) { t.Lines.Add(s) }

// CellPart is a part of a cell of a ColumnText.
type CellPart uint8

// The parts.
const (
	PartText CellPart = iota
	PartFold
	PartSwatch
)

// RowInfo is how a row of a table stands out, and what lies under the mouse there.
type RowInfo struct {
	Selected bool
	Lit      bool // what it stands for is under the mouse in some panel
	Dim      bool
	Hit      panel.Hit
}

// ColumnKind says how the cells of a column are drawn.
type ColumnKind uint8

// The kinds of columns.
const (
	ColumnText   ColumnKind = iota // left-aligned words, with swatch, indentation and fold arrow where the cell has them
	ColumnNumber                   // right-aligned mono numbers
	ColumnBar                      // a bar from the left, Cell.Value of the width
	ColumnSpark                    // a line of Cell.Series
	ColumnBars                     // little columns of Cell.Series, Cell.Mark in the colour of Cell.Color
)

// drawn tells whether columns of the kind have no text.
func (k ColumnKind) drawn() bool { return k == ColumnBar || k == ColumnSpark || k == ColumnBars }

// Column is one column of a table.
type Column struct {
	Title string
	// Width is the width at scale 1. A column of width 0 shares what is left.
	Width float32
	// Least is what a column that shares what is left has at least before others leave, at scale 1; 0 means 72.
	Least float32
	Kind  ColumnKind
	// Sortable columns react to clicks on their header.
	Sortable bool
	// Drop is when a column leaves a table that is too narrow: highest first, 0 never.
	Drop int
}

// Cell is one cell of a table. The source appends text to Buf[:0] or sets Text; Text wins.
type Cell struct {
	Text   string
	Buf    []byte
	Color  draw.Color // of the text, bar, line or marked column; zero: the theme's
	Swatch draw.Color // a coloured square before the text; zero: none
	Hollow bool       // the swatch is only an outline: the thing is hidden
	Depth  int        // indentation of ColumnText
	Wide   bool       // ColumnText only: the text may go on over the columns at the right, which are empty in this row
	Fold   Fold
	Value  float32   // of ColumnBar, 0…1
	Series []float32 // of ColumnSpark and ColumnBars; scaled to SeriesMax, or to the greatest value if that is 0
	// SeriesMax is the value at full height.
	SeriesMax float32
	// FromZero draws the line of a ColumnSpark between 0 and SeriesMax, whatever its smallest value is: for shares.
	FromZero bool
	Mark     int // index into Series that stands out in ColumnBars, -1 none
}

// Fold is the state of a row's fold arrow.
type Fold uint8

// The states.
const (
	FoldNone Fold = iota
	FoldOpen
	FoldClosed
)

// Table draws rows and columns of a source in a draw list: the rows on screen, nothing else. Clicking a header sorts by it, again reverses; the wheel and the bar at
// the right scroll.
type Table struct {
	Source Source
	// Name is the panel's title, ModeText stands at its right.
	Name, ModeText string
	// RowHeight at scale 1; 0 means 22.
	RowHeight float32
	// NoHeader leaves the header row out.
	NoHeader bool
	// SortColumn is the column sorted by, -1 none; Descending its direction.
	SortColumn int
	Descending bool

	Drawn   *draw.List
	cell    Cell
	Hover   panel.HoverReport
	Tip     Tip
	Layout  []tableColumn // of the columns that are shown
	widths  tableWidths
	Key     TableKey
	Rows    int
	ScrollY float64 // px; exact for millions of rows
	swallow bool    // the next release belongs to a double click
	GrabY   float32 // where in the thumb the scroll bar was taken; < 0 not taken
	HoverRow,
	HoverCol int
}

// tableColumn is a column with its place.
type tableColumn struct {
	Index  int
	X0, X1 float32
}

type tableWidths struct {
	rect  draw.Rect
	scale float32
	n     int
	first *Column
}

// TableKey holds everything that a table's picture depends on.
type TableKey struct {
	Rect       draw.Rect
	Scale      float32
	Revision   uint64
	Rows       int
	ScrollY    float64
	HoverRow   int
	hoverCol   int
	sortColumn int
	descending bool
	Looks      uint64
	Theme      *assets.Theme
	Valid      bool
}

// indentPx is the indentation of a level of a tree, and the room for a fold arrow, at scale 1.
const indentPx = 12

// New returns a table of a source, unsorted.
func New(name string, src Source) *Table {
	return &Table{Source: src, Name: name, SortColumn: -1, GrabY: -1, HoverRow: -1, HoverCol: -1}
}

// Title returns the table's name.
func (t *Table) Title(*panel.Env) string { return t.Name }

// Mode returns ModeText.
func (t *Table) Mode(*panel.Env) string { return t.ModeText }

// List returns the picture of the last Update.
func (t *Table) List() *draw.List { return t.Drawn }

func (t *Table) RowPx(env *panel.Env) float32 {
	if t.RowHeight > 0 {
		return env.Px(t.RowHeight)
	}
	return env.Px(22)
}

func (t *Table) headerHeight(env *panel.Env) float32 {
	if t.NoHeader {
		return 0
	}
	return env.Px(22)
}

// body returns the part of the table that scrolls.
func (t *Table) Body(env *panel.Env) draw.Rect {
	r := t.Key.Rect
	r.Y0 = min(r.Y0+t.headerHeight(env), r.Y1)
	return r
}

// Update handles the input of a tick, asks the source for what is on screen, and draws it if anything changed.
func (t *Table) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	if panel.ListFor(&t.Drawn, env) {
		t.Key.Valid = false
	}
	rows, revision := t.Source.Prepare(env)
	t.Rows = rows
	old := t.Key
	t.Key.Rect, t.Key.Scale = rect, env.Scale
	t.LayOut(env)
	t.Hover.Begin()
	act := t.Input(env, in)
	t.Hover.Tell(env.View, t)
	if act.Kind != panel.ActionNone || in.Left.Released {
		rows, revision = t.Source.Prepare(env) // the click may have changed the rows
		t.Rows = rows
	}
	t.ClampScroll(env)
	key := TableKey{Rect: rect, Scale: env.Scale, Revision: revision, Rows: rows, ScrollY: t.ScrollY, HoverRow: t.HoverRow, hoverCol: t.HoverCol,
		sortColumn: t.SortColumn, descending: t.Descending, Looks: env.View.Stamp(), Theme: env.Theme, Valid: true}
	t.Key = key
	if key != old {
		t.draw(env)
	}
	return act
}

// LayOut places the columns, leaving out those that do not fit.
func (t *Table) LayOut(env *panel.Env) {
	cols := t.Source.Columns()
	w := tableWidths{rect: t.Key.Rect, scale: env.Scale, n: len(cols)}
	if len(cols) > 0 {
		w.first = &cols[0]
	}
	if w == t.widths {
		return
	}
	if t.widths.first != nil && t.widths.first != w.first {
		t.SortColumn = -1 // other columns
	}
	t.widths = w
	pad := env.Px(9)
	avail := t.Key.Rect.W() - 2*pad
	const minFlex = 72
	dropAt := 1 << 30
	for {
		var need float32
		worst := 0
		for _, c := range cols {
			if c.Drop >= dropAt {
				continue
			}
			worst = max(worst, c.Drop)
			if c.Width == 0 {
				need += env.Px(max(minFlex, c.Least))
			} else {
				need += env.Px(c.Width)
			}
		}
		if need <= avail || worst == 0 {
			break
		}
		dropAt = worst
	}
	var fixed, flex float32
	for _, c := range cols {
		if c.Drop >= dropAt {
			continue
		}
		if c.Width == 0 {
			flex++
		}
		fixed += env.Px(c.Width)
	}
	// In a very narrow table numbers keep their room, and what is only drawn gives of its own.
	over, drawn := max(0, fixed-avail), float32(0)
	for _, c := range cols {
		if c.Drop < dropAt && c.Kind.drawn() {
			drawn += env.Px(c.Width)
		}
	}
	share := float32(0)
	if flex > 0 {
		share = max(0, float32(int((avail-fixed)/flex)))
	}
	t.Layout = t.Layout[:0]
	x := t.Key.Rect.X0 + pad
	for i, c := range cols {
		if c.Drop >= dropAt {
			continue
		}
		cw := env.Px(c.Width)
		if c.Width == 0 {
			cw = share
		} else if c.Kind.drawn() && over > 0 {
			cw = max(0, float32(int(cw-over*cw/drawn)))
		}
		t.Layout = append(t.Layout, tableColumn{i, x, x + cw})
		x += cw
	}
}

// ClampScroll keeps the rows in view.
func (t *Table) ClampScroll(env *panel.Env) {
	t.ScrollY = max(0, min(t.ScrollY, float64(t.Rows)*float64(t.RowPx(env))-float64(t.Body(env).H())))
}

// rowY returns the window position of a row's top.
func (t *Table) RowY(env *panel.Env, row int) float32 {
	return t.Body(env).Y0 + float32(float64(row)*float64(t.RowPx(env))-t.ScrollY)
}

// ScrollTo brings a row into view.
func (t *Table) ScrollTo(env *panel.Env, row int) {
	h, body := float64(t.RowPx(env)), float64(t.Body(env).H())
	y := float64(row) * h
	if y < t.ScrollY {
		t.ScrollY = y
	} else if y+h > t.ScrollY+body {
		t.ScrollY = y + h - body
	}
	t.ClampScroll(env)
}

// fetch asks the source for a cell.
func (t *Table) Fetch(env *panel.Env, row, col int) *Cell {
	t.cell = Cell{Buf: t.cell.Buf[:0], Mark: -1}
	t.Source.Cell(env, row, col, &t.cell)
	return &t.cell
}

// HitTest returns the row under a point.
func (t *Table) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	row, _, _ := t.At(env, pxX, pxY)
	if row < 0 {
		return panel.Hit{Collector: model.NoCollector, Frame: -1}
	}
	h := t.Source.Row(env, row).Hit
	y := t.RowY(env, row)
	h.Rect = draw.Rect{X0: t.Key.Rect.X0, Y0: y, X1: t.Key.Rect.X1, Y1: y + t.RowPx(env)}
	if src, ok := t.Source.(Tips); ok && h.Lines == nil {
		t.Tip.Lines.Begin()
		src.Tip(env, row, &t.Tip)
		h.Lines = t.Tip.Lines.All()
	}
	return h
}

// SetFilter implements Filterer, for tables whose source does.
func (t *Table) SetFilter(text string) {
	if f, ok := t.Source.(panel.Filterer); ok {
		f.SetFilter(text)
	}
}
